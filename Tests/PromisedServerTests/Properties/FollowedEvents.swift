import PromisedClient
import PromisedConcurrency
import PromisedProtocol
import Testing

/// The durable events of a promise on the server, to compare with those of followers.
final class FollowedEvents: Sendable {
    private let events = Guarded<[WireEvent]>([])

    func keep(_ events: [WireEvent]) { self.events.withLock { $0 = events } }

    /// Checks that a follower received exactly the events after their first snapshot.
    func check(_ story: Follower.Story, seed: UInt64) {
        let events = events.withLock { $0 }
        let context: Comment = "PROMISED_SEED=\(seed), \(story.name), \(story.lives) lives"
        #expect(events.map(\.seq) == Array(1..<UInt32(events.count + 1)), context)
        #expect(story.snapshots == 1, context)
        #expect(story.lives > 1, context)
        let expected = events.filter { $0.seq > (story.beginning?.seq ?? 0) }
        #expect(story.events.map(\.seq) == expected.map(\.seq), context)
        #expect(story.events.map(Self.asItHappened) == expected.map(Self.asItHappened), context)
    }

    /// An event without its promise, which is the current one of the time of sending.
    private static func asItHappened(_ event: WireEvent) -> WireEvent {
        var event = event
        if case .edited = event.what { event.what = .edited(WireEvent.Edited()) }
        if case .invited = event.what { event.what = .invited(WireEvent.Invited()) }
        return event
    }
}
