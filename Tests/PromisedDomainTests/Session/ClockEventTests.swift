import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The clock's events of a promise: each occurs once, at its own instant, across any restarts.
@Suite struct ClockEventTests {
    static let promise = Promise.sample()
    static let millisecond = TimeSpan.milliseconds(1)

    /// The events of two participants who never arrive.
    static let expected: [NumberedEvent] = [
        NumberedEvent(seq: 1, at: promise.opensAt, event: .trackingStarted),
        NumberedEvent(seq: 2, at: .meeting, event: .meetingTime),
        NumberedEvent(seq: 3, at: .meeting + .seconds(60), event: .late([.user(1), .user(2)])),
        NumberedEvent(seq: 4, at: promise.closesAt, event: .trackingEnded),
        NumberedEvent(seq: 5, at: promise.settlesAt, event: .resultFinal),
    ]

    /// One before, on and one after each instant at which the clock does something.
    static let edges = expected.flatMap { [$0.at - millisecond, $0.at, $0.at + millisecond] }

    @Test(.proves("6.9"))
    func `a stored grace beyond the settling delays neither the end of the window nor the result`() {
        var promise = Self.promise
        promise.rule.grace = .hours(4)
        var world = SessionWorld(promise, accepted: 2)
        world.run(to: promise.settlesAt + .hours(2))
        let (end, result) = (promise.closesAt, promise.settlesAt)
        #expect(world.events.map(\.at) == [promise.opensAt, .meeting, end, end, result])
        #expect(world.events.last?.event == .resultFinal)
    }

    @Test(.proves("9.2", "meetingTime", "trackingEnded"))
    func `does everything once and in time when woken as requested`() {
        var world = SessionWorld(accepted: 2)
        #expect(world.wakeAt == Self.promise.opensAt)
        for event in Self.expected {
            world.run(to: event.at - Self.millisecond)
            #expect(world.machine.lastSeq == event.seq - 1)
            world.run(to: event.at)
            #expect(world.machine.lastSeq == event.seq)
        }
        #expect(world.events == Self.expected)
        #expect(world.wakeAt == nil)
        #expect(world.endings == 1)
        #expect(world.results == 1)
        #expect(world.machine.isOver)
    }

    @Test(.proves("9.2")) func `processes everything in order when woken long after the end`() {
        var world = SessionWorld(accepted: 2)
        world.sendUnwoken(.wake, at: Self.promise.settlesAt + .days(3))
        #expect(world.events == Self.expected)
        #expect(world.endings == 1)
        #expect(world.machine.result?.finalAt == Self.promise.settlesAt)
    }

    @Test(.proves("9.2")) func `does nothing twice when woken twice`() {
        var world = SessionWorld(accepted: 2)
        for edge in Self.edges {
            for _ in 0..<3 { world.send(.wake, at: edge) }
        }
        #expect(world.events == Self.expected)
        #expect(world.results == 1)
        #expect(world.endings == 1)
    }

    @Test(.proves("4.16"), arguments: edges)
    func `a restart at any edge repeats nothing and loses nothing`(edge: Instant) {
        var world = SessionWorld(accepted: 2)
        world.run(to: edge)
        world.restart(at: edge)
        world.restart(at: edge)
        world.finish()
        #expect(world.events == Self.expected)
        #expect(world.results == 1)
    }

    @Test(.proves("9.2")) func `a server that restarts at every edge writes everything once`() {
        var world = SessionWorld(accepted: 2)
        for edge in Self.edges { world.restart(at: edge) }
        #expect(world.events == Self.expected)
        #expect(world.results == 1)
        #expect(world.archive.mark == .final)
    }

    @Test(.proves("8.2"), arguments: edges)
    func `a server that was down from an edge until after the end writes the result when it starts`(edge: Instant) {
        var world = SessionWorld(accepted: 2)
        world.run(to: edge)
        world.restart(at: Self.promise.settlesAt + .hours(7))
        #expect(world.events == Self.expected)
        #expect(world.results == 1)
        world.restart(at: Self.promise.settlesAt + .hours(8))
        #expect(world.events == Self.expected)
        #expect(world.results == 1)
    }

    @Test(.proves("9.2", "late")) func `late lists exactly the accepted participants without an arrival, sorted`() {
        var world = SessionWorld(
            participants: [
                .accepted(.user(1)), .accepted(.user(6)), .accepted(.user(2)), .accepted(.user(5)), .invited(.user(3)),
                .declined(.user(4)), .accepted(.user(7)), .accepted(.user(8)),
            ]
        )
        world.arrive(7, at: 50)
        world.walk(8, [(58, 10)])
        world.send(.leave(.user(5)), at: .meeting + .seconds(59))
        world.run(to: .meeting + .seconds(60))
        #expect(world.happened.last == .late([.user(1), .user(2), .user(6), .user(8)]))
    }

    @Test func `an arrival by silence at the very end of the grace is not late`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(30, 10)])
        world.run(to: .meeting + .seconds(60))
        #expect(world.happened.last == .late([.user(1)]))
        #expect(world.entry(2)?.arrival.creditedAt == .meeting + .seconds(30))
    }

    @Test func `announces late once, even without late participants`() {
        var world = SessionWorld(accepted: 1)
        world.arrive(1, at: -60)
        world.finish()
        #expect(world.happened.filter { if case .late = $0 { true } else { false } } == [.late([])])
    }

    @Test func `a late arrival does not change the list`() {
        var world = SessionWorld(accepted: 2)
        world.arrive(2, at: 300)
        for minute in 5...250 { world.restart(at: .meeting + .minutes(Int64(minute))) }
        let lates = world.happened.filter { if case .late = $0 { true } else { false } }
        #expect(lates == [.late([.user(1), .user(2)])])
        #expect([1, 2].map { world.row($0)?.outcome } == [.noShow, .late])
    }

    @Test func `without grace announces the meeting time and then lateness at once`() {
        var world = SessionWorld(.sample(rule: ArrivalRule(grace: .zero)), accepted: 1)
        world.run(to: .meeting)
        #expect(world.happened == [.trackingStarted, .meetingTime, .late([.user(1)])])
    }
}
