public import PromisedProtocol

// MARK: - Promises

extension AdminForm where Reply == WirePromises {
    /// A page of promises, descending by meeting time, with no participants but all counts.
    ///
    /// - Parameters:
    ///   - userID: only those this user is or was in; nil: all.
    ///   - status: only those with it; unspecified: all.
    ///   - cursor: from the page before; nil for the first.
    ///   - limit: how many at most, 1 to 50; the server's choice without it.
    public static func listPromises(
        of userID: String? = nil,
        status: WirePromiseStatus.Value = .unspecified,
        cursor: String? = nil,
        limit: Int32? = nil
    ) -> Self {
        var request = WireAdminListPromises()
        if let userID { request.userID = userID }
        request.status = status
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.listPromises(request)) { reply in
            guard case .promises(let promises) = reply else { return nil }
            return promises
        }
    }
}

extension AdminForm where Reply == WirePromiseReply {
    /// One promise with everybody in it.
    public static func showPromise(_ promiseID: String) -> Self {
        var request = WireGetPromise()
        request.promiseID = promiseID
        return Self(promise: .showPromise(request))
    }

    /// Makes a promise for somebody, who becomes its owner; those invited must be the owner's friends.
    public static func createPromise(ownerID: String, _ promise: WireCreatePromise) -> Self {
        var request = WireAdminCreatePromise()
        request.ownerID = ownerID
        request.promise = promise
        return Self(promise: .createPromise(request))
    }

    /// Changes a promise; what the request leaves out stays as it is.
    public static func editPromise(_ request: WireUpdatePromise) -> Self { Self(promise: .editPromise(request)) }

    /// Calls a promise off, until its result is final.
    public static func cancelPromise(_ promiseID: String, reason: String = "") -> Self {
        var request = WireCancelPromise()
        request.promiseID = promiseID
        request.reason = reason
        return Self(promise: .cancelPromise(request))
    }
}

// MARK: - Watching

extension AdminForm where Reply == WireSubscribed {
    /// Everything of a promise that happens from now on, as events; the reply holds a snapshot.
    public static func watchPromise(_ promiseID: String) -> Self {
        var request = WireAdminWatchPromise()
        request.promiseID = promiseID
        return Self(.watchPromise(request)) { reply in
            guard case .watching(let subscribed) = reply else { return nil }
            return subscribed
        }
    }
}

extension AdminForm where Reply == WireAdminDone {
    /// Nothing of a promise any more.
    public static func unwatchPromise(_ promiseID: String) -> Self {
        var request = WireUnsubscribe()
        request.promiseID = promiseID
        return Self(done: .unwatchPromise(request))
    }
}

// MARK: - Results and evidence

extension AdminForm where Reply == WireResult {
    /// The final table.
    public static func getResult(of promiseID: String) -> Self {
        var request = WireGetResult()
        request.promiseID = promiseID
        return Self(result: .getResult(request))
    }

    /// Does not hold it against somebody.
    public static func excuse(_ userID: String, in promiseID: String, reason: String) -> Self {
        var request = WireExcuse()
        request.promiseID = promiseID
        request.userID = userID
        request.reason = reason
        return Self(result: .excuse(request))
    }
}

extension AdminForm where Reply == WireExplanation {
    /// Why somebody's arrival counted as it did, with a page of at most 500 fixes.
    public static func explainArrival(of userID: String, in promiseID: String, cursor: String? = nil) -> Self {
        var request = WireExplainArrival()
        request.promiseID = promiseID
        request.userID = userID
        if let cursor { request.cursor = cursor }
        return Self(.explainArrival(request)) { reply in
            guard case .explanation(let explanation) = reply else { return nil }
            return explanation
        }
    }
}

extension AdminForm where Reply == WireAdminPositions {
    /// A page of the positions that are still kept, by user, device and time; `limit` is 1 to 500.
    public static func exportPositions(of promiseID: String, cursor: String? = nil, limit: Int32? = nil) -> Self {
        var request = WireAdminExportPositions()
        request.promiseID = promiseID
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.exportPositions(request)) { reply in
            guard case .positions(let positions) = reply else { return nil }
            return positions
        }
    }
}
