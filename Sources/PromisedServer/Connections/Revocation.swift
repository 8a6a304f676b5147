internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// Closes the connections that live on a sign-in that was ended (domain §2), after telling them why.
///
/// A connection may be signing in while its sign-in is being ended: it has read that all is well, and is not yet among
/// those that are closed. So every ending is counted, and who signs in looks again when there was one meanwhile.
final class Revocation: Sendable {
    /// Why, as the stable word of the event `sessionRevoked`.
    enum Reason: String, Sendable, CaseIterable {
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

        /// The close code that follows.
        var code: CloseCode {
            switch self {
            case .signedOut, .tokenReused, .tooManySessions, .passwordChanged, .passwordReset, .kicked, .tokenRevoked:
                .sessionRevoked
            case .accountDeleted, .accountDisabled: .accountGone
            }
        }
    }

    private let connections: Connections
    private let sender: Sender
    private let clock: any WallClock
    private let endings = Guarded<UInt64>(0)

    init(connections: Connections, sender: Sender, clock: any WallClock) {
        self.connections = connections
        self.sender = sender
        self.clock = clock
    }

    /// How many endings there were; another number than before says: look again.
    var count: UInt64 { endings.withLock { $0 } }

    /// Closes a user's connections, at once: what they sent and was not dealt with yet is forgotten. Called after the
    /// ending was stored.
    ///
    /// - Parameters:
    ///   - userID: whose.
    ///   - reason: what they are told.
    ///   - kept: a connection that stays open.
    ///   - isEnded: whether a sign-in is one of those that were ended.
    /// - Returns: how many were closed.
    @discardableResult
    func close(
        connectionsOf userID: UserID,
        because reason: Reason,
        except kept: Connection? = nil,
        where isEnded: (SignInID) -> Bool = { _ in true }
    ) -> Int {
        endings.withLock { $0 += 1 }
        let ending = connections.connections(of: userID).filter { connection in
            connection !== kept && connection.identity.map { isEnded($0.signIn) } ?? false
        }
        for connection in ending { close(connection, because: reason) }
        return ending.count
    }

    /// Closes one connection after what it was sent.
    ///
    /// - Parameter telling: whether it is told why; the one that asked for it knows.
    func close(_ connection: Connection, because reason: Reason, telling: Bool = true) {
        if telling {
            var event = WireEvent.SessionRevoked()
            event.reason = reason.rawValue
            sender.send(
                WireServerFrame(event: WireEvent(personal: .sessionRevoked(event), at: clock.now)),
                to: connection
            )
        }
        connection.state.withLock { state in
            state.isClosed = true
            state.inbox = []
        }
        sender.close(connection, reason.code)
    }
}
