internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedJournal
internal import PromisedPlaces

/// The server's side of all connections: maps them to users, and collects the output for them.
final class Switchboard: ApplicationNews, FocusLeases {
    private struct State: Sendable {
        var users: [ConnectionNumber: UserID] = [:]
        var connections: [UserID: [ConnectionNumber]] = [:]
        var output: [Output] = []
        var isDead = false
        var endings: UInt64 = 0
    }

    private let state = Guarded(State())
    private let notifications: NotificationQueue

    init(notifications: NotificationQueue) { self.notifications = notifications }

    // MARK: - For the world

    func connect(_ connection: ConnectionNumber, of userID: UserID) {
        state.withLock { state in
            state.users[connection] = userID
            state.connections[userID, default: []].append(connection)
        }
    }

    /// Ends a connection. Returns its user; nil if it had ended already.
    func disconnect(_ connection: ConnectionNumber) -> UserID? {
        state.withLock { state in
            guard let userID = state.users.removeValue(forKey: connection) else { return nil }
            state.connections[userID]?.removeAll { $0 == connection }
            return userID
        }
    }

    /// The user of a connection; nil if it has ended.
    func user(of connection: ConnectionNumber) -> UserID? { state.withLock { $0.users[connection] } }

    /// The outputs since the last call, in order.
    func takeOutput() -> [Output] {
        state.withLock { state in
            guard !state.output.isEmpty else { return [] }
            defer { state.output = [] }
            return state.output
        }
    }

    /// Stops all output because the process dies.
    func die() {
        state.withLock { state in
            state.isDead = true
            state.output = []
        }
    }

    func put(_ output: Output) {
        state.withLock { state in
            if !state.isDead { state.output.append(output) }
        }
    }

    // MARK: - For the engine

    func connections(of userID: UserID) -> [SubscriberID] {
        state.withLock { ($0.connections[userID] ?? []).map { SubscriberID(rawValue: $0) } }
    }

    func note(_ event: NumberedEvent, in view: SessionView) { notifications.note(event, in: view) }

    func deliver(_ announcements: [Announcement], of promiseID: PromiseID, to subscribers: [SubscriberID]) {
        let connections = subscribers.map(\.rawValue).sorted()
        for announcement in announcements {
            switch announcement {
            case .event(let event, let view): put(.send(.event(promiseID, event), to: connections, in: view))
            case .positions(let positions, let next):
                put(.send(.positions(promiseID, positions, nextReport: next), to: connections, in: nil))
            case .passing(let event): put(.send(.passing(promiseID, event), to: connections, in: nil))
            // Stories have no viewers by link.
            case .linkView, .linkEnded: break
            }
        }
    }

    // MARK: - For use cases

    func tell(_ item: NewsItem, to audience: NewsAudience) {
        guard let frame = Frame(item) else { return }
        switch audience {
        case .users(let users):
            for user in users {
                let recipients = connections(of: user).map(\.rawValue)
                if !recipients.isEmpty { put(.send(frame, to: recipients, in: nil)) }
            }
        case .subscribers(let subscribers): put(.send(frame, to: subscribers.map(\.rawValue).sorted(), in: nil))
        }
    }

    var endedSignIns: UInt64 { state.withLock { $0.endings } }

    func end(
        _ userID: UserID,
        because reason: SignInEnd,
        except kept: SubscriberID?,
        where isEnded: (SignInID) -> Bool
    ) -> Int {
        state.withLock { $0.endings += 1 }
        put(.close(userID))
        return connections(of: userID).count
    }

    func focusEnd(of connection: SubscriberID) -> Instant? { nil }
}

extension Frame {
    /// nil for an item that no invariant reads: they read the rows of visits, courses, recordings and archives.
    fileprivate init?(_ item: NewsItem) {
        switch item {
        case .friendRequested, .friendAdded, .friendRemoved, .notification: self = .notice(item)
        case .outlookReady(let outlook, let subject): self = .outlook(subject, outlook)
        case .weatherChanged(let outlook, let id): self = .outlook(.promise(id), outlook)
        case .statisticsChanged, .visitMade, .courseShared, .recordingInterrupted, .exportReady: return nil
        }
    }
}
