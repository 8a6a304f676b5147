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

    @Test func `a client that gets each event once, over two subscriptions, is content`() throws {
        var stream = try Self.subscribed(at: 2)
        try stream.receive(Self.events(3)[0])
        stream.end()
        let point = ResumePoint(epoch: "one", lastSeq: 3)
        try stream.subscribe(since: point, epoch: "one", lastSeq: 5, missed: Self.events(4, 5))
        try stream.receive(Self.events(6)[0])
        #expect(stream.lastSeq == 6)
    }

    @Test(arguments: [2, 1, 4])
    func `a repeated or a missing event is found`(seq: Int) throws {
        var stream = try Self.subscribed(at: 2)
        #expect(throws: Breach.self) { try stream.receive(Self.events(seq)[0]) }
    }

    @Test(.proves("18.5")) func `a gap in what was missed is found`() throws {
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

    @Test func `an end before an event that was told is found`() throws {
        var stream = try Self.subscribed(at: 5)
        #expect(throws: Breach.self) { try stream.subscribe(since: nil, epoch: "one", lastSeq: 4, missed: nil) }
    }

    @Test func `another numbering begins anew`() throws {
        var stream = try Self.subscribed(at: 5)
        let point = ResumePoint(epoch: "one", lastSeq: 5)
        try stream.subscribe(since: point, epoch: "two", lastSeq: 1, missed: nil)
        #expect(stream.lastSeq == 1)
    }

    // MARK: - The stored events

    @Test func `stored events are numbered from one without a gap`() throws {
        try EventCheck.check(Self.events(1, 2, 3), lastSeq: 3)
        try EventCheck.check([], lastSeq: 0)
        #expect(throws: Breach.self) { try EventCheck.check(Self.events(1, 3), lastSeq: 3) }
        #expect(throws: Breach.self) { try EventCheck.check(Self.events(1, 2), lastSeq: 3) }
    }

    @Test(.proves("18.2")) func `an event that is told before it is stored is found`() throws {
        let stored = Self.events(1, 2)
        try EventCheck.check(told: stored[1], stored: stored)
        #expect(throws: Breach.self) { try EventCheck.check(told: Self.events(3)[0], stored: stored) }
        let other = NumberedEvent(seq: 2, at: .meeting, event: .meetingTime)
        #expect(throws: Breach.self) { try EventCheck.check(told: other, stored: stored) }
    }
}
