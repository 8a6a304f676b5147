import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The participants whom each of the others sees, and when (domain §5).
@Suite struct VisibilityTests {
    static let promise = Promise.sample()
    static let millisecond = TimeSpan.milliseconds(1)

    static func at(_ second: Double) -> Instant { .meeting + .seconds(second) }

    @Test(.proves("4.8", "5.19"), .defends("positions-outside")) func `only accepted participants see positions`() {
        let world = MembershipTests.world()
        let seeing = (1...9).filter { world.machine.isAccepted(.user($0)) }
        #expect(seeing == [1, 2, 7])
    }

    @Test(.proves("5.19"))
    func `declining or leaving ends the sight of the promise, joining begins it`() {
        var world = MembershipTests.world()
        world.send(.leave(.user(2)), at: .meeting)
        #expect(!world.machine.isAccepted(.user(2)))
        world.send(.respond(.user(3), accept: true), at: .meeting)
        #expect(world.machine.isAccepted(.user(3)))
    }

    @Test(.proves("9.3")) func `delivers each changed position once, the latest of each participant`() {
        var world = SessionWorld(accepted: 3)
        world.walk(2, [(0, 300), (5, 295)])
        world.walk(3, [(6, 200)])
        let positions = world.takePositions(at: Self.at(6))
        #expect(positions.map(\.userID) == [.user(2), .user(3)])
        #expect(positions.map(\.seq) == [2, 1])
        #expect(positions.map { $0.distanceMetres.rounded() } == [295, 200])
        #expect(positions.map(\.accuracyMetres) == [10, 10])
        #expect(Set(positions.map(\.lane)).count == 2)
        #expect(world.takePositions(at: Self.at(6)).isEmpty)
        // The next collection contains only participants who have moved since.
        world.walk(3, [(11, 190)], first: 2)
        #expect(world.takePositions(at: Self.at(11)).map(\.userID) == [.user(3)])
    }

    @Test func `a collection is complete when all connected, sharing participants in slots have moved`() {
        var world = SessionWorld(accepted: 4)
        for user in UInt64(1)...3 { world.send(.connection(.user(user), isOnline: true), at: Self.at(-1)) }
        world.walk(1, [(0, 300)])
        world.walk(2, [(0, 300)])
        #expect(world.movements == [false, false], "3 is expected")
        world.walk(3, [(1, 300)])
        #expect(world.movements.last == true, "4 is not connected")
        #expect(world.takePositions(at: Self.at(1)).count == 3)
        world.send(.setSharing(.user(2), on: false), at: Self.at(2))
        world.send(.connection(.user(3), isOnline: false), at: Self.at(2))
        world.walk(1, [(5, 295)], first: 2)
        #expect(world.movements == [false, false, true, true], "nothing comes of who pauses or has gone")
    }

    @Test(.proves("5.12")) func `a position without accuracy is shown with 50 m`() {
        var world = SessionWorld(accepted: 2)
        for (seq, accuracy) in [(1, nil), (2, 0)] as [(UInt32, Double?)] {
            var fix = PhoneClock().wallFix(seq: seq, at: Self.at(Double(seq)), metres: 300)
            fix.accuracyMetres = accuracy
            world.report(2, [fix], at: Double(seq))
            #expect(world.takePositions(at: Self.at(Double(seq))).first?.accuracyMetres == 50)
        }
    }

    @Test(.proves("5.13")) func `hides a jump until the next fix agrees`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 300)])
        world.walk(2, [(5, 5_000)], first: 2)
        #expect(world.takePositions(at: Self.at(5)).map { $0.distanceMetres.rounded() } == [300])
        world.walk(2, [(10, 5_003)], first: 3)
        #expect(world.takePositions(at: Self.at(10)).map { $0.distanceMetres.rounded() } == [5_003])
    }

    @Test(.proves("5.18")) func `pausing hides the position at once, resuming alone does not restore it`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 300)])
        world.send(.setSharing(.user(2), on: false), at: Self.at(1))
        #expect(world.effects.contains(.tell(.sharing(.user(2), on: false))))
        #expect(world.takePositions(at: Self.at(1)).isEmpty)
        #expect(world.machine.view(at: Self.at(1)).members[1].live.position == nil)
        #expect(world.archive.participants[1].isSharing == false)
        world.send(.setSharing(.user(2), on: true), at: Self.at(60))
        #expect(world.machine.view(at: Self.at(60)).members[1].live.position == nil)
        world.walk(2, [(65, 250)], first: 2)
        #expect(world.takePositions(at: Self.at(65)).map { $0.distanceMetres.rounded() } == [250])
    }

    @Test(.proves("5.18")) func `a restart does not restore a position from before a pause`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 300)])
        world.send(.setSharing(.user(2), on: false), at: Self.at(1))
        world.restart(at: Self.at(30))
        world.send(.setSharing(.user(2), on: true), at: Self.at(60))
        #expect(world.machine.view(at: Self.at(60)).members[1].live.position == nil)
    }

    @Test(.proves("5.18")) func `an older fix does not restore a position from before the pause`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 300)])
        world.pause(2, from: 1, to: 60)
        // While paused, and at the last moment of it.
        for (seq, second) in [(2, -5), (3, 30), (4, 59.899)] as [(UInt32, Double)] {
            world.report(2, [PhoneClock().wallFix(seq: seq, at: Self.at(second), metres: 290)], at: 62)
            #expect(world.shown(2, at: 62) == nil)
            #expect(world.takePositions(at: Self.at(62)).isEmpty)
        }
        world.report(2, [PhoneClock().wallFix(seq: 5, at: Self.at(60), metres: 280)], at: 62)
        #expect(world.takePositions(at: Self.at(62)).map { $0.distanceMetres.rounded() } == [280])
    }

    @Test(.proves("5.18")) func `a held jump does not restore a position from before the pause`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 300)])
        world.pause(2, from: 1, to: 60)
        world.walk(2, [(61, 30_000)], first: 2)
        #expect(world.shown(2, at: 61) == nil)
        #expect(world.takePositions(at: Self.at(61)).isEmpty)
        world.walk(2, [(66, 30_003)], first: 3)
        #expect(world.shown(2, at: 66)?.distanceMetres.rounded() == 30_003)
    }

    @Test(.proves("5.18")) func `a restart after the pause does not restore a position from before it`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 300)])
        world.pause(2, from: 1, to: 60)
        let before = world.machine.view(at: Self.at(61))
        world.restart(at: Self.at(61))
        #expect(world.shown(2, at: 61) == nil)
        #expect(world.machine.view(at: Self.at(61)).members[1].live == before.members[1].live)
        world.walk(2, [(65, 250)], first: 2)
        let after = world.machine.view(at: Self.at(65))
        #expect(after.members[1].live.position?.distanceMetres.rounded() == 250)
        world.restart(at: Self.at(65))
        #expect(world.machine.view(at: Self.at(65)) == after)
    }

    @Test(.proves("5.18")) func `a recall answered during a pause does not restore the position after it`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 300), (150, 200)])
        // The first requests a recall at once, the second shares the next one, which is due ten seconds later.
        for (seq, second) in [(10, -10), (11, -20)] as [(UInt32, Double)] {
            world.report(2, [PhoneClock().wallFix(seq: seq, at: Self.at(second), metres: 310)], at: 141 + Double(seq))
        }
        world.pause(2, from: 153, to: 170)
        #expect(world.recalls == 2)
        #expect(world.shown(2, at: 170) == nil)
        #expect(world.takePositions(at: Self.at(170)).isEmpty)
    }

    @Test(.proves("5.19"))
    func `a recall answered during an absence does not restore the position on return`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 10), (5, 10), (150, 12)])
        for (seq, second) in [(10, -10), (11, -20)] as [(UInt32, Double)] {
            world.report(2, [PhoneClock().wallFix(seq: seq, at: Self.at(second), metres: 310)], at: 141 + Double(seq))
        }
        world.send(.leave(.user(2)), at: Self.at(153))
        world.send(.join(.user(2)), at: Self.at(170))
        #expect(world.recalls == 2)
        #expect(world.shown(2, at: 170) == nil)
        #expect(world.takePositions(at: Self.at(170)).isEmpty)
    }

    @Test(.proves("5.18")) func `a short pause also hides a fix dated ahead`() {
        var world = SessionWorld(accepted: 2)
        world.report(2, [PhoneClock().fix(seq: 1, at: Self.at(4.9), metres: 300)], at: 0)
        #expect(world.shown(2, at: 0) != nil)
        world.pause(2, from: 1, to: 2)
        // An older fix causes a new evaluation of the latest.
        world.report(2, [PhoneClock().fix(seq: 2, at: Self.at(-5), metres: 305)], at: 3)
        #expect(world.shown(2, at: 3) == nil)
        world.restart(at: Self.at(3))
        let live = world.machine.view(at: Self.at(3)).members[1].live
        #expect(live.position == nil && live.departureDistanceMetres == nil)
        #expect(live.lastSeenAt == nil && live.lastMovedAt == nil)
    }

    @Test(.proves("5.18")) func `a restart during a pause hides when the participant last reported`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 300)])
        world.send(.setSharing(.user(2), on: false), at: Self.at(1))
        let before = world.machine.view(at: Self.at(30))
        world.restart(at: Self.at(30))
        #expect(world.machine.view(at: Self.at(30)) == before)
        world.send(.setSharing(.user(2), on: true), at: Self.at(60))
        #expect(world.machine.view(at: Self.at(60)).members[1].live.lastSeenAt == nil)
    }

    @Test func `progress after a pause counts from the first shown position`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 300)])
        world.pause(2, from: 1, to: 60)
        world.walk(2, [(60, 200), (120, 150)], first: 2)
        let live = world.machine.view(at: Self.at(120)).members[1].live
        #expect(live.departureDistanceMetres?.rounded() == 200)
        world.restart(at: Self.at(121))
        #expect(world.machine.view(at: Self.at(121)).members[1].live.departureDistanceMetres?.rounded() == 200)
    }

    @Test func `hides positions from before a participant's return`() {
        var world = SessionWorld(accepted: 2)
        world.arrive(2, at: 0)
        world.send(.leave(.user(2)), at: Self.at(10))
        world.send(.join(.user(2)), at: Self.at(20))
        world.report(2, [PhoneClock().wallFix(seq: 9, at: Self.at(6), metres: 12)], at: 21)
        #expect(world.shown(2, at: 21) == nil)
        world.restart(at: Self.at(22))
        #expect(world.shown(2, at: 22) == nil)
    }

    @Test(.proves("5.19")) func `hides a participant who left`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 300)])
        world.send(.leave(.user(2)), at: Self.at(1))
        #expect(world.takePositions(at: Self.at(1)).isEmpty)
        #expect(world.machine.view(at: Self.at(1)).members[1].live.position == nil)
    }

    @Test(.proves("5.19", "9.9")) func `shows no live data after the window`() {
        var world = SessionWorld(accepted: 2)
        let end = Self.promise.closesAt
        world.walk(2, [(10_799, 300)])
        #expect(world.machine.view(at: end - Self.millisecond).members[1].live.position != nil)
        #expect(world.machine.view(at: end).members[1].live.position == nil)
        #expect(world.takePositions(at: end).isEmpty)
        world.report(2, [PhoneClock().wallFix(seq: 2, at: end - Self.millisecond, metres: 290)], at: 10_801)
        #expect(!world.hasMovement)
        #expect(world.takePositions(at: end + .seconds(1)).isEmpty)
    }

    @Test func `a restart restores the last positions`() {
        var world = SessionWorld(accepted: 3)
        world.walk(2, [(0, 300), (5, 295)])
        let before = world.machine.view(at: Self.at(6)).members.map(\.live.position)
        world.restart(at: Self.at(6))
        #expect(world.machine.view(at: Self.at(6)).members.map(\.live.position) == before)
    }

    @Test(.proves("5.17")) func `a restart moves no participant`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 300), (60, 299), (120, 301)])
        let before = world.machine.view(at: Self.at(121))
        #expect(before.members[1].live.lastMovedAt == Self.at(0))
        world.restart(at: Self.at(121))
        #expect(world.machine.view(at: Self.at(121)) == before)
    }

    @Test(.proves("5.17")) func `progress and movement follow the way`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 400), (60, 390), (120, 300), (180, 100)])
        let live = world.machine.view(at: Self.at(181)).members[1].live
        #expect(live.departureDistanceMetres == 400)
        #expect(live.progress == 0.75)
        #expect(live.lastMovedAt == Self.at(180))
        #expect(live.lastSeenAt == Self.at(180))
    }

    @Test(arguments: [
        (-5_000, Freshness.live), (10_000, .live), (10_001, .lagging), (40_000, .lagging), (40_001, .stale),
        (300_000, .stale), (300_001, .lost),
    ])
    func `measures freshness from the due time of the next report`(overdue: Int, freshness: Freshness) {
        #expect(Freshness(dueAt: .meeting, at: .meeting + .milliseconds(Int64(overdue))) == freshness)
    }
}
