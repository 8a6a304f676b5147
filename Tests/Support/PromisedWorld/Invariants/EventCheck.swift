internal import PromisedDomain
internal import PromisedEngine

/// Durable events as one client receives them, over all its connections.
struct EventStream: Hashable, Sendable {
    /// The numbering that the client knows; nil before the first subscription.
    private(set) var epoch: String?
    private(set) var lastSeq = 0
    /// `true` while the client receives all events.
    private(set) var isSubscribed = false

    /// Starts a subscription.
    ///
    /// - Parameters:
    ///   - point: the client's resume point at the request; nil without one.
    ///   - lastSeq: the number of the last event.
    ///   - missed: the events since then; nil for a snapshot instead.
    /// - Throws: missing events, or an end before the last known one.
    mutating func subscribe(
        since point: ResumePoint?,
        epoch: String,
        lastSeq: Int,
        missed: [NumberedEvent]?
    ) throws(Breach) {
        guard self.epoch != epoch || lastSeq >= self.lastSeq else {
            throw Breach(.events, "event \(self.lastSeq) was told, but the last one is \(lastSeq)")
        }
        if let point, point.epoch == epoch {
            guard let missed else { throw Breach(.events, "a snapshot instead of events from \(point.lastSeq + 1)") }
            let expected = Array(point.lastSeq + 1..<max(point.lastSeq, lastSeq) + 1)
            guard missed.map(\.seq) == expected else {
                throw Breach(.events, "missed \(missed.map(\.seq)) instead of \(expected)")
            }
        }
        (self.epoch, self.lastSeq, isSubscribed) = (epoch, lastSeq, true)
    }

    /// Receives an event. Throws if it is not the next one.
    mutating func receive(_ event: NumberedEvent) throws(Breach) {
        guard isSubscribed else { return }
        guard event.seq == lastSeq + 1 else {
            throw Breach(.events, "event \(event.seq) \(event.event.traits.label) after \(lastSeq)")
        }
        lastSeq = event.seq
    }

    /// Ends the stream: the client's connection or part has ended.
    mutating func end() { isSubscribed = false }
}

/// Checks stored durable events.
enum EventCheck {
    /// - Throws: a gap in the stored events, or another last number than the promise's.
    static func check(_ events: [NumberedEvent], lastSeq: Int) throws(Breach) {
        guard events.map(\.seq) == Array(1..<events.count + 1), events.count == lastSeq else {
            throw Breach(.events, "stored events \(events.map(\.seq)), the last one should be \(lastSeq)")
        }
    }

    /// - Throws: a sent event that is not stored.
    static func check(told event: NumberedEvent, stored: [NumberedEvent]) throws(Breach) {
        let index = event.seq - 1
        var expected = event
        expected.event = event.event.withoutDevices
        guard stored.indices.contains(index), stored[index] == expected else {
            throw Breach(.events, "event \(event.seq) \(event.event.traits.label) is told and not stored")
        }
    }
}
