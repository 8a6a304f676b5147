import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Reports observed from phones of other systems, through the whole machine (domain §5).
@Suite struct FieldReportTests {
    static let rollover = -7_168.0 * 86_400

    /// How far the two wall clocks of a phone are ahead of the server's, in seconds.
    struct Phone: CustomTestStringConvertible, Sendable {
        var name: String
        var system: Double
        var receiver: Double
        var isOfOtherClock: Bool
        var testDescription: String { name }

        init(_ name: String, system: Double = 0, receiver: Double, isOfOtherClock: Bool = false) {
            (self.name, self.system, self.receiver) = (name, system, receiver)
            self.isOfOtherClock = isOfOtherClock
        }

        func fix(_ seq: UInt32, at second: Double, metres: Double) -> Fix {
            let at = Instant.meeting + .seconds(second + receiver)
            return .sample(seq: seq, metres: metres, accuracy: 8, speed: 1.2, wallMs: Double(at.milliseconds))
        }

        func sent(at second: Double) -> ClockReadings {
            ClockReadings(wallMs: Double((Instant.meeting + .seconds(second + system)).milliseconds))
        }
    }

    static let phones: [Phone] = [
        // The week number rolled over once or twice; a fast phone; one whose system clock also went back.
        Phone("week rollover", receiver: rollover),
        Phone("two rollovers", receiver: 2 * rollover),
        Phone("rollover, phone 5 min fast", system: 300, receiver: rollover + 300),
        Phone("rollover of both clocks", system: rollover, receiver: rollover),
        // The system clock is wrong; the fixes have satellite time.
        Phone("system 3 min fast", system: 180, receiver: 0, isOfOtherClock: true),
        Phone("system a day fast", system: 86_400, receiver: 0, isOfOtherClock: true),
        Phone("system 3 min slow", system: -180, receiver: 0, isOfOtherClock: true),
        Phone("system 30 s slow", system: -30, receiver: 0, isOfOtherClock: true),
        Phone("system of 1970", system: -1_795_000_000, receiver: 0, isOfOtherClock: true),
        // The fixes are an hour, or half an hour, ahead.
        Phone("fixes an hour ahead", receiver: 3_600, isOfOtherClock: true),
        Phone("fixes five and a half hours ahead", receiver: 19_800, isOfOtherClock: true),
        Phone("fixes 37 s ahead, as by atomic time", receiver: 37, isOfOtherClock: true),
        // One clock, off by anything.
        Phone("5 min fast", system: 300, receiver: 300),
        Phone("an hour slow", system: -3_600, receiver: -3_600),
    ]

    /// North of the place by age: the circle of 50 m is crossed 8.75 s before the fix at 40 m.
    static let way: [(age: Double, metres: Double)] = [(40, 120), (30, 40), (20, 20), (10, 10), (0, 5)]
    static let crossing = 31.25

    @Test(.proves("5.28"), arguments: phones)
    func `credits five fixes of one report at the crossing, whatever the two clocks`(_ phone: Phone) {
        var world = SessionWorld(accepted: 2)
        let fixes = Self.way.enumerated().map { phone.fix(UInt32($0 + 1), at: -$1.age, metres: $1.metres) }
        let receipt = world.report(2, fixes, at: 0, sent: phone.sent(at: 0))?.receipt
        #expect(receipt?.taken == [1, 2, 3, 4, 5])
        #expect(receipt?.rejected == [])
        #expect(world.archive.fixes.map(\.fix.isOfOtherClock) == .init(repeating: phone.isOfOtherClock, count: 5))
        #expect(isNear(world.entry(2)?.arrival.creditedAt, -Self.crossing))
        world.finish()
        #expect(world.row(2)?.outcome == .early)
    }

    @Test(.proves("5.29"), arguments: phones)
    func `credits single fixes at the crossing, whatever the two clocks`(_ phone: Phone) {
        var world = SessionWorld(accepted: 2)
        for (index, step) in Self.way.enumerated() {
            let fix = phone.fix(UInt32(index + 1), at: -step.age - 0.5, metres: step.metres)
            #expect(world.report(2, [fix], at: -step.age, sent: phone.sent(at: -step.age))?.receipt?.rejected == [])
        }
        // By another clock, the newest fix was made at its receipt.
        #expect(isNear(world.entry(2)?.arrival.creditedAt, -Self.crossing - (phone.isOfOtherClock ? 0 : 0.5)))
    }

    /// The pace of clocks that are behind by whole half hours reveals them.
    @Test(.proves("5.29"), arguments: [1_800.0, 3_600, 19_800, 34_200])
    func `credits the true time to a phone with fixes in another zone`(behind: Double) {
        var world = SessionWorld(accepted: 2)
        let phone = Phone("", receiver: -behind)
        for (index, second) in stride(from: -300.0, through: 20, by: 5).enumerated() {
            let fix = phone.fix(UInt32(index + 1), at: second, metres: max(10, 10 - second * 1.2))
            world.report(2, [fix], at: second, sent: phone.sent(at: second))
        }
        // 50 m before the place at 1.2 m/s.
        #expect(isNear(world.entry(2)?.arrival.creditedAt, -40 / 1.2))
        let marks = world.archive.fixes.map(\.fix.isOfOtherClock)
        #expect(!marks.suffix(55).contains(false) && marks.count >= 60)
    }

    @Test(.proves("5.30")) func `a clock stepped on the way does not move the arrival`() {
        let steps: [(before: Phone, after: Phone)] = [
            (Phone("", system: 180, receiver: 180), Phone("", receiver: 0)),
            (Phone("", system: -180, receiver: -180), Phone("", receiver: 0)),
            (Phone("", system: 180, receiver: 0), Phone("", receiver: 0)),
            (Phone("", system: -180, receiver: 0), Phone("", receiver: 0)),
            (Phone("", receiver: 0), Phone("", system: 600, receiver: 0)),
            (Phone("", receiver: 0), Phone("", system: -600, receiver: -600)),
        ]
        for (before, after) in steps {
            var world = SessionWorld(accepted: 2)
            for (index, second) in stride(from: -100.0, through: 20, by: 5).enumerated() {
                let phone = second < -60 ? before : after
                let fix = phone.fix(UInt32(index + 1), at: second, metres: max(10, 10 - second * 1.2))
                world.report(2, [fix], at: second, sent: phone.sent(at: second))
            }
            #expect(isNear(world.entry(2)?.arrival.creditedAt, -40 / 1.2), "\(before) to \(after)")
        }
    }

    @Test(.proves("5.30"), arguments: [3_600.0, 86_400, 200])
    func `a fix from the future does not hide later ones`(lead: Double) {
        var world = SessionWorld(accepted: 2)
        let (right, odd) = (Phone("", receiver: 0), Phone("", receiver: lead))
        world.report(2, [odd.fix(1, at: -60, metres: 150)], at: -60, sent: odd.sent(at: -60))
        for (index, step) in Self.way.enumerated() {
            let fix = right.fix(UInt32(index + 2), at: -step.age, metres: step.metres)
            world.report(2, [fix], at: -step.age, sent: right.sent(at: -step.age))
        }
        #expect(isNear(world.entry(2)?.arrival.creditedAt, -Self.crossing))
    }

    @Test func `a cached fix from an hour ago makes no current arrival`() {
        for phone in [
            Phone("", receiver: 0), Phone("", system: -300, receiver: 0), Phone("", system: 300, receiver: 0),
        ] {
            var world = SessionWorld(accepted: 2)
            world.report(2, [phone.fix(1, at: 0, metres: 900)], at: 0, sent: phone.sent(at: 0))
            let cached = phone.fix(2, at: 5 - 3_600, metres: 5)
            #expect(world.report(2, [cached], at: 5, sent: phone.sent(at: 5))?.receipt?.taken == [])
            world.report(2, [phone.fix(3, at: 10, metres: 890)], at: 10, sent: phone.sent(at: 10))
            world.finish()
            #expect(world.row(2)?.outcome == .noShow)
        }
    }

    @Test(.proves("5.29")) func `learns both clocks from the next report after a restart`() {
        var world = SessionWorld(accepted: 2)
        let phone = Phone("", system: 180, receiver: 0)
        world.report(2, [phone.fix(1, at: -50, metres: 150)], at: -50, sent: phone.sent(at: -50))
        world.restart(at: .meeting - .seconds(45))
        for (index, step) in Self.way.enumerated() {
            let fix = phone.fix(UInt32(index + 2), at: -step.age, metres: step.metres)
            world.report(2, [fix], at: -step.age, sent: phone.sent(at: -step.age))
        }
        #expect(isNear(world.entry(2)?.arrival.creditedAt, -Self.crossing))
        #expect(!world.archive.fixes.contains { !$0.fix.isOfOtherClock })
    }

    // MARK: - Fixes of one time

    /// Fixes from far to near, without clocks, numbered from 100.
    private static func clockless(_ numbers: [UInt32] = [100, 101, 102, 103, 104]) -> [Fix] {
        numbers.map { .sample(seq: $0, metres: 120 - Double($0 - 100) * 20, accuracy: 8) }
    }

    @Test(
        .proves("5.31"),
        arguments: [[100, 101, 102, 103, 104], [104, 103, 102, 101, 100], [102, 104, 100, 103, 101]] as [[UInt32]]
    )
    func `applies the highest-numbered fix without a clock and acknowledges the others`(order: [UInt32]) {
        var world = SessionWorld(accepted: 2)
        let fixes = Self.clockless(order)
        let receipt = world.report(2, fixes, at: 0, sent: ClockReadings())?.receipt
        #expect(receipt?.taken == order)
        #expect(receipt?.rejected == [])
        #expect(world.archive.fixes.map(\.fix.seq) == [104])
        #expect(world.shown(2, at: 1)?.seq == 104)
        // Sent again, the applied one is still the highest: the others do not replace it.
        #expect(world.report(2, fixes, at: 5, sent: ClockReadings())?.receipt?.taken == order)
        #expect(world.archive.fixes.map(\.fix.seq) == [104])
    }

    struct Lead: Sendable {
        /// How far number 1 is dated ahead, and each next one further, in milliseconds.
        var first: Double
        var step = 1.0
        var kept: [UInt32]
        var taken: [UInt32] = [2, 3, 1]
    }

    static let leads: [Lead] = [
        Lead(first: 4_600, step: 200, kept: [1, 2, 3]),
        // Of fixes within 100 ms, the first of those that keep their time, the highest number of those that lose it.
        Lead(first: 4_999, kept: [2, 3]),
        Lead(first: 5_001, kept: [3]),
        Lead(first: 59_998, kept: [3]),
        // The highest number is refused.
        Lead(first: 59_999, kept: [2], taken: [2, 1]),
        Lead(first: 60_001, kept: [], taken: []),
    ]

    @Test(.proves("5.31"), arguments: leads)
    func `applies the highest-numbered fix of those set to their receipt`(_ row: Lead) {
        var world = SessionWorld(accepted: 2)
        // By uptime: by the wall clock they would be of another clock.
        let fixes = ([2, 3, 1] as [UInt32]).map {
            Fix.sample(seq: $0, metres: 300, uptimeMs: row.first + Double($0 - 1) * row.step)
        }
        let receipt = world.report(2, fixes, at: 0, sent: ClockReadings(uptimeMs: 0))?.receipt
        #expect(world.archive.fixes.map(\.fix.seq).sorted() == row.kept)
        #expect(receipt?.taken == row.taken)
    }

    @Test(.proves("5.31")) func `a rejected fix displaces no other`() {
        var world = SessionWorld(accepted: 2)
        var fixes = Self.clockless()
        fixes[4].accuracyMetres = 10_001
        let receipt = world.report(2, fixes, at: 0, sent: ClockReadings())?.receipt
        #expect(receipt?.taken == [100, 101, 102, 103])
        #expect(receipt?.rejected.map(\.seq) == [104])
        #expect(world.archive.fixes.map(\.fix.seq) == [103])
    }

    private func isNear(_ instant: Instant?, _ second: Double) -> Bool {
        instant.map { abs(($0 - (.meeting + .seconds(second))).milliseconds) < 100 } ?? false
    }
}
