package import PromisedDomain

/// Names a connection that events can be sent to; issued by the implementation of ``Announcer``.
package struct SubscriberID: Hashable, Sendable {
    package let rawValue: UInt64
    /// The implementer's own mark of the connection, needed to send to it; not part of the identity.
    package let mark: UInt8

    package init(rawValue: UInt64, mark: UInt8 = 0) {
        self.rawValue = rawValue
        self.mark = mark
    }

    /// `true` if both name the same connection.
    package static func == (left: SubscriberID, right: SubscriberID) -> Bool { left.rawValue == right.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// The state that viewers by link receive first, and again when the promise or its people change for them.
package struct LinkView: Sendable {
    /// The promise as the viewers see it.
    package var view: SessionView
    package var endsAt: Instant
}

package enum Announcement: Sendable {
    /// A durable event, with the session's state after it.
    case event(NumberedEvent, SessionView)
    /// Positions that changed, at most one per participant, and the time to the session's next slot.
    case positions([LivePosition], nextReport: TimeSpan?)
    /// An unnumbered event; a client that misses it finds it in the next snapshot.
    case passing(PassingEvent)
    /// To viewers by link: the promise as they see it now.
    case linkView(LinkView)
    /// To viewers by link: access has ended, and their connections end after this.
    case linkEnded(ViewLinkEnd)
}

/// The way to the clients. Implemented outside the engine; encodes once and shares the bytes.
package protocol Announcer: Sendable {
    /// Records a durable event, with the session's state after it: once for each event and before it is announced, even
    /// without connected recipients; never waits.
    func note(_ event: NumberedEvent, in view: SessionView)

    /// Sends announcements of a promise to connections; those of one call should share a packet; never waits.
    ///
    /// Announcements of one promise arrive here in order; those to one connection must be sent in that order, except
    /// that newer positions may replace older ones of the same participants.
    func deliver(_ announcements: [Announcement], of promiseID: PromiseID, to subscribers: [SubscriberID])
}

extension Announcer {
    /// Sends one announcement of a promise to connections; never waits.
    package func deliver(_ announcement: Announcement, of promiseID: PromiseID, to subscribers: [SubscriberID]) {
        deliver([announcement], of: promiseID, to: subscribers)
    }
}

/// Finds a user's connections. Implemented outside the engine; on one node a table of its own connections.
package protocol ConnectionIndex: Sendable {
    /// The connections of a user, in no order; never waits.
    func connections(of userID: UserID) -> [SubscriberID]
}
