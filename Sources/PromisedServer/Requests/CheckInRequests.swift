internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// Saying "I'm here", and the code by which others may (domain §6.7).
struct CheckInRequests: Sendable {
    let replies: PromiseReplies
    let codes: CheckInCodes
    let throttle: CodeThrottle

    /// Answers `checkIn`: by the latest position, or by a code.
    func checkIn(_ request: WireCheckIn, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        let view = try await replies.view(of: id, for: caller.userID)
        _ = try replies.acceptedPart(of: caller.userID, in: view)
        guard view.promise.status(at: caller.now) == .tracking else { throw RequestError(.positionOutsideWindow) }
        if request.hasCode {
            try await throttle.trying(by: caller.userID) { () async throws(RequestError) in
                guard codes.accepts(request.code, for: id, at: caller.now) else { throw RequestError(.codeInvalid) }
            }
        }
        try await replies.perform(.checkIn(caller.userID, request.hasCode ? .peer : .myself), of: caller.userID, on: id)
        let after = try await replies.view(of: id, for: caller.userID)
        guard let arrival = try replies.part(of: caller.userID, in: after).arrival else {
            throw RequestError(.serverInternal)
        }
        return .arrival(WireArrival(arrival, of: after.promise))
    }

    /// Answers `getCheckInCode`: only those whose arrival is confirmed may show it.
    func getCode(_ request: WireGetCheckInCode, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        let view = try await replies.view(of: id, for: caller.userID)
        let mine = try replies.acceptedPart(of: caller.userID, in: view)
        guard view.promise.status(at: caller.now) == .tracking else { throw RequestError(.positionOutsideWindow) }
        guard mine.arrival?.arrival.stage == .confirmed else {
            throw RequestError(.authForbidden, message: "Only who is confirmed to be there can show the code.")
        }
        let (text, expiresAt) = codes.code(of: id, at: caller.now)
        var reply = WireCheckInCode()
        reply.code = text
        reply.expiresAt = WireTimestamp(expiresAt)
        return .checkInCode(reply)
    }
}
