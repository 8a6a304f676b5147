public import PromisedDomain
public import PromisedEngine
internal import PromisedTransport

/// An outbox that remembers what it was given, and lets a test wait for it.
public final class RecordingOutbox: PromisedEngine.Outbox, Directory {
    /// One announcement to some connections.
    public struct Delivery: Sendable {
        /// What was told.
        public let announcement: Announcement
        /// Of which promise.
        public let promiseID: PromiseID
        /// To whom.
        public let subscribers: [SubscriberID]

        /// The durable event, if it is one.
        public var event: NumberedEvent? {
            if case .event(let event, _) = announcement { return event }
            return nil
        }

        /// The event without a number, if it is one.
        public var passing: PassingEvent? {
            if case .passing(let event) = announcement { return event }
            return nil
        }

        /// The positions, if it is a collection.
        public var positions: [LivePosition]? {
            if case .positions(let positions, _) = announcement { return positions }
            return nil
        }
    }

    private struct Watcher: Sendable {
        let matches: @Sendable ([Delivery]) -> Bool
        let continuation: CheckedContinuation<[Delivery], Never>
    }

    private struct State: Sendable {
        var deliveries: [Delivery] = []
        var connections: [UserID: [SubscriberID]] = [:]
        var watchers: [Watcher] = []
    }

    private let state = Guarded(State())

    /// An outbox that was given nothing.
    public init() {}

    /// Everything given so far, in order.
    public var deliveries: [Delivery] { state.withLock { $0.deliveries } }

    /// Lets a user be connected.
    public func connect(_ userID: UserID, as subscriber: SubscriberID) {
        state.withLock { $0.connections[userID, default: []].append(subscriber) }
    }

    /// Waits until what was given so far is enough.
    public func wait(until matches: @escaping @Sendable ([Delivery]) -> Bool) async -> [Delivery] {
        await withCheckedContinuation { continuation in
            let enough: [Delivery]? = state.withLock { state in
                if matches(state.deliveries) { return state.deliveries }
                state.watchers.append(Watcher(matches: matches, continuation: continuation))
                return nil
            }
            if let enough { continuation.resume(returning: enough) }
        }
    }

    /// Remembers an announcement.
    public func deliver(_ announcement: Announcement, of promiseID: PromiseID, to subscribers: [SubscriberID]) {
        let (satisfied, deliveries) = state.withLock { state in
            state.deliveries.append(
                Delivery(announcement: announcement, promiseID: promiseID, subscribers: subscribers)
            )
            let deliveries = state.deliveries
            let satisfied = state.watchers.filter { $0.matches(deliveries) }
            state.watchers.removeAll { $0.matches(deliveries) }
            return (satisfied, deliveries)
        }
        for watcher in satisfied { watcher.continuation.resume(returning: deliveries) }
    }

    /// The connections of a user as ``connect(_:as:)`` said.
    public func connections(of userID: UserID) -> [SubscriberID] {
        state.withLock { $0.connections[userID] ?? [] }
    }
}
