import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The consequences of joining, leaving and calling off for the rest of a promise's life (domain §4 and §8).
@Suite struct LeavingTests {
    static let promise = Promise.sample()
    static let before = promise.opensAt - .milliseconds(1)
    static let closing = promise.closesAt
    static let settled = promise.settlesAt

    @Test func `a user who joins inside the window can report at once and has a row`() {
        var world = MembershipTests.world()
        world.send(.respond(.user(3), accept: true), at: .meeting)
        world.arrive(3, at: 10)
        world.finish()
        #expect(world.row(3)?.outcome == .onTime)
        #expect(world.archive.participants[2].acceptedAt == .meeting)
    }

    @Test(
        .proves("4.13", "8.3"),
        arguments: [promise.createdAt, before, .meeting, closing, settled - .milliseconds(1)]
    )
    func `a cancelled promise has no result and stays idle`(at instant: Instant) {
        var world = MembershipTests.world()
        world.send(.cancel(by: .user(1), reason: "rain"), at: instant)
        #expect(world.endings == 1)
        #expect(world.wakeAt == nil)
        let archive = world.archive
        world.sendUnwoken(.wake, at: Self.settled + .days(1))
        world.restart(at: Self.settled + .days(2))
        #expect(world.archive == archive)
        #expect(world.machine.result == nil)
        #expect(world.happened.last == .cancelled(reason: "rain"))
        #expect(world.archive.promise.cancelledAt == instant)
        for act in [.decline, .leave, .report, .cancel, .share(false)] as [MembershipTests.Act] {
            for user in [1, 2, 3] as [UInt64] {
                let reply = world.sendUnwoken(act.event(by: user, at: Self.settled), at: Self.settled + .days(3))
                #expect(reply?.refusal != nil)
            }
        }
        #expect(world.archive == archive)
    }

    @Test(.proves("4.15")) func `a participant who leaves before the window has no row in the result`() {
        var world = MembershipTests.world()
        world.send(.leave(.user(2)), at: Self.before)
        world.finish()
        #expect(world.row(2) == nil)
    }

    @Test(.proves("8.4"), arguments: [promise.opensAt, .meeting, closing, settled - .milliseconds(1)])
    func `a participant who leaves after the opening without an arrival has left`(at instant: Instant) {
        var world = MembershipTests.world()
        world.send(.leave(.user(2)), at: instant)
        world.finish()
        #expect(world.row(2)?.outcome == .left)
    }

    @Test(.proves("8.4"))
    func `keeps the provisional arrival of a leaving participant, as with a silent phone`() {
        var world = MembershipTests.world()
        world.arrive(2, at: 0)
        world.send(.leave(.user(2)), at: .meeting + .seconds(20))
        #expect(world.entry(2)?.arrival.stage == .provisional)
        world.restart(at: .meeting + .seconds(30))
        world.run(to: .meeting + .seconds(215))
        #expect(world.entry(2)?.arrival.stage == .confirmed)
        world.finish()
        #expect(world.row(2)?.outcome == .onTime)
        #expect(world.row(2)?.rank == 1)
    }

    @Test(.proves("8.4"))
    func `a participant who leaves at the entrance has not arrived, also after a restart`() {
        var world = MembershipTests.world()
        world.walk(2, [(0, 10)])
        world.send(.leave(.user(2)), at: .meeting + .seconds(29))
        world.restart(at: .meeting + .seconds(60))
        world.finish()
        #expect(world.row(2)?.outcome == .left)
    }

    @Test func `ignores reports from before leaving after a return, also after a restart`() {
        for restarts in [false, true] {
            var world = MembershipTests.world()
            world.walk(2, [(0, 10)])
            world.send(.leave(.user(2)), at: .meeting + .seconds(29))
            world.send(.join(.user(2)), at: .meeting + .seconds(40))
            if restarts { world.restart(at: .meeting + .seconds(41)) }
            world.run(to: .meeting + .seconds(60))
            #expect(world.entry(2) == nil)
            #expect(world.takePositions(at: .meeting + .seconds(60)).isEmpty)
            world.finish()
            #expect(world.row(2)?.outcome == .noShow)
        }
    }
}
