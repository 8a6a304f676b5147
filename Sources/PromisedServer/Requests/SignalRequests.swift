internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// What people on the way tell each other: sharing, troubles, status and reminders.
struct SignalRequests: Sendable {
    let replies: PromiseReplies

    /// Answers `setSharing`.
    func setSharing(_ request: WireSetSharing, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        try await replies.perform(.setSharing(caller.userID, on: request.on), of: caller.userID, on: id)
        return .done(WireDone())
    }

    /// Answers `setStatus`: what is absent stays, what is empty goes.
    func setStatus(_ request: WireSetStatus, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        let text = request.hasText ? try PromiseDraft.clean(request.text, .statusText) : nil
        let emoji = request.hasEmoji ? try PromiseDraft.clean(request.emoji, .emoji) : nil
        try await replies.perform(.setStatus(caller.userID, text: text, emoji: emoji), of: caller.userID, on: id)
        return .done(WireDone())
    }

    /// Answers `nudge`.
    func nudge(_ request: WireNudge, from caller: Caller) async throws(RequestError) -> WireContent? {
        let id = try RequestError.promiseID(request.promiseID)
        let other = try RequestError.userID(request.userID)
        try await replies.perform(.nudge(from: caller.userID, to: other), of: caller.userID, on: id)
        return .done(WireDone())
    }

    /// Answers `reportTrouble`, for one promise or for all that are tracking.
    func reportTrouble(_ request: WireReportTrouble, from caller: Caller) async throws(RequestError) -> WireContent? {
        guard let cause = PresenceCause(reported: request.cause) else {
            throw RequestError(.requestInvalid, field: "cause")
        }
        if request.hasBatteryPercent, !(0...100).contains(request.batteryPercent) {
            throw RequestError(.requestInvalid, field: "batteryPercent")
        }
        guard request.hasPromiseID else { return try await tellAll(of: cause, from: caller) }
        let id = try RequestError.promiseID(request.promiseID)
        try await replies.perform(.trouble(caller.userID, cause), of: caller.userID, on: id)
        return .done(WireDone())
    }

    private func tellAll(of cause: PresenceCause, from caller: Caller) async throws(RequestError) -> WireContent? {
        try await replies.requireAllSessions()
        var refusal: EngineError? = .refused(.positionOutsideWindow)
        for session in await replies.registry.sessions(of: caller.userID) {
            do throws(EngineError) {
                _ = try await session.perform(.trouble(caller.userID, cause))
                refusal = nil
            } catch .refused, .retired {
                // One that is not tracking is not asked for.
                continue
            } catch {
                throw RequestError(error)
            }
        }
        if let refusal { throw RequestError(refusal) }
        return .done(WireDone())
    }
}
