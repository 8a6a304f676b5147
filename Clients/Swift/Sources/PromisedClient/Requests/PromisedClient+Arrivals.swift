public import PromisedProtocol

/// Arrivals and results. Every call throws ``ClientError``.
extension PromisedClient {
    /// Checks in by hand: "I am here".
    ///
    /// - Parameter code: the 6 digits shown by a participant who is there; nil: the own latest position speaks.
    /// - Throws: `checkin.too-far`, `checkin.no-fix`, `code.invalid`.
    public func checkIn(promiseID: String, code: String? = nil) async throws(ClientError) -> WireArrival {
        var request = WireCheckIn()
        request.promiseID = promiseID
        if let code { request.code = code }
        guard case .arrival(let arrival) = try await call(.checkIn(request)) else { throw .unexpectedReply }
        return arrival
    }

    /// Reads the code that lets others check in; only for who has a confirmed arrival. It changes every minute.
    public func getCheckInCode(promiseID: String) async throws(ClientError) -> WireCheckInCode {
        var request = WireGetCheckInCode()
        request.promiseID = promiseID
        guard case .checkInCode(let code) = try await call(.getCheckInCode(request)) else { throw .unexpectedReply }
        return code
    }

    /// Reads why somebody's arrival counts as it does.
    ///
    /// - Parameter cursor: from the explanation before, for the next fixes; the last page's is empty.
    public func explainArrival(
        promiseID: String,
        userID: String,
        cursor: String? = nil
    ) async throws(ClientError) -> WireExplanation {
        var request = WireExplainArrival()
        request.promiseID = promiseID
        request.userID = userID
        if let cursor { request.cursor = cursor }
        guard case .explanation(let reply) = try await call(.explainArrival(request)) else { throw .unexpectedReply }
        return reply
    }

    /// Reads the final table.
    ///
    /// - Throws: `result.not-final` until it is.
    public func getResult(promiseID: String) async throws(ClientError) -> WireResult {
        var request = WireGetResult()
        request.promiseID = promiseID
        return try await result(.getResult(request))
    }

    /// Excuses a participant as the owner, until 7 days after the result is final.
    public func excuse(promiseID: String, userID: String, reason: String) async throws(ClientError) -> WireResult {
        var request = WireExcuse()
        request.promiseID = promiseID
        request.userID = userID
        request.reason = reason
        return try await result(.excuse(request))
    }
}
