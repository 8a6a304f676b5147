internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore

/// Having nothing to do with somebody (domain §3).
extension FriendRequests {
    /// Answers `blockUser`. The other one learns that a friendship ended where there was one, and nothing else. To who is
    /// blocked by the other the other does not exist, so the block is made but answered as if there were nobody.
    func block(_ request: WireBlockUser, from caller: Caller) async throws(RequestError) -> WireContent? {
        let other = try await user(request.userID)
        return try shown(try await block(other.id, for: caller), with: other, to: caller)
    }

    /// Answers `unblockUser`, also when there was nothing to end. It restores nothing, and is answered like a block.
    func unblock(_ request: WireUnblockUser, from caller: Caller) async throws(RequestError) -> WireContent? {
        let other = try await user(request.userID)
        return try shown(try await unblock(other.id, for: caller), with: other, to: caller)
    }

    /// Makes a block, and tells whom it must.
    func block(_ other: UserID, for caller: Caller) async throws(RequestError) -> Friendship {
        let outcome = try await RequestError.stored { () async throws(StoreError) in
            try await store.block(other, by: caller.userID, at: caller.now, audit: caller.audit)
        }
        switch outcome {
        case .failure(let refusal): throw RequestError(refusal)
        case .success(let block):
            if block.endedFriendship {
                tell(caller.userID, lost: other)
                tell(other, lost: caller.userID)
            }
            if block.isNew { await onBlockChange(caller.userID, other) }
            return block.friendship
        }
    }

    /// Ends a block.
    func unblock(_ other: UserID, for caller: Caller) async throws(RequestError) -> Friendship {
        let friendship = try await change(caller, other) { friendship, _ throws(Refusal) in
            friendship.unblock(by: caller.userID)
        }
        await onBlockChange(caller.userID, other)
        return friendship
    }

    /// - Throws: `user.not-found` when the other blocks the caller.
    private func shown(
        _ friendship: Friendship,
        with other: UserCard,
        to caller: Caller
    ) throws(RequestError) -> WireContent {
        guard !friendship.blockedBy.contains(other.id) else { throw RequestError(.userNotFound) }
        return reply(other, friendship, to: caller)
    }
}
