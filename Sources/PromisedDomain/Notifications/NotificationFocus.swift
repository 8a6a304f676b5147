/// The screens of a client that matter for notifications.
package enum FocusScreen: String, Hashable, Sendable, CaseIterable {
    /// The list of promises and friends.
    case home
    /// One promise.
    case meetup
    /// The directory of places.
    case places
    /// An editor, which notifications should not interrupt.
    case writing
    /// One course.
    case course
    case recording
    /// Any other screen.
    case other
}

/// The screen that a connection is showing now.
package struct NotificationFocus: Hashable, Sendable {
    package var screen: FocusScreen
    /// The promise on the screen, if it shows one.
    package var promiseID: PromiseID?
    /// `true` while the user sees the screen; `false` for a client in the background.
    package var isActive: Bool

    package init(_ screen: FocusScreen, promiseID: PromiseID? = nil, isActive: Bool = true) {
        self.screen = screen
        self.promiseID = promiseID
        self.isActive = isActive
    }

    /// `true` if the screen shows a topic's subject. Only the screen of a promise proves that: a focus contains no
    /// other id, so a course or a recording on the screen may be another one.
    func shows(_ topic: NotificationTopic) -> Bool {
        guard screen == .meetup, let promiseID else { return false }
        return topic.subject == .promise(promiseID)
    }
}

/// The focus of each connection of one user.
///
/// A focus lasts until the next one of its connection, ``lifetime`` without a frame, or the end of the connection. The
/// owner of the connection has a ``FocusLease``, because frames are far more frequent than decisions.
package struct FocusTable: Hashable, Sendable {
    /// Identifies a connection of the user.
    package struct Connection: Hashable, Sendable {
        /// The number of the connection, unique among those of the user.
        package let number: UInt64

        package init(number: UInt64) {
            self.number = number
        }
    }

    /// How long a focus lasts without a frame on its connection.
    package static let lifetime = TimeSpan.minutes(2)

    private struct Entry: Hashable {
        var focus: NotificationFocus
        var endsAt: Instant
    }

    private var entries: [Connection: Entry] = [:]

    package init() {}

    /// Sets the focus that a connection reports.
    package mutating func set(_ focus: NotificationFocus, of connection: Connection, at now: Instant) {
        entries[connection] = Entry(focus: focus, endsAt: now + FocusTable.lifetime)
    }

    /// Lets the focus of a connection, if it has one, last until `end`; nil removes it.
    package mutating func renew(_ connection: Connection, until end: Instant?) {
        guard let entry = entries[connection] else { return }
        entries[connection] = end.map { Entry(focus: entry.focus, endsAt: $0) }
    }

    /// Removes a connection that has ended.
    package mutating func remove(_ connection: Connection) { entries[connection] = nil }

    /// `true` if no connection has a focus.
    package var isEmpty: Bool { entries.isEmpty }

    /// The connections with a focus, in no order; some of them may have ended.
    package var connections: some Collection<Connection> { entries.keys }

    /// Removes the focuses that have ended by `now`.
    package mutating func expire(at now: Instant) { entries = entries.filter { $0.value.endsAt > now } }

    /// The focuses of active connections at `now`, in no order.
    package func active(at now: Instant) -> [NotificationFocus] {
        entries.values.filter { $0.endsAt > now && $0.focus.isActive }.map(\.focus)
    }

    /// When the last active ``FocusScreen/writing`` ends unless a frame arrives; nil if there is none at `now`.
    func writingEnd(at now: Instant) -> Instant? {
        entries.values.filter { $0.endsAt > now && $0.focus.isActive && $0.focus.screen == .writing }.map(\.endsAt)
            .max()
    }
}

/// How long the focus of one connection lasts, determined by the connection's owner from its frames.
package struct FocusLease: Hashable, Sendable {
    /// When the focus ends unless a frame arrives before; nil if there is none.
    package private(set) var endsAt: Instant?

    /// The lease of a connection without a focus.
    package init() {}

    /// The connection reports its focus.
    package mutating func begin(at now: Instant) { endsAt = now + FocusTable.lifetime }

    /// A frame of any kind arrives: extends the focus, unless it has ended.
    package mutating func noteFrame(at now: Instant) {
        guard let end = endsAt else { return }
        endsAt = end > now ? now + FocusTable.lifetime : nil
    }
}
