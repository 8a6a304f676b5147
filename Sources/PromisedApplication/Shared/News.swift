package import PromisedDomain
package import PromisedEngine
package import PromisedJournal
package import PromisedPlaces

/// News for users, outside the events of a promise.
package enum NewsItem: Sendable {
    case friendRequested(UserCard)
    case friendAdded(UserCard)
    case friendRemoved(UserID)
    /// A notification that is stored, with the names of its subject and the card of the user who caused it, if any.
    case notification(UserNotification, NotificationNames, by: UserCard?)
    /// After a result became final, or an excuse changed it.
    case statisticsChanged(Statistics)
    /// An outlook that was pending when it was requested.
    case outlookReady(PlaceOutlook, of: OutlookSubject)
    /// A new forecast changes the weather of a promise.
    case weatherChanged(PlaceOutlook, of: PromiseID)
    /// A result created a visit from an arrival.
    case visitMade(Visit)
    /// A course was shared by name; as seen by the chosen users.
    case courseShared(ShownCourse)
    case recordingInterrupted(Recording)
    /// The archive of a user's data is complete.
    case exportReady(StoredFile)
}

/// The receivers of an item.
package enum NewsAudience: Sendable {
    /// All connections of these users.
    case users([UserID])
    /// The subscribers of a promise.
    case subscribers([SubscriberID])

    package static func user(_ userID: UserID) -> NewsAudience { .users([userID]) }
}

/// The only way to notify users, and to end their sign-ins. Implemented by the owner of the connections.
///
/// A connection may be signing in while its sign-in ends: it has read a valid session, but is not yet registered to be
/// closed. So every ending is counted, and a connection that signs in checks again if the count has changed.
package protocol News: Sendable {
    /// Sends an item; returns at once.
    func tell(_ item: NewsItem, to audience: NewsAudience)

    /// How many sign-ins have ended.
    var endedSignIns: UInt64 { get }

    /// Closes a user's connections at once. Call this after the end has been stored.
    ///
    /// - Parameters:
    ///   - kept: a connection that stays open.
    ///   - isEnded: `true` for a sign-in that was ended.
    /// - Returns: how many were closed.
    @discardableResult
    func end(
        _ userID: UserID,
        because reason: SignInEnd,
        except kept: SubscriberID?,
        where isEnded: (SignInID) -> Bool
    ) -> Int
}

extension News {
    @discardableResult
    func end(_ userID: UserID, because reason: SignInEnd, except kept: SubscriberID? = nil) -> Int {
        end(userID, because: reason, except: kept) { _ in true }
    }
}

/// Why connections of a sign-in are closed, as the stable word sent to them.
package enum SignInEnd: String, Sendable, CaseIterable {
    /// Signed out on another connection.
    case signedOut = "signed-out"
    /// A refresh token was used twice: it may be stolen.
    case tokenReused = "token-reused"
    /// The user reached the limit of sessions, and this was the oldest.
    case tooManySessions = "too-many-sessions"
    /// The password was changed in another session.
    case passwordChanged = "password-changed"
    /// An administrator reset the account's password.
    case passwordReset = "password-reset"
    /// An administrator ended the connection.
    case kicked
    case tokenRevoked = "token-revoked"
    case accountDeleted = "account-deleted"
    /// An operator disabled the account.
    case accountDisabled = "account-disabled"
}
