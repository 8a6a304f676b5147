public import PromisedProtocol

/// Promises. Every call throws ``ClientError``; `promise.not-found` also stands for what is not for this user's eyes.
extension PromisedClient {
    /// Makes a promise. Its key makes a repeat harmless: the same key within 24 hours gives the same promise.
    public func createPromise(_ request: WireCreatePromise) async throws(ClientError) -> WirePromiseReply {
        try await promise(.createPromise(request))
    }

    /// Changes a promise as its owner; what the request leaves out stays as it is.
    ///
    /// - Throws: `promise.stale-version` when somebody changed it since the version in the request: read it again.
    public func updatePromise(_ request: WireUpdatePromise) async throws(ClientError) -> WirePromiseReply {
        try await promise(.updatePromise(request))
    }

    /// Calls a promise off as its owner, until its result is final.
    public func cancelPromise(_ promiseID: String, reason: String = "") async throws(ClientError) -> WirePromiseReply {
        var request = WireCancelPromise()
        request.promiseID = promiseID
        request.reason = reason
        return try await promise(.cancelPromise(request))
    }

    /// Leaves a promise; its owner hands it over first. Leaving after the window opened stands in the result.
    public func leavePromise(_ promiseID: String) async throws(ClientError) -> WirePromiseReply {
        var request = WireLeavePromise()
        request.promiseID = promiseID
        return try await promise(.leavePromise(request))
    }

    /// Makes another accepted participant the owner.
    public func handOver(promiseID: String, to userID: String) async throws(ClientError) -> WirePromiseReply {
        var request = WireHandOver()
        request.promiseID = promiseID
        request.userID = userID
        return try await promise(.handOver(request))
    }

    /// Reads a promise.
    public func getPromise(_ promiseID: String) async throws(ClientError) -> WirePromise {
        var request = WireGetPromise()
        request.promiseID = promiseID
        return try await promise(.getPromise(request)).promise
    }

    /// Reads a page of promises, each with the own participant only.
    ///
    /// - Parameters:
    ///   - list: which ones; it decides the order, too.
    ///   - cursor: from the page before; nil for the first. The last page's is empty.
    ///   - limit: how many at most, 1 to 50; the server's choice without it.
    public func listPromises(
        _ list: WirePromiseList.Value,
        cursor: String? = nil,
        limit: Int32? = nil
    ) async throws(ClientError) -> WirePromises {
        var request = WireListPromises()
        request.list = list
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        guard case .promises(let page) = try await call(.listPromises(request)) else { throw .unexpectedReply }
        return page
    }
}

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
