internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// The link by which people without an account watch a promise, and who agrees to be seen by them (domain §4).
struct ViewLinkRequests: Sendable {
    let replies: PromiseReplies

    /// Answers `createViewLink`; the link before is good no more. Its end is cut to the window's.
    func create(_ request: WireCreateViewLink, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        var generator = SystemRandomNumberGenerator()
        let code = SecretCode(using: &generator)
        let link = ViewLink(codeHash: code.hash, createdAt: caller.now, expiresAt: try expiry(of: request, caller.now))
        try await replies.perform(.makeViewLink(link, by: caller.userID), of: caller.userID, on: id)
        let promise = try await replies.wholeView(of: id).promise
        return .viewLink(WireViewLink(code: code.text, endsAt: link.end(in: promise)))
    }

    /// Answers `revokeViewLink`, also when there was none.
    func revoke(_ request: WireRevokeViewLink, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        try await replies.perform(.revokeViewLink(by: caller.userID), of: caller.userID, on: id)
        return .done(WireDone())
    }

    /// Answers `setLinkSharing`.
    func setSharing(_ request: WireSetLinkSharing, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        try await replies.perform(.setLinkSharing(caller.userID, on: request.on), of: caller.userID, on: id)
        return .done(WireDone())
    }

    private func expiry(of request: WireCreateViewLink, _ now: Instant) throws(RequestError) -> Instant? {
        guard request.hasExpiresInMs else { return nil }
        let longest = Double(PromiseLimits.furthestAhead.milliseconds)
        guard request.expiresInMs >= 1, request.expiresInMs <= longest else {
            throw RequestError(.requestInvalid, field: "expiresInMs")
        }
        return now + .milliseconds(Int64(request.expiresInMs))
    }
}
