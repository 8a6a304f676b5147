import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Arrivals through the machine: provisional, confirmed, retracted, revised, each announced once.
@Suite struct ArrivalEventTests {
    /// The events that concern arrivals.
    static func arrivals(in world: SessionWorld) -> [String] {
        world.happened.compactMap { event in
            switch event {
            case .arrived(let entry): "arrived \(entry.userID.low & 0xFF) as \(entry.rank)"
            case .arrivalConfirmed(let entry): "confirmed \(entry.userID.low & 0xFF) as \(entry.rank)"
            case .arrivalRetracted(let user, let reason): "retracted \(user.low & 0xFF): \(reason.rawValue)"
            case .rankingRevised(let entries, let cause):
                "revised " + entries.map { "\($0.userID.low & 0xFF) as \($0.rank)" }.joined(separator: ", ")
                    + ": \(cause.rawValue)"
            default: nil
            }
        }
    }

    static func at(_ second: Double) -> Instant { .meeting + .seconds(second) }

    @Test(.proves("9.4", "arrived", "arrivalConfirmed"))
    func `an arrival is provisional until the clock confirms it`() {
        var world = SessionWorld(accepted: 2)
        world.arrive(2, at: 0)
        #expect(Self.arrivals(in: world) == ["arrived 2 as 1"])
        #expect(world.entry(2)?.arrival.stage == .provisional)
        #expect(world.archive.arrivals == [.user(2): world.entry(2)?.arrival].compactMapValues { $0 })
        world.run(to: Self.at(215) - .milliseconds(1))
        #expect(world.entry(2)?.arrival.stage == .provisional)
        world.run(to: Self.at(215))
        #expect(Self.arrivals(in: world) == ["arrived 2 as 1", "confirmed 2 as 1"])
        #expect(world.archive.arrivals[.user(2)]?.stage == .confirmed)
    }

    @Test(.proves("6.5")) func `a fix after two minutes confirms an arrival`() {
        var world = SessionWorld(accepted: 2)
        world.arrive(2, at: 0)
        world.walk(2, [(100, 10), (126, 10)], first: 3)
        #expect(Self.arrivals(in: world) == ["arrived 2 as 1", "confirmed 2 as 1"])
        #expect(world.events.last?.at == Self.at(126))
    }

    @Test func `a phone that goes silent at the entrance arrives by the clock`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 45)])
        world.run(to: Self.at(29.999))
        #expect(world.machine.board.isEmpty)
        world.run(to: Self.at(30))
        #expect(world.entry(2)?.arrival.creditedAt == Self.at(0))
        #expect(world.events.last?.at == Self.at(30))
        world.finish()
        #expect(Self.arrivals(in: world) == ["arrived 2 as 1", "confirmed 2 as 1"])
        #expect(world.row(2)?.outcome == .onTime)
    }

    @Test(.proves("6.6", "9.4", "arrivalRetracted"))
    func `retracts a participant who drives on, and the others move up`() {
        var world = SessionWorld(accepted: 3)
        world.arrive(2, at: 0)
        world.arrive(3, at: 20)
        world.walk(2, [(30, 100), (35, 150)], first: 3)
        #expect(
            Self.arrivals(in: world) == [
                "arrived 2 as 1", "arrived 3 as 2", "retracted 2: left-again", "revised 3 as 1: retraction",
            ]
        )
        #expect(world.archive.arrivals.keys.sorted() == [.user(3)])
        world.finish()
        #expect([2, 3].map { world.row($0)?.outcome } == [.noShow, .onTime])
    }

    @Test(.proves("6.17")) func `retracts a participant who stops just outside, by the clock and with the reason`() {
        var world = SessionWorld(accepted: 3)
        world.arrive(2, at: 0)
        world.walk(2, [(10, 70), (126, 70)], first: 3)
        world.run(to: Self.at(305) - .milliseconds(1))
        #expect(Self.arrivals(in: world) == ["arrived 2 as 1"])
        world.run(to: Self.at(305))
        #expect(Self.arrivals(in: world) == ["arrived 2 as 1", "retracted 2: held"])
        #expect(world.events.last?.at == Self.at(305))
        #expect(world.archive.arrivals.isEmpty)
        world.finish()
        #expect(world.row(2)?.outcome == .noShow)
    }

    @Test(.proves("6.17")) func `decides a held arrival at the end of settling`() {
        for (metres, outcome) in [(70.0, Outcome.noShow), (55, .late)] {
            let spans = WindowSpans(settle: .minutes(1))
            var world = SessionWorld(.sample(spans: spans), accepted: 2)
            let end = (world.machine.promise.closesAt - .meeting).seconds
            world.arrive(2, at: end - 10)
            world.walk(2, [(end - 1, metres)], first: 3)
            world.finish()
            #expect(world.row(2)?.outcome == outcome)
            #expect(world.happened.last == .resultFinal)
        }
    }

    @Test(.proves("6.10", "9.4", "rankingRevised")) func `backfill retracts a confirmed arrival and announces it`() {
        var world = SessionWorld(accepted: 2)
        world.walk(2, [(0, 10)])
        world.run(to: Self.at(240))
        #expect(Self.arrivals(in: world) == ["arrived 2 as 1", "confirmed 2 as 1"])
        world.report(2, [PhoneClock().wallFix(seq: 2, at: Self.at(10), metres: 150)], at: 240)
        #expect(Self.arrivals(in: world).last == "retracted 2: backfill")
        #expect(world.machine.board.isEmpty)
        #expect(world.archive.arrivals.isEmpty)
    }

    @Test(.proves("6.10")) func `recalls older fixes for old backfill and revises the credited time`() {
        var world = SessionWorld(accepted: 3)
        world.arrive(2, at: 600)
        world.arrive(3, at: 590)
        world.walk(2, [(700, 10), (760, 10), (820, 10)], first: 3)
        #expect(world.recalls == 0)
        world.report(
            2,
            [
                PhoneClock().wallFix(seq: 90, at: Self.at(570), metres: 10),
                PhoneClock().wallFix(seq: 91, at: Self.at(565), metres: 10),
            ],
            at: 825
        )
        #expect(world.recalls == 1)
        #expect(world.entry(2)?.arrival.creditedAt == Self.at(565))
        #expect(Self.arrivals(in: world).last == "revised 2 as 1, 3 as 2: backfill")
    }

    @Test(.proves("5.2")) func `counts late uploads during settling`() {
        var world = SessionWorld(accepted: 2)
        let closes = world.machine.promise.closesAt
        let phone = PhoneClock()
        world.run(to: closes)
        let fixes = [10.0, 5].enumerated().map { phone.wallFix(seq: UInt32($0 + 1), at: closes - .seconds($1)) }
        let now = world.machine.promise.settlesAt - .milliseconds(1)
        world.send(
            .report(from: .user(2), Report(device: SessionWorld.phone, fixes: fixes, sent: phone.wallReading(at: now))),
            at: now
        )
        world.finish()
        #expect(world.row(2)?.creditedAt == closes - .seconds(10))
        #expect(world.row(2)?.outcome == .late)
    }

    @Test(.proves("6.5")) func `the end of settling confirms provisional arrivals`() {
        let spans = WindowSpans(settle: .minutes(1))
        var world = SessionWorld(.sample(spans: spans), accepted: 2)
        let end = (world.machine.promise.closesAt - .meeting).seconds
        world.arrive(2, at: end - 10)
        world.finish()
        #expect(Self.arrivals(in: world) == ["arrived 2 as 1", "confirmed 2 as 1"])
        #expect(world.happened.suffix(2).first != .trackingEnded)
        #expect(world.happened.last == .resultFinal)
        #expect(world.archive.arrivals[.user(2)]?.stage == .confirmed)
        #expect(world.archive.arrivals[.user(2)]?.evidence?.confirmedAt == world.machine.promise.settlesAt)
    }

    @Test(.proves("5.6")) func `never mixes the fixes of two devices, and counts the first arrival`() {
        var world = SessionWorld(accepted: 2)
        let watch = DeviceKey(deviceID: "watch")
        // 3 m/s within one device is too fast to settle; each device alone has one fix inside.
        world.walk(2, [(0, 48)])
        world.walk(2, [(5, 48)], device: watch)
        #expect(world.machine.board.isEmpty)
        world.walk(2, [(10, 48)], first: 2, device: watch)
        #expect(world.machine.board.isEmpty)
        world.walk(2, [(15, 40)], first: 3, device: watch)
        #expect(world.entry(2)?.arrival.evidence?.device == watch)
        #expect(world.entry(2)?.arrival.creditedAt == Self.at(5))
        world.walk(2, [(20, 30), (25, 30)], first: 2)
        #expect(world.entry(2)?.arrival.evidence?.device == watch)
    }

    @Test(.proves("5.6")) func `the position shown is the latest of all devices`() {
        var world = SessionWorld(accepted: 2)
        let watch = DeviceKey(deviceID: "watch")
        world.walk(2, [(0, 500)])
        world.walk(2, [(5, 490)], device: watch)
        #expect(world.takePositions(at: Self.at(5)).map(\.fixTime) == [Self.at(5)])
        world.report(2, [PhoneClock().wallFix(seq: 2, at: Self.at(3), metres: 495)], at: 6)
        #expect(world.takePositions(at: Self.at(6)).isEmpty)
        #expect(world.machine.view(at: Self.at(6)).members[1].live.position?.fixTime == Self.at(5))
    }

    @Test(.proves("6.14")) func `confirms a first-fix arrival at once`() {
        var world = SessionWorld(.sample(rule: ArrivalRule(name: .firstFix)), accepted: 2)
        world.walk(2, [(-5, 80), (0, 49), (5, 200), (10, 300)])
        world.finish()
        #expect(Self.arrivals(in: world) == ["arrived 2 as 1", "confirmed 2 as 1"])
        #expect(world.row(2)?.creditedAt == Self.at(0))
    }

    @Test(.proves("5.3")) func `a confirmed participant stops reporting, a provisional one continues`() {
        var world = SessionWorld(accepted: 2)
        #expect(world.machine.nextReport(for: .user(2), at: Self.at(0)) != nil)
        world.arrive(2, at: 0)
        #expect(world.machine.nextReport(for: .user(2), at: Self.at(6)) != nil)
        world.run(to: Self.at(215))
        #expect(world.machine.nextReport(for: .user(2), at: Self.at(215)) == nil)
        #expect(world.machine.nextReport(for: .user(1), at: Self.at(215)) != nil)
        let closes = world.machine.promise.closesAt
        #expect(world.machine.nextReport(for: .user(1), at: closes - .milliseconds(1)) != nil)
        #expect(world.machine.nextReport(for: .user(1), at: closes) == nil)
    }
}
