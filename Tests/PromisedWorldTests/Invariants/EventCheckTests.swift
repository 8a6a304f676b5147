import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedWorld

@Suite struct EventCheckTests {
    private static func events(_ seqs: Int...) -> [NumberedEvent] {
        seqs.map { NumberedEvent(seq: $0, at: .meeting, event: .edited) }
    }

    private static func subscribed(at lastSeq: Int) throws -> EventStream {
        var stream = EventStream()
        try stream.subscribe(since: nil, epoch: "one", lastSeq: lastSeq, missed: nil)
        return stream
    }

    // MARK: - One client

    @Test func `accepts each event once over two subscriptions`() throws {
        var stream = try Self.subscribed(at: 2)
        try stream.receive(3)
        stream.end()
        let point = ResumePoint(epoch: "one", lastSeq: 3)
        try stream.subscribe(since: point, epoch: "one", lastSeq: 5, missed: [4, 5])
        try stream.receive(6)
        #expect(stream.lastSeq == 6)
    }

    @Test(arguments: [2, 1, 4])
    func `finds a repeated or missing event`(seq: Int) throws {
        var stream = try Self.subscribed(at: 2)
        #expect(throws: Violation.self) { try stream.receive(seq) }
    }

    @Test(.proves("18.5")) func `finds a gap in the missed events`() throws {
        let point = ResumePoint(epoch: "one", lastSeq: 2)
        for missed in [[4], [3], [], [2, 3, 4]] {
            var stream = try Self.subscribed(at: 2)
            #expect(throws: Violation.self) {
                try stream.subscribe(since: point, epoch: "one", lastSeq: 4, missed: missed)
            }
        }
        var stream = try Self.subscribed(at: 2)
        #expect(throws: Violation.self) { try stream.subscribe(since: point, epoch: "one", lastSeq: 4, missed: nil) }
    }

    @Test func `finds an end before a delivered event`() throws {
        var stream = try Self.subscribed(at: 5)
        #expect(throws: Violation.self) { try stream.subscribe(since: nil, epoch: "one", lastSeq: 4, missed: nil) }
    }

    @Test func `a new numbering starts over`() throws {
        var stream = try Self.subscribed(at: 5)
        let point = ResumePoint(epoch: "one", lastSeq: 5)
        try stream.subscribe(since: point, epoch: "two", lastSeq: 1, missed: nil)
        #expect(stream.lastSeq == 1)
    }

    // MARK: - The stored events

    @Test func `numbers stored events from one without a gap`() throws {
        try EventCheck.check(Self.events(1, 2, 3), lastSeq: 3)
        try EventCheck.check([], lastSeq: 0)
        #expect(throws: Violation.self) { try EventCheck.check(Self.events(1, 3), lastSeq: 3) }
        #expect(throws: Violation.self) { try EventCheck.check(Self.events(1, 2), lastSeq: 3) }
    }

    private static func told(_ seq: UInt32, at instant: Instant = .meeting, _ what: WireEvent.OneOf_What) -> WireEvent {
        WireEvent(what, of: PromiseID(high: 1, low: 1), seq: seq, at: instant)
    }

    @Test(.proves("18.2")) func `finds an event delivered before it is stored`() throws {
        let edited = WireEvent.OneOf_What.edited(WireEvent.Edited())
        let stored = Self.events(1, 2)
        try EventCheck.check(told: Self.told(2, edited), stored: stored)
        for wrong in [
            Self.told(3, edited), Self.told(2, at: .meeting + .milliseconds(1), edited),
            Self.told(2, .meetingTime(WireEvent.MeetingTime())),
        ] {
            #expect(throws: Violation.self) { try EventCheck.check(told: wrong, stored: stored) }
        }
    }

    @Test func `finds an event about another user, or with another rank`() throws {
        let arrival = Arrival(stage: .confirmed, creditedAt: .meeting, source: .gps)
        let ranked = RankedArrival(userID: .user(1), arrival: arrival, rank: 2)
        let stored = [PromiseEvent.joined(.user(1)), .arrived(ranked)].enumerated().map {
            NumberedEvent(seq: $0.offset + 1, at: .meeting, event: $0.element)
        }
        for (user, rank) in [(UInt64(1), UInt32(2)), (2, 2), (1, 3)] {
            let id = UserID.user(user).description
            let joined = WireEvent.OneOf_What.joined(.with { $0.user.userID = id })
            let arrived = WireEvent.OneOf_What.arrived(
                .with {
                    ($0.arrival.userID, $0.arrival.rank, $0.arrival.creditedAt) = (id, rank, WireTimestamp(.meeting))
                }
            )
            let areRight = [Self.told(1, joined), Self.told(2, arrived)].map { event in
                (try? EventCheck.check(told: event, stored: stored)) != nil
            }
            #expect(areRight == [user == 1, user == 1 && rank == 2])
        }
    }
}
