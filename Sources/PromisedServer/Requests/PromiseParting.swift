internal import PromisedDomain

/// How a user who is being deleted leaves the promises that are not over.
protocol PromiseParting: Sendable {
    /// Ends a user's part in a promise: an invitation is declined; an owner hands over to the earliest accepted
    /// participant, or cancels when there is none; anybody else leaves. Called again for a part that has ended, or for a
    /// promise that is over, it does nothing or refuses.
    ///
    /// - Throws: `server.unavailable` when it may be tried again; anything else says that there is nothing left to end.
    func part(from promise: PromiseID, user: UserID) async throws(RequestError)
}

/// Parts through the promise's session, so that everybody who is there is told.
struct SessionParting: PromiseParting {
    let replies: PromiseReplies

    func part(from promise: PromiseID, user: UserID) async throws(RequestError) {
        try await replies.perform(.part(user), of: user, on: promise)
    }
}
