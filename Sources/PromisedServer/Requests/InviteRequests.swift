internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// Codes that let people join a promise (domain §4).
struct InviteRequests: Sendable {
    let replies: PromiseReplies
    let throttle: CodeThrottle

    /// Answers `createInvite`; the code before is good no more.
    func create(_ request: WireCreateInvite, from caller: Caller) async throws(RequestError) -> WireContent? {
        let promise = try await ownedPromise(request.promiseID, of: caller)
        guard promise.cancelledAt == nil, caller.now < promise.closesAt else { throw RequestError(.promiseClosed) }
        let expiresAt = try expiry(of: request, at: caller.now)
        var generator = SystemRandomNumberGenerator()
        let code = InviteCode(using: &generator)
        try await RequestError.stored { () async throws(StoreError) in
            try await replies.store.createInvite(code.text, to: promise.id, expiresAt: expiresAt, now: caller.now)
        }
        var reply = WireInvite()
        reply.code = code.text
        if let expiresAt { reply.expiresAt = WireTimestamp(expiresAt) }
        return .invite(reply)
    }

    /// Answers `revokeInvite`, also when there was none.
    func revoke(_ request: WireRevokeInvite, from caller: Caller) async throws(RequestError) -> WireContent? {
        let promise = try await ownedPromise(request.promiseID, of: caller)
        try await RequestError.stored { () async throws(StoreError) in
            try await replies.store.revokeInvite(to: promise.id)
        }
        return .done(WireDone())
    }

    /// Answers `joinByCode`. Every reason for which a code does not let somebody in is the same error, so that codes
    /// cannot be told from each other.
    func join(_ request: WireJoinByCode, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try await throttle.trying(by: caller.userID) { () async throws(RequestError) in
            let id = try await promise(behind: request.code, at: caller.now)
            try await refuseBlocked(caller, by: id)
            try await replies.admit([caller.userID], by: .join(caller.userID), to: id)
            return id
        }
        // The owner may have taken the caller out by now; that is no reason to refuse what was done.
        return try await replies.reply(id, to: caller, withOverlaps: true, evenIfGone: true)
    }

    private func promise(behind typed: String, at now: Instant) async throws(RequestError) -> PromiseID {
        guard let code = InviteCode(typed: typed) else { throw RequestError(.codeInvalid) }
        let id = try await RequestError.stored { () async throws(StoreError) in
            try await replies.store.promise(invitedTo: code.text, at: now)
        }
        guard let id else { throw RequestError(.codeInvalid) }
        return id
    }

    /// Whoever blocks the owner, or is blocked by them, has no use for their code.
    private func refuseBlocked(_ caller: Caller, by id: PromiseID) async throws(RequestError) {
        let owner = try await replies.wholeView(of: id).promise.ownerID
        guard owner != caller.userID else { return }
        let blocks = try await RequestError.stored { () async throws(StoreError) in
            try await replies.store.blocks(among: [owner, caller.userID])
        }
        guard blocks.isEmpty else { throw RequestError(.codeInvalid) }
    }

    private func ownedPromise(_ text: String, of caller: Caller) async throws(RequestError) -> Promise {
        let view = try await replies.view(of: try RequestError.promiseID(text), for: caller.userID)
        try replies.requireOwner(caller.userID, of: view)
        return view.promise
    }

    private func expiry(of request: WireCreateInvite, at now: Instant) throws(RequestError) -> Instant? {
        guard request.hasExpiresInMs else { return nil }
        let longest = Double(PromiseLimits.furthestAhead.milliseconds)
        guard request.expiresInMs >= 1, request.expiresInMs <= longest else {
            throw RequestError(.requestInvalid, field: "expiresInMs")
        }
        return now + .milliseconds(Int64(request.expiresInMs))
    }
}
