import PromisedDomain
import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

@testable import promise_load

@Suite struct InvariantTests {
    // MARK: - Ranks

    struct RankCase: Sendable, CustomTestStringConvertible {
        var lines: [(creditedMs: Int64, rank: UInt32)]
        var isRanked: Bool
        var testDescription: String { "\(lines) → \(isRanked)" }
    }

    @Test(arguments: [
        RankCase(lines: [], isRanked: true),
        RankCase(lines: [(0, 1)], isRanked: true),
        RankCase(lines: [(0, 2)], isRanked: false),
        RankCase(lines: [(0, 1), (5_000, 2)], isRanked: true),
        RankCase(lines: [(0, 1), (4_999, 2)], isRanked: false),
        // A tie is counted from its first, and the next rank skips.
        RankCase(lines: [(0, 1), (4_999, 1), (5_000, 3)], isRanked: true),
        RankCase(lines: [(0, 1), (3_000, 1), (6_000, 4)], isRanked: false),
        RankCase(lines: [(0, 1), (4_999, 1), (5_000, 2)], isRanked: false),
        // By credited time, not by order of receipt.
        RankCase(lines: [(9_000, 1), (0, 2)], isRanked: false),
        RankCase(lines: [(9_000, 2), (0, 1)], isRanked: true),
        // Participants who came together share the best of their ranks, with all of their ties.
        RankCase(lines: [(0, 1), (60_000, 2), (120_000, 1)], isRanked: true),
        RankCase(lines: [(0, 1), (60_000, 1), (63_000, 1)], isRanked: true),
        RankCase(lines: [(0, 1), (60_000, 1), (63_000, 2)], isRanked: false),
        RankCase(lines: [(0, 2), (60_000, 2)], isRanked: false),
        RankCase(lines: [(0, 1), (60_000, 3), (120_000, 3)], isRanked: false),
    ])
    func `ranks follow credited times`(rank: RankCase) {
        var board = ArrivalBoard()
        for (index, line) in rank.lines.enumerated() {
            _ = board.arrived("u\(index)", ArrivalBoard.Line(creditedMs: line.creditedMs, rank: line.rank))
        }
        #expect(board.isRanked == rank.isRanked)
    }

    // MARK: - Events

    private static func event(_ seq: UInt32, _ what: WireEvent.OneOf_What) -> WireEvent {
        var event = WireEvent()
        event.seq = seq
        event.what = what
        return event
    }

    private static func arrival(
        _ user: String,
        _ seconds: Int64,
        _ rank: UInt32,
        confirmed: Bool = false
    ) -> WireArrival {
        var arrival = WireArrival()
        arrival.userID = user
        arrival.creditedAt = WireTimestamp(Instant(milliseconds: seconds * 1_000))
        arrival.rank = rank
        arrival.stage = confirmed ? .confirmed : .provisional
        return arrival
    }

    private static func arrived(_ seq: UInt32, _ user: String, _ seconds: Int64, _ rank: UInt32) -> WireEvent {
        var what = WireEvent.Arrived()
        what.arrival = arrival(user, seconds, rank)
        return event(seq, .arrived(what))
    }

    private static func confirmed(_ seq: UInt32, _ user: String, _ seconds: Int64, _ rank: UInt32) -> WireEvent {
        var what = WireEvent.ArrivalConfirmed()
        what.arrival = arrival(user, seconds, rank, confirmed: true)
        return event(seq, .arrivalConfirmed(what))
    }

    private static func retracted(_ seq: UInt32, _ user: String) -> WireEvent {
        var what = WireEvent.ArrivalRetracted()
        what.userID = user
        return event(seq, .arrivalRetracted(what))
    }

    private static func revised(_ seq: UInt32, _ arrivals: [WireArrival]) -> WireEvent {
        var what = WireEvent.RankingRevised()
        what.arrivals = arrivals
        return event(seq, .rankingRevised(what))
    }

    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var events: [WireEvent]
        var found: [Violation]

        init(_ name: String, _ events: [WireEvent], _ found: [Violation]) {
            testDescription = name
            self.events = events
            self.found = found
        }
    }

    static let stories = [
        Story("an arrival, confirmed", [arrived(1, "a", 0, 1), confirmed(2, "a", 0, 1)], []),
        Story(
            "somebody earlier moves the others",
            [
                arrived(1, "a", 20, 1), arrived(2, "b", 0, 1), revised(3, [arrival("a", 20, 2)]),
                arrived(4, "c", 40, 3),
            ],
            []
        ),
        Story(
            "nobody moves the others",
            [arrived(1, "a", 20, 1), arrived(2, "b", 0, 2), arrived(3, "c", 40, 3)],
            [
                .wrongRank, .wrongRank,
            ]
        ),
        Story("a wrong rank at the end", [arrived(1, "a", 0, 2)], [.wrongRank]),
        Story(
            "retracted, then there again",
            [
                arrived(1, "a", 0, 1), retracted(2, "a"), arrived(3, "a", 60, 1),
            ],
            []
        ),
        Story("two arrivals of one", [arrived(1, "a", 0, 1), arrived(2, "a", 0, 1)], [.secondArrival]),
        Story("confirmed without arrival", [confirmed(1, "a", 0, 1)], [.unknownArrival]),
        Story(
            "confirmed twice",
            [
                arrived(1, "a", 0, 1), confirmed(2, "a", 0, 1), confirmed(3, "a", 0, 1),
            ],
            [.unknownArrival]
        ),
        Story("retracted without arrival", [retracted(1, "a")], [.unknownArrival]),
        Story("revised without arrival", [revised(1, [arrival("a", 0, 1)])], [.unknownArrival]),
        Story("a stranger arrives", [arrived(1, "x", 0, 1)], [.outsider]),
        Story("a gap", [arrived(1, "a", 0, 1), arrived(3, "b", 10, 2)], [.eventGap]),
        Story("a repetition", [arrived(1, "a", 0, 1), arrived(1, "a", 0, 1)], [.eventGap]),
    ]

    @Test(arguments: stories) func `finds each kind of violation`(story: Story) {
        var watch = PromiseWatch(members: ["a", "b", "c"])
        var last: UInt32 = 0
        var found: [Violation] = []
        for event in story.events {
            found += watch.heard(event, after: last)
            last = event.seq
        }
        #expect(found + watch.ended() == story.found)
    }

    @Test(arguments: [Int64.min, -9_223_372_036_854_777, 9_223_372_036_854_776, .max])
    func `ranks a credited time beyond all years`(seconds: Int64) {
        var watch = PromiseWatch(members: ["a", "b"])
        var event = Self.arrived(1, "a", 0, 1)
        event.arrived.arrival.creditedAt = WireTimestamp(seconds: seconds, nanos: .max)
        #expect(watch.heard(event, after: 0) + watch.ended() == [])
    }

    @Test func `requires equal events at all subscribers`() {
        var watch = PromiseWatch(members: ["a", "b"])
        #expect(watch.heard(Self.arrived(1, "a", 0, 1), after: 0) == [])
        #expect(watch.heard(Self.arrived(1, "a", 0, 1), after: 0) == [])
        #expect(watch.heard(Self.arrived(1, "a", 0, 2), after: 0) == [.eventDiffers])
        #expect(watch.newest == 1)
    }

    @Test func `a promise is over for subscribers that received its end`() {
        var watch = PromiseWatch(members: ["a"])
        #expect(!watch.isOver(after: 0))
        _ = watch.heard(Self.event(1, .cancelled(WireEvent.Cancelled())), after: 0)
        #expect(!watch.isOver(after: 0))
        #expect(watch.isOver(after: 1))
    }

    @Test func `the first subscriber starts with a snapshot`() {
        var promise = WirePromise()
        promise.participants = ["a", "x"].map { user in
            var participant = WireParticipant()
            participant.user.userID = user
            return participant
        }
        promise.participants[0].arrival = Self.arrival("a", 0, 1)
        var watch = PromiseWatch(members: ["a", "b"])
        #expect(watch.snapshot(promise, seq: 7) == [.outsider])
        #expect(watch.newest == 7)
        #expect(watch.heard(Self.arrived(8, "a", 0, 1), after: 7) == [.secondArrival])
    }
}
