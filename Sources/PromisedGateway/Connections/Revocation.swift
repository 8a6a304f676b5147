internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol
internal import PromisedWire

/// Closes the connections of an ended sign-in (domain §2), after sending the reason.
final class Revocation: Sendable {
    private let connections: Connections
    private let sender: Sender
    private let renderer: EventRenderer
    private let endings = Guarded<UInt64>(0)

    init(connections: Connections, sender: Sender, renderer: EventRenderer) {
        self.connections = connections
        self.sender = sender
        self.renderer = renderer
    }

    var count: UInt64 { endings.withLock { $0 } }

    func end(
        _ userID: UserID,
        because reason: SignInEnd,
        except kept: SubscriberID?,
        where isEnded: (SignInID) -> Bool
    ) -> Int {
        endings.withLock { $0 += 1 }
        let ending = connections.connections(of: userID).filter { connection in
            connection.id != kept && connection.identity.map { isEnded($0.signIn) } ?? false
        }
        for connection in ending { close(connection, because: reason) }
        return ending.count
    }

    /// Closes one connection after its queued frames.
    ///
    /// - Parameter telling: `true` to send the reason; the requesting connection knows it.
    func close(_ connection: Connection, because reason: SignInEnd, telling: Bool = true) {
        if telling { sender.send(renderer.frame(ofEnd: reason.rawValue), to: connection.id) }
        sender.close(connection, reason.code)
    }
}

extension SignInEnd {
    var code: CloseCode {
        switch self {
        case .signedOut, .tokenReused, .tooManySessions, .passwordChanged, .passwordReset, .kicked, .tokenRevoked:
            .sessionRevoked
        case .accountDeleted, .accountDisabled: .accountGone
        }
    }
}
