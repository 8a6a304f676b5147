import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Scenarios named by the issue and by users, each through the whole machine.
@Suite struct NamedScenarioTests {
    @Test(.proves("6.8")) func `two people arriving in the same instant share rank 1 and the next is third`() {
        var world = SessionWorld(accepted: 4)
        for second in [0.0, 5] {
            for user in [3, 2] as [UInt64] {
                world.walk(user, [(second, 10)], first: UInt32(second) + 1)
            }
        }
        world.arrive(4, at: 30)
        world.finish()
        #expect([1, 2, 3, 4].map { world.row($0)?.rank } == [0, 1, 1, 3])
        #expect(world.row(2)?.creditedAt == .meeting)
        #expect(world.row(3)?.creditedAt == .meeting)
        #expect(world.happened.contains { if case .rankingRevised = $0 { true } else { false } } == false)
    }

    @Test(.proves("5.11")) func `acknowledges a repeated fix again and applies it once`() {
        var world = SessionWorld(accepted: 2)
        let fix = PhoneClock().wallFix(seq: 7, at: .meeting, metres: 30)
        let first = world.report(2, [fix, fix], at: 0)
        let archived = world.archive.fixes
        let events = world.events
        let second = world.report(2, [fix], at: 1)
        #expect(first?.receipt?.taken == [7, 7])
        #expect(second?.receipt?.taken == [7])
        #expect(second?.receipt?.rejected == [])
        #expect(archived.map(\.fix.seq) == [7])
        #expect(world.archive.fixes == archived)
        #expect(world.events == events)
        #expect(!world.hasMovement)
    }

    /// The spacing of fixes drops most repeats as well, but not these: the first is dated ahead, so it is set to the
    /// instant of its receipt; the second is older than the held fixes.
    @Test(.proves("5.11"), arguments: [10.0, -600])
    func `does not apply a repeated fix that was thinned out`(second: Double) {
        var world = SessionWorld(accepted: 2)
        let phone = PhoneClock()
        let fix = phone.wallFix(seq: 7, at: .meeting + .seconds(second), metres: 300)
        world.report(2, [fix], at: 0)
        world.report(2, [phone.wallFix(seq: 8, at: .meeting + .seconds(1), metres: 300)], at: 1)
        let archived = world.archive.fixes
        #expect(archived.map(\.fix.seq) == [7, 8])
        let again = world.report(2, [fix], at: 2)
        #expect(again?.receipt?.taken == [7])
        #expect(again?.receipt?.rejected == [])
        #expect(world.archive.fixes == archived)
        #expect(world.recalls == 0)
        #expect(!world.hasMovement)
    }

    @Test(.proves("5.6")) func `the same number from another device or boot is another fix`() {
        var world = SessionWorld(accepted: 2)
        let fix = PhoneClock().wallFix(seq: 7, at: .meeting, metres: 30)
        world.report(2, [fix], at: 0)
        world.report(2, [fix], at: 0, device: DeviceKey(deviceID: "phone", bootID: "2"))
        world.report(2, [fix], at: 0, device: DeviceKey(deviceID: "watch", bootID: "1"))
        #expect(world.archive.fixes.count == 3)
    }

    @Test func `fixes out of order give the same result as in order`() {
        let phone = PhoneClock()
        let metres: [Double] = [300, 200, 100, 40, 35, 30, 30, 30]
        let fixes = metres.enumerated().map { index, metres in
            phone.wallFix(seq: UInt32(index + 1), at: .meeting + .seconds(Double(index) * 5), metres: metres)
        }
        func result(order: [Int], at seconds: [Double]) -> PromiseResult? {
            var world = SessionWorld(accepted: 2)
            for (index, second) in zip(order, seconds) { world.report(2, [fixes[index]], at: second) }
            world.finish()
            return world.machine.result
        }
        let inOrder = result(order: Array(0..<8), at: (0..<8).map { Double($0) * 5 })
        let outOfOrder = result(order: [1, 0, 4, 2, 3, 7, 6, 5], at: [5, 6, 20, 21, 22, 35, 36, 37])
        #expect(inOrder == outOfOrder)
        #expect(inOrder?.rows.first?.creditedAt == .meeting + .milliseconds(14_167))
    }

    @Test(.proves("6.10")) func `an hour of backfill after a tunnel credits its time and revises the ranks`() {
        var world = SessionWorld(accepted: 3)
        let phone = PhoneClock()
        world.report(2, [phone.wallFix(at: .meeting - .minutes(25), metres: 3_000)], at: -1_500)
        world.arrive(3, at: 600)
        // 720 fixes, 5 s apart: there from the 120th on, which is 15 minutes before the meeting.
        let fixes = (1...720).map { index in
            phone.wallFix(
                seq: UInt32(index + 1),
                at: .meeting - .minutes(25) + .seconds(Double(index) * 5),
                metres: max(0, 3_000 - Double(index) * 25)
            )
        }
        var now = -1_500 + 3_600.0
        for start in stride(from: 0, to: 720, by: 200) {
            let part = Array(fixes[start..<min(start + 200, 720)])
            var reply = world.report(2, part, at: now)
            if case .tooManyFixes(let wait) = reply?.refusal {
                now += wait.seconds
                reply = world.report(2, part, at: now)
            }
            #expect(reply?.receipt?.rejected == [])
        }
        #expect(now == -1_500 + 3_600 + 16)
        let crossing = (3_000.0 - 50) / 25 * 5 - 1_500
        #expect(world.entry(2)?.arrival.creditedAt == .meeting + .seconds(crossing))
        #expect([2, 3].map { world.entry($0)?.rank } == [1, 2])
        let revised = world.happened.compactMap { event -> [UserID]? in
            if case .rankingRevised(let entries, _) = event { entries.map(\.userID) } else { nil }
        }
        #expect(revised == [[.user(3)]])
        world.finish()
        #expect(world.row(2)?.outcome == .early)
        #expect(world.row(3)?.outcome == .late)
    }

    @Test(.proves("5.10", "position.in-future"))
    func `rejects a fix 10 days ahead and accepts the others of the report`() {
        var world = SessionWorld(accepted: 2)
        let phone = PhoneClock()
        let reply = world.report(
            2,
            [
                phone.wallFix(seq: 1, at: .meeting, metres: 30),
                phone.wallFix(seq: 2, at: .meeting + .days(10), metres: 30),
            ],
            at: 0
        )
        #expect(reply?.receipt?.taken == [1])
        #expect(reply?.receipt?.rejected == [.init(seq: 2, reason: .positionInFuture)])
        #expect(world.archive.fixes.map(\.fix.seq) == [1])
    }

    @Test func `credits a phone that is 15 minutes fast by the server's clock`() {
        var world = SessionWorld(accepted: 2)
        let phone = PhoneClock(wallLead: .minutes(15))
        for second in [10.0, 15] {
            let now = Instant.meeting + .seconds(second)
            world.report(2, [phone.wallFix(seq: UInt32(second), at: now)], at: second, sent: phone.wallReading(at: now))
        }
        #expect(world.entry(2)?.arrival.creditedAt == .meeting + .seconds(10))
    }

    @Test(.proves("5.9")) func `a wall clock moved back in the middle neither dates back nor stops an arrival`() {
        var world = SessionWorld(accepted: 2)
        var phone = PhoneClock()
        for (seq, second) in [100.0, 105, 110, 115, 120, 125].enumerated() {
            if second >= 115 { phone.wallLead = -.minutes(10) }
            let now = Instant.meeting + .seconds(second)
            let metres = second < 115 ? 400 : 10.0
            let fix = phone.wallFix(seq: UInt32(seq + 1), at: now, metres: metres)
            let reply = world.report(2, [fix], at: second, sent: phone.wallReading(at: now))
            #expect(reply?.receipt?.taken == [UInt32(seq + 1)])
        }
        // The jump of 390 m in 5 s is within 100 m/s; the way crosses 50 m after 350 of 390 m.
        let credited = world.entry(2)?.arrival.creditedAt.secondsFromMeeting ?? 0
        #expect(abs(credited - (110 + 5 * 350 / 390)) < 0.001)
        #expect(world.archive.fixes.map(\.fix.time.secondsFromMeeting) == [100, 105, 110, 115, 120, 125])
    }

    @Test(.proves("5.7")) func `credits a report on time that was delayed 20 s in the network`() {
        var world = SessionWorld(accepted: 2)
        let phone = PhoneClock(wallLead: -.minutes(3))
        func made(_ second: Double) -> Instant { .meeting + .seconds(second) }
        world.report(2, [phone.fix(seq: 1, at: made(30), metres: 300)], at: 30, sent: phone.readings(at: made(30)))
        world.report(2, [phone.fix(seq: 2, at: made(55))], at: 75, sent: phone.readings(at: made(55)))
        world.report(2, [phone.fix(seq: 3, at: made(60))], at: 80, sent: phone.readings(at: made(60)))
        #expect(world.archive.fixes.map(\.fix.time) == [30, 55, 60].map(made))
        world.finish()
        #expect(world.row(2)?.outcome == .onTime)
    }

    @Test(.proves("6.7")) func `credits a participant present at t − 30 min at the opening`() {
        var world = SessionWorld(accepted: 2)
        let phone = PhoneClock()
        let early = world.report(2, [phone.wallFix(seq: 1, at: .meeting - .seconds(1_801))], at: -1_801)
        #expect(early?.refusal == .positionOutsideWindow)
        for (seq, second) in [(1, -1_800.5), (2, -1_800), (3, -1_795)] as [(UInt32, Double)] {
            world.report(2, [phone.wallFix(seq: seq, at: .meeting + .seconds(second))], at: max(-1_800, second))
        }
        #expect(world.entry(2)?.arrival.creditedAt == world.machine.promise.opensAt)
        world.finish()
        #expect(world.row(2)?.outcome == .early)
        #expect(world.row(2)?.secondsFromMeeting == -1_800)
        #expect(world.row(2)?.rank == 1)
    }

    @Test(.proves("6.9"), arguments: [(60.0, Outcome.late), (59.999, .onTime), (0, .onTime), (-0.001, .early)])
    func `arriving at t + 60 s exactly is late and 1 ms before it is not`(second: Double, outcome: Outcome) {
        var world = SessionWorld(.sample(penalty: Penalty(amount: 500, currency: "EUR")), accepted: 2)
        world.arrive(2, at: second)
        world.finish()
        #expect(world.row(2)?.creditedAt == .meeting + .seconds(second))
        #expect(world.row(2)?.outcome == outcome)
        #expect(world.row(2)?.penaltyOwed == (outcome == .late ? 500 : 0))
    }
}
