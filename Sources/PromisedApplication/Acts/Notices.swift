package import PromisedDomain
package import PromisedEngine

/// A notice to a user outside any promise.
package enum Notice: Sendable {
    case friendRequested(UserCard)
    case friendAdded(UserCard)
    case friendRemoved(UserID)
    /// A notification that is stored, with the card of the user who caused it, if any.
    case notification(UserNotification, by: UserCard?)
}

/// Sends notices to users outside any promise, on all their connections. Implemented by the owner of the connections.
package protocol Notifier: Sendable {
    /// Sends a notice to a user; returns at once.
    func tell(_ userID: UserID, _ notice: Notice)
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

/// The connections of sign-ins. Implemented by the owner of the connections.
///
/// A connection may be signing in while its sign-in ends: it has read a valid session, but is not yet registered to be
/// closed. So every ending is counted, and a connection that signs in checks again if the count has changed.
package protocol SignInEndings: Sendable {
    /// How many sign-ins have ended.
    var count: UInt64 { get }

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

extension SignInEndings {
    @discardableResult
    func end(_ userID: UserID, because reason: SignInEnd, except kept: SubscriberID? = nil) -> Int {
        end(userID, because: reason, except: kept) { _ in true }
    }
}
