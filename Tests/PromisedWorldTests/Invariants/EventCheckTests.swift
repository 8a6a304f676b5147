import PromisedDomain
import PromisedEngine
import PromisedTestMarks
import PromisedTestSupport
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
        try stream.receive(Self.events(3)[0])
        stream.end()
        let point = ResumePoint(epoch: "one", lastSeq: 3)
        try stream.subscribe(since: point, epoch: "one", lastSeq: 5, missed: Self.events(4, 5))
        try stream.receive(Self.events(6)[0])
        #expect(stream.lastSeq == 6)
    }

    @Test(arguments: [2, 1, 4])
    func `finds a repeated or missing event`(seq: Int) throws {
        var stream = try Self.subscribed(at: 2)
        #expect(throws: Breach.self) { try stream.receive(Self.events(seq)[0]) }
    }

    @Test(.proves("18.5")) func `finds a gap in the missed events`() throws {
        let point = ResumePoint(epoch: "one", lastSeq: 2)
        for missed in [Self.events(4), Self.events(3), [], Self.events(2, 3, 4)] {
            var stream = try Self.subscribed(at: 2)
            #expect(throws: Breach.self) {
                try stream.subscribe(since: point, epoch: "one", lastSeq: 4, missed: missed)
            }
        }
        var stream = try Self.subscribed(at: 2)
        #expect(throws: Breach.self) { try stream.subscribe(since: point, epoch: "one", lastSeq: 4, missed: nil) }
    }

    @Test func `finds an end before a delivered event`() throws {
        var stream = try Self.subscribed(at: 5)
        #expect(throws: Breach.self) { try stream.subscribe(since: nil, epoch: "one", lastSeq: 4, missed: nil) }
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
        #expect(throws: Breach.self) { try EventCheck.check(Self.events(1, 3), lastSeq: 3) }
        #expect(throws: Breach.self) { try EventCheck.check(Self.events(1, 2), lastSeq: 3) }
    }

    @Test(.proves("18.2")) func `finds an event delivered before it is stored`() throws {
        let stored = Self.events(1, 2)
        try EventCheck.check(told: stored[1], stored: stored)
        #expect(throws: Breach.self) { try EventCheck.check(told: Self.events(3)[0], stored: stored) }
        let other = NumberedEvent(seq: 2, at: .meeting, event: .meetingTime)
        #expect(throws: Breach.self) { try EventCheck.check(told: other, stored: stored) }
    }
}
