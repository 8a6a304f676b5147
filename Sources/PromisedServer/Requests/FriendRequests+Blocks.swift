internal import PromisedDomain
internal import PromisedStore
internal import PromisedWire

/// Having nothing to do with somebody (domain §3).
extension FriendRequests {
    /// Answers `blockUser`. The other one learns that a friendship ended where there was one, and nothing else; whether
    /// they block the caller, too, makes no difference to the answer.
    func block(_ request: WireBlockUser, from caller: Caller) async throws(RequestError) -> WireContent? {
        let other = try await user(request.userID)
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.block(other.id, by: caller.userID, at: caller.now, audit: caller.audit)
        }
        switch outcome {
        case .failure(let refusal): throw RequestError(refusal)
        case .success(let block):
            if block.endedFriendship {
                tell(caller.userID, lost: other.id)
                tell(other.id, lost: caller.userID)
            }
            if block.isNew { await onBlockChange(caller.userID, other.id) }
            return reply(other, block.friendship, to: caller)
        }
    }

    /// Answers `unblockUser`, also when there was nothing to end. It restores nothing.
    func unblock(_ request: WireUnblockUser, from caller: Caller) async throws(RequestError) -> WireContent? {
        let other = try await user(request.userID)
        let friendship = try await change(caller, other.id) { friendship, _ throws(Refusal) in
            friendship.unblock(by: caller.userID)
        }
        await onBlockChange(caller.userID, other.id)
        return reply(other, friendship, to: caller)
    }
}
