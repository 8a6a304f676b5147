public import PromisedProtocol

extension AdminForm {
    // MARK: - Promises

    /// A page of promises, descending by meeting time, without participants but with all counts.
    ///
    /// - Parameters:
    ///   - userID: only promises this user is or was in; nil: all.
    ///   - status: only promises with this status; unspecified: all.
    ///   - cursor: from the page before; nil for the first.
    ///   - limit: the size of the page, 1 to 50; the server's choice without it.
    public static func listPromises(
        of userID: String? = nil,
        status: WirePromiseStatus.Value = .unspecified,
        cursor: String? = nil,
        limit: Int32? = nil
    ) -> Self where Reply == WirePromises {
        var request = WireAdminListPromises()
        if let userID { request.userID = userID }
        request.status = status
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.listPromises(request)) { if case .promises(let reply) = $0 { reply } else { nil } }
    }

    /// One promise with all participants.
    public static func showPromise(_ promiseID: String) -> Self where Reply == WirePromiseReply {
        var request = WireGetPromise()
        request.promiseID = promiseID
        return Self(promise: .showPromise(request))
    }

    /// Creates a promise for a user, who becomes its owner; the invitees must be the owner's friends.
    public static func createPromise(ownerID: String, _ promise: WireCreatePromise) -> Self
    where Reply == WirePromiseReply {
        var request = WireAdminCreatePromise()
        request.ownerID = ownerID
        request.promise = promise
        return Self(promise: .createPromise(request))
    }

    /// Changes a promise; omitted values stay unchanged.
    public static func editPromise(_ request: WireUpdatePromise) -> Self where Reply == WirePromiseReply {
        Self(promise: .editPromise(request))
    }

    /// Cancels a promise, until its result is final.
    public static func cancelPromise(_ promiseID: String, reason: String = "") -> Self where Reply == WirePromiseReply {
        var request = WireCancelPromise()
        request.promiseID = promiseID
        request.reason = reason
        return Self(promise: .cancelPromise(request))
    }

    // MARK: - Watching

    /// Subscribes to all events of a promise; the reply holds a snapshot.
    public static func watchPromise(_ promiseID: String) -> Self where Reply == WireSubscribed {
        var request = WireAdminWatchPromise()
        request.promiseID = promiseID
        return Self(.watchPromise(request)) { if case .watching(let reply) = $0 { reply } else { nil } }
    }

    /// Ends the subscription to a promise.
    public static func unwatchPromise(_ promiseID: String) -> Self where Reply == WireAdminDone {
        var request = WireUnsubscribe()
        request.promiseID = promiseID
        return Self(done: .unwatchPromise(request))
    }

    // MARK: - Results and evidence

    /// The final table.
    public static func getResult(of promiseID: String) -> Self where Reply == WireResult {
        var request = WireGetResult()
        request.promiseID = promiseID
        return Self(result: .getResult(request))
    }

    /// Excuses a participant.
    public static func excuse(_ userID: String, in promiseID: String, reason: String) -> Self
    where Reply == WireResult {
        var request = WireExcuse()
        request.promiseID = promiseID
        request.userID = userID
        request.reason = reason
        return Self(result: .excuse(request))
    }

    /// The explanation of a participant's arrival, with a page of at most 500 fixes.
    public static func explainArrival(of userID: String, in promiseID: String, cursor: String? = nil) -> Self
    where Reply == WireExplanation {
        var request = WireExplainArrival()
        request.promiseID = promiseID
        request.userID = userID
        if let cursor { request.cursor = cursor }
        return Self(.explainArrival(request)) { if case .explanation(let reply) = $0 { reply } else { nil } }
    }

    /// A page of the stored positions, in the order in which they were stored; `limit` is 1 to 500.
    public static func exportPositions(of promiseID: String, cursor: String? = nil, limit: Int32? = nil) -> Self
    where Reply == WireAdminPositions {
        var request = WireAdminExportPositions()
        request.promiseID = promiseID
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.exportPositions(request)) { if case .positions(let reply) = $0 { reply } else { nil } }
    }
}
