import PromisedDomain
import PromisedProtocol
import PromisedTransport
import Testing

@testable import promise_load

@Suite struct SwarmStateTests {
    private let world = SwarmWorld()

    @Test func `a phone says hello, subscribes and follows the slot`() throws {
        var state = world.state()
        let (first, second) = (state.connecting(0, at: world.start), state.connecting(0, at: world.start))
        #expect(first)
        #expect(!second, "once is enough")
        let hello = try world.request(state.opened(0, world.id(0), at: world.start), \.hello)
        #expect(hello.token == "t0")
        let welcome = WireServerFrame(id: 1, content: .welcome(WireWelcome()))
        let subscribe = try world.request(try world.hear(&state, 0, welcome), \.subscribe)
        #expect(subscribe.promiseID == "p")
        #expect(!subscribe.hasEpoch)
        _ = try world.hear(&state, 0, world.subscribed(seq: 3, nextReportMs: 200))
        #expect(state.clients[0].state == .live)
        #expect(state.clients[0].lastEvent == 3)
        #expect(state.step(at: world.at(199)) == [])
        let report = try #require(try world.report(state.step(at: world.at(203))))
        #expect(report.fixes.map(\.seq) == [1])
        #expect(state.clients[0].due == world.at(5_200), "a period after it was due, not after it was sent")
    }

    @Test func `measures latency from the due time of a report`() throws {
        var state = try world.live(2)
        state.measure(world.at(100)..<world.at(60_000), share: 1)
        _ = state.step(at: world.at(250))
        #expect(state.tally.reports == 2)
        #expect(state.ledger.counts.due == 2)
        _ = try world.hear(&state, 1, world.positions([(0, 1), (1, 1)], nextReportMs: 4_700), at: world.at(500))
        #expect(state.ledger.counts.delivered == 1)
        let p50 = try #require(state.tally.deliveryLatency.summary?.p50)
        #expect(abs(p50 - 300) < 1)
        #expect(state.clients[1].due == world.at(5_200))
        #expect(state.tally.frames == 1)
        #expect(state.end().deliveries.missing == 1)
    }

    @Test func `counts the same bytes for each receiver`() throws {
        var state = try world.live(3)
        state.measure(world.at(100)..<world.at(60_000), share: 1)
        _ = state.step(at: world.at(250))
        let frame = world.positions([(0, 1), (1, 1), (2, 1)], nextReportMs: 4_700)
        for seat in 0..<3 { _ = try world.hear(&state, seat, frame, at: world.at(500)) }
        #expect(state.ledger.counts == DeliveryLedger.Counts(due: 6, delivered: 6, missing: 0, excused: 0))
        #expect(state.end().violations == [:])
    }

    @Test func `sends an overdue report although the slot has moved`() throws {
        var state = try world.live(1)
        _ = try world.hear(&state, 0, world.positions([], nextReportMs: 4_000), at: world.at(900))
        let report = try world.report(state.step(at: world.at(901)))
        #expect(report != nil)
    }

    @Test func `stops reporting on the server's request`() throws {
        var state = try world.live(1)
        var event = WireEvent()
        event.promiseID = "p"
        event.pace = WireEvent.Pace()
        _ = try world.hear(&state, 0, WireServerFrame(event: event), at: world.at(50))
        #expect(state.step(at: world.at(60_000)) == [])
    }

    @Test func `a disconnected phone resumes at its position without a lost event`() throws {
        var state = try world.live(2)
        state.measure(world.at(100)..<world.at(60_000), share: 1)
        _ = state.step(at: world.at(250))
        state.cuts.add(1, at: world.at(300))
        #expect(state.step(at: world.at(300)) == [.close(world.id(1))])
        _ = try world.hear(&state, 1, world.positions([(0, 1)], nextReportMs: 1), at: world.at(310))
        #expect(state.ledger.counts == DeliveryLedger.Counts(due: 0, delivered: 0, missing: 0, excused: 2))
        state.closed(1, .byThisEnd(code: 1001), at: world.at(320))
        #expect(state.tally.drops == 0)
        #expect(state.step(at: world.at(2_400)).contains(.connect(1)))
        let connects = state.connecting(1, at: world.at(2_400))
        #expect(connects)
        _ = state.opened(1, world.id(7), at: world.at(2_410))
        let welcome = WireServerFrame(id: 1, content: .welcome(WireWelcome()))
        let subscribe = try world.request(try world.hear(&state, 1, welcome), \.subscribe)
        #expect(subscribe.epoch == "e")
        #expect(subscribe.lastSeq == 3)
        _ = try world.hear(&state, 1, world.subscribed(seq: 4, nextReportMs: 200, missed: [world.arrived(4, 0)]))
        #expect(state.tally.resumed == 1)
        #expect(state.tally.cuts == 1)
        #expect(state.tally.violations == [:])
    }

    @Test func `counts an unrequested end of a connection as a drop`() throws {
        var state = try world.live(1)
        state.closed(0, .lost, at: world.at(10))
        #expect(state.tally.drops == 1)
        #expect(state.tally.errors == ["closed.1006": 1])
    }

    @Test(
        arguments: [
            (.byThisEnd(code: 1001), nil),
            // Its own transport closed it, or the peer did before the cut.
            (.byThisEnd(code: 4003), "closed.4003"), (.byPeer(code: 4001, text: ""), "closed.4001"),
            (.byPeer(code: 1001, text: ""), "closed.1001"), (.lost, "closed.1006"),
        ] as [(CloseCause, String?)]
    )
    func `counts only connections closed by this program as cut`(
        _ cause: CloseCause,
        _ error: String?
    ) throws {
        var state = try world.live(1)
        state.cuts.add(0, at: world.at(300))
        #expect(state.step(at: world.at(300)).contains(.close(world.id(0))))
        state.closed(0, cause, at: world.at(320))
        #expect(state.tally.errors == (error.map { [$0: 1] } ?? [:]))
        #expect(state.tally.drops == (error == nil ? 0 : 1))
    }

    @Test(arguments: [false, true])
    func `detects a drop of the connection after a cut`(isGreeted: Bool) throws {
        var state = try world.live(1)
        state.cuts.add(0, at: world.at(300))
        _ = state.step(at: world.at(300))
        state.closed(0, .byThisEnd(code: 1001), at: world.at(320))
        _ = state.connecting(0, at: world.at(2_400))
        _ = state.opened(0, world.id(7), at: world.at(2_410))
        if isGreeted { _ = try world.hear(&state, 0, WireServerFrame(id: 1, content: .welcome(WireWelcome()))) }
        state.closed(0, .byPeer(code: 4003, text: "silent"), at: world.at(2_420))
        #expect(state.tally.errors == ["closed.4003": 1])
        #expect(state.tally.drops == 1)
        #expect(state.tally.cuts == 1)
    }

    @Test(arguments: SwarmWorld.wrongs) func `detects forbidden deliveries`(wrong: SwarmWorld.Wrong) throws {
        var state = try world.live(2)
        _ = state.step(at: world.at(250))
        for event in wrong.events { _ = try world.hear(&state, 0, WireServerFrame(event: event), at: world.at(300)) }
        #expect(state.tally.violations == [wrong.found.rawValue: 1])
    }

    @Test func `reports a final event that one subscriber lacks as missing`() throws {
        var state = try world.live(2)
        _ = try world.hear(&state, 0, WireServerFrame(event: world.arrived(4, 1)), at: world.at(300))
        #expect(!state.isSettled)
        #expect(state.end().violations == [Violation.eventMissing.rawValue: 1])
    }

    @Test func `measures an arrival's latency from the report that the rule needs`() throws {
        var state = try world.live(2)
        state.measure(world.at(100)..<world.at(60_000), share: 1)
        state.clients[0].walk.arrivesAt = world.at(0)
        _ = state.step(at: world.at(201))
        #expect(state.clients[0].arrival == .inside(since: world.at(201)))
        _ = state.step(at: world.at(5_202))
        #expect(state.clients[0].arrival == .made(due: world.at(5_200)))
        _ = try world.hear(&state, 1, WireServerFrame(event: world.arrived(4, 0)), at: world.at(5_230))
        let p50 = try #require(state.tally.arrivalLatency.summary?.p50)
        #expect(abs(p50 - 30) < 0.1)
        #expect(state.tally.arrivals == 1)
        _ = try world.hear(&state, 0, WireServerFrame(event: world.arrived(4, 0)), at: world.at(5_230))
        #expect(state.tally.arrivalLatency.count == 1, "nobody waits for their own")
        #expect(state.end().violations == [:])
    }

    @Test func `reports an undetected arrival as missing`() throws {
        var state = try world.live(1)
        state.clients[0].walk.arrivesAt = world.at(0)
        _ = state.step(at: world.at(201))
        _ = state.step(at: world.at(5_202))
        #expect(state.end().violations == [:], "delays may have brought the two fixes too close together")
        _ = state.step(at: world.at(10_203))
        #expect(state.end().violations == [Violation.arrivalMissing.rawValue: 1])
    }

    @Test func `at the end only phones that await their arrival continue to report`() throws {
        var state = try world.live(2)
        state.clients[0].walk.arrivesAt = world.at(0)
        _ = state.step(at: world.at(201))
        _ = state.step(at: world.at(5_202))
        state.stopReporting()
        #expect(state.isAwaitingArrivals)
        let report = try #require(try world.report(state.step(at: world.at(10_203))), "one report, the other is silent")
        #expect(report.fixes.map(\.seq) == [3])
        for seat in 0...1 {
            _ = try world.hear(&state, seat, WireServerFrame(event: world.arrived(4, 0)), at: world.at(10_230))
        }
        #expect(!state.isAwaitingArrivals)
        #expect(state.step(at: world.at(15_204)) == [])
        #expect(state.end().violations == [:])
    }

    @Test func `a disconnected phone and one with a finished promise await no arrival`() throws {
        var state = try world.live(2)
        state.clients[0].walk.arrivesAt = world.at(0)
        state.clients[1].walk.arrivesAt = world.at(0)
        _ = state.step(at: world.at(201))
        _ = state.step(at: world.at(5_202))
        state.stopReporting()
        state.cuts.add(0, at: world.at(5_300))
        _ = state.step(at: world.at(5_300))
        #expect(state.isAwaitingArrivals, "the other does")
        _ = try world.hear(&state, 1, WireServerFrame(event: world.cancelled(4)), at: world.at(5_310))
        #expect(!state.isAwaitingArrivals)
    }

    @Test func `ignores missing deliveries of a cancelled promise`() throws {
        var state = try world.live(2)
        state.measure(world.at(100)..<world.at(60_000), share: 1)
        _ = state.step(at: world.at(250))
        state.cancellations.add(0, at: world.at(300))
        try world.request(state.step(at: world.at(300)), \.cancelPromise)
        #expect(state.step(at: world.at(9_000)) == [])
        for seat in 0...1 {
            _ = try world.hear(&state, seat, WireServerFrame(event: world.cancelled(4)), at: world.at(310))
        }
        let tally = state.end()
        #expect(tally.deliveries == DeliveryLedger.Counts(due: 0, delivered: 0, missing: 0, excused: 2))
        #expect(tally.cancellations == 1)
        #expect(tally.violations == [:])
    }

    @Test func `a rejection before admission is an error and ends the seat`() throws {
        var state = world.state()
        _ = state.connecting(0, at: world.start)
        _ = state.opened(0, world.id(0), at: world.start)
        var error = WireErrorReply()
        error.code = "auth.token-invalid"
        let actions = try world.hear(&state, 0, WireServerFrame(id: 1, error: error))
        #expect(actions == [.close(world.id(0))])
        #expect(state.tally.errors == ["auth.token-invalid": 1])
        #expect(state.isHopeless)
        state.closed(0, .byThisEnd(code: 1001), at: world.at(5))
        #expect(state.nextDue == nil)
    }

    @Test func `a relay's members receive each other's reports without a subscription`() {
        let plan = LoadPlan(peer: .relay, phase: .random)
        var state = SwarmState(plan: plan, seats: .relay(connections: 2, members: 2), at: world.start)
        for seat in 0...1 {
            _ = state.connecting(seat, at: world.start)
            #expect(state.opened(seat, world.id(seat), at: world.start) == [])
        }
        #expect(state.isComplete)
        state.measure(world.start..<world.at(5_001), share: 1)
        var frames = state.step(at: world.at(5_000))
        #expect(frames.count >= 2)
        while let frame = frames.popLast() {
            guard case .send(let id, let bytes) = frame else { continue }
            #expect(bytes.count == 110)
            _ = state.received(id == world.id(0) ? 1 : 0, bytes, at: world.at(5_001))
        }
        let tally = state.end()
        #expect(tally.deliveries.due >= 2)
        #expect(tally.deliveries.delivered == tally.deliveries.due)
        #expect(tally.violations == [:])
    }
}
