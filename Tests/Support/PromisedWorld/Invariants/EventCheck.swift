internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol

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
    ///   - missed: the numbers of the events since then; nil for a snapshot instead.
    /// - Throws: missing events, or an end before the last known one.
    mutating func subscribe(
        since point: ResumePoint?,
        epoch: String,
        lastSeq: Int,
        missed: [Int]?
    ) throws(Violation) {
        guard self.epoch != epoch || lastSeq >= self.lastSeq else {
            throw Violation(.events, "event \(self.lastSeq) was told, but the last one is \(lastSeq)")
        }
        if let point, point.epoch == epoch {
            guard let missed else { throw Violation(.events, "a snapshot instead of events from \(point.lastSeq + 1)") }
            let expected = Array(point.lastSeq + 1..<max(point.lastSeq, lastSeq) + 1)
            guard missed == expected else { throw Violation(.events, "missed \(missed) instead of \(expected)") }
        }
        (self.epoch, self.lastSeq, isSubscribed) = (epoch, lastSeq, true)
    }

    /// Receives an event. Throws if it is not the next one.
    mutating func receive(_ seq: Int) throws(Violation) {
        guard isSubscribed else { return }
        guard seq == lastSeq + 1 else { throw Violation(.events, "event \(seq) after \(lastSeq)") }
        lastSeq = seq
    }

    /// Ends the stream: the client's connection or part has ended.
    mutating func end() { isSubscribed = false }
}

/// Checks stored durable events.
enum EventCheck {
    /// - Throws: a gap in the stored events, or another last number than the promise's.
    static func check(_ events: [NumberedEvent], lastSeq: Int) throws(Violation) {
        guard events.map(\.seq) == Array(1..<events.count + 1), events.count == lastSeq else {
            throw Violation(.events, "stored events \(events.map(\.seq)), the last one should be \(lastSeq)")
        }
    }

    /// - Throws: a sent event that is not stored.
    static func check(told event: WireEvent, stored: [NumberedEvent]) throws(Violation) {
        let index = Int(event.seq) - 1
        guard stored.indices.contains(index), stored[index].at == event.at.instant,
            event.what?.tells(stored[index].event) == true
        else { throw Violation(.events, "event \(event.seq) is told and not stored") }
    }
}

extension WireEvent.OneOf_What {
    /// `true` if the event has the kind and the subject of a stored one.
    fileprivate func tells(_ event: PromiseEvent) -> Bool {
        switch (self, event) {
        case (.invited(let told), .invited(let userID)): told.user.userID.id() == userID
        case (.joined(let told), .joined(let userID)): told.user.userID.id() == userID
        case (.declined(let told), .declined(let userID)): told.user.userID.id() == userID
        case (.left(let told), .left(let userID)): told.user.userID.id() == userID
        case (.removed(let told), .removed(let userID)): told.user.userID.id() == userID
        case (.handedOver(let told), .handedOver(let userID)): told.ownerID.id() == userID
        case (.excused(let told), .excused(let userID)): told.row.user.userID.id() == userID
        case (.late(let told), .late(let users)): told.userIds.map { $0.id() } == users
        case (.arrived(let told), .arrived(let ranked)): told.arrival.tells(ranked)
        case (.arrivalConfirmed(let told), .arrivalConfirmed(let ranked)): told.arrival.tells(ranked)
        case (.arrivalRetracted(let told), .arrivalRetracted(let userID, _)): told.userID.id() == userID
        case (.rankingRevised(let told), .rankingRevised(let arrivals, _)):
            told.arrivals.count == arrivals.count && zip(told.arrivals, arrivals).allSatisfy { $0.tells($1) }
        case (.edited, .edited), (.cancelled, .cancelled), (.trackingStarted, .trackingStarted),
            (.meetingTime, .meetingTime), (.trackingEnded, .trackingEnded), (.resultFinal, .resultFinal),
            (.viewLinkCreated, .viewLinkCreated), (.viewLinkRevoked, .viewLinkRevoked):
            true
        default: false
        }
    }
}

extension WireArrival {
    fileprivate func tells(_ ranked: RankedArrival) -> Bool {
        userID.id() == ranked.userID && Int(rank) == ranked.rank && creditedAt.instant == ranked.arrival.creditedAt
    }
}
