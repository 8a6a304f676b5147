public import PromisedProtocol

// MARK: - Promises

extension AdminForm where Reply == WirePromises {
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
    /// One promise with all participants.
    public static func showPromise(_ promiseID: String) -> Self {
        var request = WireGetPromise()
        request.promiseID = promiseID
        return Self(promise: .showPromise(request))
    }

    /// Creates a promise for a user, who becomes its owner; the invited must be the owner's friends.
    public static func createPromise(ownerID: String, _ promise: WireCreatePromise) -> Self {
        var request = WireAdminCreatePromise()
        request.ownerID = ownerID
        request.promise = promise
        return Self(promise: .createPromise(request))
    }

    /// Changes a promise; omitted values stay as they are.
    public static func editPromise(_ request: WireUpdatePromise) -> Self { Self(promise: .editPromise(request)) }

    /// Cancels a promise, until its result is final.
    public static func cancelPromise(_ promiseID: String, reason: String = "") -> Self {
        var request = WireCancelPromise()
        request.promiseID = promiseID
        request.reason = reason
        return Self(promise: .cancelPromise(request))
    }
}

// MARK: - Watching

extension AdminForm where Reply == WireSubscribed {
    /// All events of a promise from now on; the reply holds a snapshot.
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
    /// Ends the events of a promise.
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

    /// Excuses a participant.
    public static func excuse(_ userID: String, in promiseID: String, reason: String) -> Self {
        var request = WireExcuse()
        request.promiseID = promiseID
        request.userID = userID
        request.reason = reason
        return Self(result: .excuse(request))
    }
}

extension AdminForm where Reply == WireExplanation {
    /// The explanation of a participant's arrival, with a page of at most 500 fixes.
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
    /// A page of the stored positions, by user, device and time; `limit` is 1 to 500.
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
