import Logging
import PromisedConcurrency
import PromisedDomain
import PromisedEngine
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// The dispatcher over a store in a temporary directory, on a clock that only a test moves.
///
/// The users live in Seoul. The clock starts at 21:00 there, which is noon in UTC.
struct NotificationWorld: Sendable {
    static let evening = Instant.meeting + .hours(3)

    let store: Store
    let clock: ManualClock
    let metrics: CountingMetrics
    let queue: NotificationQueue
    let listener = Listener()
    let leases = Leases()
    let notifications: Notifications

    private init(_ store: Store, at now: Instant) {
        self.store = store
        clock = ManualClock(now: now)
        metrics = CountingMetrics()
        queue = NotificationQueue(clock: clock, metrics: metrics)
        notifications = Notifications(store: store, queue: queue)
    }

    /// Runs a test on a world with users 1 to `users`, checks the invariants of the store in the end, and closes it.
    static func with(
        users: UInt64 = 3,
        in directory: TemporaryDirectory = TemporaryDirectory(),
        at now: Instant = evening,
        _ body: @Sendable @escaping (NotificationWorld) async throws -> Void
    ) async throws {
        let store = try await Store.open(directory: directory.path)
        for number in 1...users { _ = try await store.accounts.createUser(.sample(number)) }
        let world = NotificationWorld(store, at: now)
        try await world.run(body)
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    private func run(_ body: @Sendable @escaping (NotificationWorld) async throws -> Void) async throws {
        let dispatcher = NotificationDispatcher(
            queue: queue,
            store: store,
            news: listener,
            phone: listener,
            leases: leases,
            clock: clock,
            log: .silent
        )
        try await withThrowingTaskGroup { group in
            group.addTask { await dispatcher.run() }
            defer { group.cancelAll() }
            try await body(self)
        }
    }

    // MARK: - Acts

    /// Waits until everything before has been carried out.
    func settle() async throws { try await notifications.read([NotificationID(high: 0, low: 0)], by: .user(1)) }

    /// Raises a notification for a user and waits until it is handled.
    func arise(_ topic: NotificationTopic, for user: UserID = .user(1), by other: UserID? = nil) async throws {
        queue.raise(topic, for: [user], causedBy: other)
        try await settle()
    }

    /// Reports the focus of a user's connection.
    func focus(_ number: UInt64, _ focus: NotificationFocus, of user: UserID = .user(1)) async throws {
        leases.begin(number, at: clock.now)
        try await notifications.setFocus(focus, of: SubscriberID(rawValue: number), by: user)
    }

    /// A connection of a user ends.
    func disconnect(_ number: UInt64, of user: UserID = .user(1)) async throws {
        leases.end(number)
        queue.connectionEnded(SubscriberID(rawValue: number), of: user)
        try await settle()
    }

    /// Moves the clock and waits until all due work is done.
    func advance(by span: TimeSpan) async throws {
        clock.advance(by: span)
        try await settle()
    }

    /// Sets a user's quiet hours, by their clock.
    func quiet(_ from: String, _ to: String, for user: UserID = .user(1)) async throws {
        _ = try await notifications.updateSettings(of: user, off: [], quietFrom: from, quietTo: to)
    }

    /// A user's notifications as stored, newest first.
    func entries(of user: UserID = .user(1)) async throws -> [NotificationEntry] {
        try await store.notifications.notifications(of: user, limit: 300).items
    }

    /// The topics delivered to a user, in order.
    func told(_ user: UserID = .user(1)) -> [NotificationTopic] {
        listener.told.all.filter { $0.userID == user }.map(\.notification.topic)
    }

    /// The topics pushed to a user's phone, in order.
    func pushed(_ user: UserID = .user(1)) -> [NotificationTopic] {
        listener.pushed.all.filter { $0.userID == user }.map(\.notification.topic)
    }
}

/// Records deliveries.
final class Listener: News, PhonePush {
    struct Told: Sendable {
        let userID: UserID
        let notification: UserNotification
        var names = NotificationNames()
        var card: UserCard?
    }

    let told = Signals<Told>()
    let pushed = Signals<Told>()

    func tell(_ item: NewsItem, to audience: NewsAudience) {
        guard case .notification(let notification, let names, let card) = item, case .users(let users) = audience else {
            return
        }
        for user in users { told.note(Told(userID: user, notification: notification, names: names, card: card)) }
    }

    func push(_ notification: UserNotification, to userID: UserID) {
        pushed.note(Told(userID: userID, notification: notification))
    }
}

/// The leases of connections, by their numbers.
final class Leases: FocusLeases {
    private let leases = Guarded<[UInt64: FocusLease]>([:])

    func begin(_ number: UInt64, at now: Instant) {
        leases.withLock { $0[number, default: FocusLease()].begin(at: now) }
    }

    func frame(_ number: UInt64, at now: Instant) { leases.withLock { $0[number]?.noteFrame(at: now) } }
    func end(_ number: UInt64) { leases.withLock { $0[number] = nil } }
    func focusEnd(of connection: SubscriberID) -> Instant? { leases.withLock { $0[connection.rawValue]?.endsAt } }
}

extension Logger {
    /// Writes nothing.
    static var silent: Logger { Logger(label: "application-tests") { _ in SwiftLogNoOpLogHandler() } }
}

extension NewAccount {
    /// The account of the user with that number.
    static func sample(_ number: UInt64) -> NewAccount {
        NewAccount(
            id: .user(number),
            email: "user\(number)@example.org",
            emailKey: "user\(number)@example.org",
            nickname: "User_\(number)",
            nicknameKey: "user_\(number)",
            passwordHash: "hash \(number)",
            timeZone: "Asia/Seoul",
            createdAt: .meeting - .days(1)
        )
    }
}

extension PromiseID {
    /// A promise that only notifications refer to.
    static func sample(_ number: UInt64) -> PromiseID { PromiseID(high: 0x7001, low: number) }
}
