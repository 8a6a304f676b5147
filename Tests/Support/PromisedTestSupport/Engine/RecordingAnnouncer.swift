internal import PromisedConcurrency
package import PromisedDomain
package import PromisedEngine
internal import PromisedTransport

/// An announcer that records announcements, and lets a test wait for them.
package final class RecordingAnnouncer: Announcer, ConnectionIndex {
    /// One announcement to some connections.
    package struct Delivery: Sendable {
        package let announcement: Announcement
        package let promiseID: PromiseID
        package let subscribers: [SubscriberID]
        /// The number of announcements in the same call.
        package let company: Int

        /// The durable event, if it is one.
        package var event: NumberedEvent? {
            if case .event(let event, _) = announcement { return event }
            return nil
        }

        /// The event without a number, if it is one.
        package var passing: PassingEvent? {
            if case .passing(let event) = announcement { return event }
            return nil
        }

        /// The positions, if it is a collection.
        package var positions: [LivePosition]? {
            if case .positions(let positions, _) = announcement { return positions }
            return nil
        }
    }

    private let given = Signals<Delivery>()
    private let noted = Guarded<[PromiseEvent]>([])
    private let connected = Guarded<[UserID: [SubscriberID]]>([:])

    package init() {}

    /// All announcements so far, in order.
    package var deliveries: [Delivery] { given.all }

    package func connect(_ userID: UserID, as subscriber: SubscriberID) {
        connected.withLock { $0[userID, default: []].append(subscriber) }
    }

    /// Waits until the announcements meet a condition, or the task is cancelled.
    package func wait(until matches: @escaping @Sendable ([Delivery]) -> Bool) async -> [Delivery] {
        await given.wait(until: matches)
    }

    /// The recorded durable events, in order, with or without recipients.
    package var notedEvents: [PromiseEvent] { noted.withLock { $0 } }

    package func note(_ event: NumberedEvent, in view: SessionView) {
        noted.withLock { $0.append(event.event) }
    }

    package func deliver(_ announcements: [Announcement], of promiseID: PromiseID, to subscribers: [SubscriberID]) {
        for announcement in announcements {
            given.note(
                Delivery(
                    announcement: announcement,
                    promiseID: promiseID,
                    subscribers: subscribers,
                    company: announcements.count
                )
            )
        }
    }

    /// The connections of a user, as set by ``connect(_:as:)``.
    package func connections(of userID: UserID) -> [SubscriberID] { connected.withLock { $0[userID] ?? [] } }
}
