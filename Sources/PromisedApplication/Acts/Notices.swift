package import PromisedDomain
package import PromisedEngine

/// What a user is told outside any promise.
package enum Notice: Sendable {
    /// Somebody asks to be a friend.
    case friendRequested(UserCard)
    /// Somebody is a friend from now on.
    case friendAdded(UserCard)
    /// Somebody is no friend any more.
    case friendRemoved(UserID)
}

/// The way to users outside any promise, on all their connections. Implemented by whoever has the connections.
package protocol Notifier: Sendable {
    /// Tells a user; never waits.
    func tell(_ userID: UserID, _ notice: Notice)
}

/// Why connections that live on a sign-in are closed, as the stable word that they are told.
package enum SignInEnd: String, Sendable, CaseIterable {
    /// Signed out on another connection.
    case signedOut = "signed-out"
    /// A refresh token was used twice: somebody else may hold it.
    case tokenReused = "token-reused"
    /// The user signed in more often than there are sessions, and this was the oldest.
    case tooManySessions = "too-many-sessions"
    /// The password was changed in another session.
    case passwordChanged = "password-changed"
    /// An administrator gave the account another password.
    case passwordReset = "password-reset"
    /// An administrator ended the connection.
    case kicked
    /// The administrator's token was revoked.
    case tokenRevoked = "token-revoked"
    /// The account is deleted.
    case accountDeleted = "account-deleted"
    /// An operator disabled the account.
    case accountDisabled = "account-disabled"
}

/// The connections that live on sign-ins. Implemented by whoever has the connections.
///
/// A connection may be signing in while its sign-in is being ended: it has read that all is well, and is not yet among
/// those that are closed. So every ending is counted, and a connection that signs in looks again when there was one
/// meanwhile.
package protocol SignInEndings: Sendable {
    /// How many endings there were.
    var count: UInt64 { get }

    /// Closes a user's connections at once. Called after the ending was stored.
    ///
    /// - Parameters:
    ///   - kept: a connection that stays open.
    ///   - isEnded: whether a sign-in is one of those that were ended.
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
    /// Closes all connections of a user.
    @discardableResult
    func end(_ userID: UserID, because reason: SignInEnd, except kept: SubscriberID? = nil) -> Int {
        end(userID, because: reason, except: kept) { _ in true }
    }
}
