import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Phones that date their fixes by one wall clock and their reports by another (domain §5, "Two wall clocks").
@Suite struct FixClockTests {
    typealias Fate = TwoClockPhone.Fate
    static let week = 7.0 * 86_400
    static let zone = 1_800.0

    // MARK: - Weeks

    struct Rollover: Sendable {
        /// How far `recordedAt` and `sentAt` are ahead of the server's clock, in seconds.
        var receiver: Double
        var system = 0.0
        /// The age of the fix by the server's clock.
        var age: Double
        var isOfOtherClock = false
    }

    static let rollovers: [Rollover] = [
        // Up to 512 weeks behind it is merely old; beyond, 1,024 weeks are too many.
        Rollover(receiver: -512 * week + 0.001, age: 512 * week - 0.001),
        Rollover(receiver: -512 * week, age: 512 * week),
        Rollover(receiver: -512 * week - 0.001, age: 0, isOfOtherClock: true),
        // One era, two, and one too many.
        Rollover(receiver: -1_024 * week - 40, age: 40),
        Rollover(receiver: -2_048 * week - 40, age: 40),
        Rollover(receiver: 1_024 * week - 40, age: 40),
        // 19 years and a day: folding leaves the day.
        Rollover(receiver: -1_024 * week - 86_400, age: 86_400),
        // The system's clock went back by the same amount: detected by θ.
        Rollover(receiver: -1_024 * week - 40, system: -1_024 * week, age: 40),
        // Not a rollover near the sending clock.
        Rollover(receiver: -1_024 * week - 40, system: -512 * week - 40, age: 512 * week),
        Rollover(receiver: -1_024 * week - 40, system: -512 * week - 39.999, age: 0, isOfOtherClock: true),
        // A phone five minutes fast with such a receiver: the offset of the system's clock counts.
        Rollover(receiver: -1_024 * week + 300 - 40, system: 300, age: 40),
    ]

    @Test(.proves("5.28"), arguments: rollovers)
    func `a date far from both clocks is moved by whole numbers of 1,024 weeks`(_ row: Rollover) {
        var phone = TwoClockPhone(system: row.system, receiver: row.receiver)
        #expect(phone.report([0], at: 0) == [Fate(row.age, row.isOfOtherClock)])
    }

    @Test(.proves("5.28")) func `uses the synchronized clock if the report has no sending clock`() {
        var phone = TwoClockPhone(system: nil, receiver: -1_024 * Self.week)
        let now = Instant.meeting
        let readings = ClockReadings(wallMs: Double(now.milliseconds))
        phone.clock.observe(syncs: [ClockSync(readings: readings, receivedAt: now)])
        #expect(phone.report([3], at: 5) == [Fate(3, false)])
    }

    // MARK: - The three cases

    struct Case: CustomTestStringConvertible, Sendable {
        var system: Double
        /// How far the newest `recordedAt` is ahead of the server's clock.
        var newest: Double
        /// The age of the newest fix by the server's clock.
        var age: Double
        var isOfOtherClock: Bool
        var testDescription: String { "sentAt \(system) s, recordedAt \(newest) s" }

        init(_ system: Double, _ newest: Double, _ age: Double, _ isOfOtherClock: Bool) {
            (self.system, self.newest, self.age, self.isOfOtherClock) = (system, newest, age, isOfOtherClock)
        }
    }

    static let cases: [Case] = [
        // Ahead: more than 5 s above the sending clock.
        Case(0, 4.999, -4.999, false), Case(0, 5, -5, false), Case(0, 5.001, 0, true),
        Case(-180, 0, 0, true), Case(-180, -175, -5, false), Case(-180, -174.999, 0, true),
        Case(0, 3_600, 0, true), Case(0, 86_400, 0, true), Case(-30, -20, 0, true),
        // Satellite: the sending clock more than 15 s fast, φ from 5 s below zero to 15 s above it.
        Case(14.999, 0, 14.999, false), Case(15, 0, 15, false), Case(15.001, 0, 0, true),
        Case(180, 5.001, 174.999, false), Case(180, 5, 0, true), Case(180, 4.999, 0, true),
        Case(180, -14.999, 0, true), Case(180, -15, 0, true), Case(180, -15.001, 195.001, false),
        // One clock, fast, right or slow, with fixes of any age.
        Case(300, 300, 0, false), Case(300, 260, 40, false), Case(0, -40, 40, false), Case(-300, -340, 40, false),
        Case(0, -3_600, 3_600, false), Case(3_600, 0, 0, true), Case(300, 240, 60, false),
    ]

    @Test(.proves("5.29"), arguments: cases)
    func `another clock dates the fixes where it is ahead of the sending clock, or right by satellite`(_ row: Case) {
        var phone = TwoClockPhone(system: row.system, receiver: row.newest)
        #expect(phone.report([0], at: 0) == [Fate(row.age, row.isOfOtherClock)])
        // An older fix of the same report is older by the same amount, though it alone might not show the rollover.
        var other = TwoClockPhone(system: row.system, receiver: row.newest)
        #expect(
            other.report([100, 0], at: 0) == [row.age + 100, row.age].map { Fate($0, row.isOfOtherClock) }
        )
    }

    @Test(.proves("5.29")) func `leaves reports by uptime unchanged, whatever their wall clocks`() {
        var clock = DeviceClock()
        for second in stride(from: 0.0, through: 60, by: 5) {
            let now = Instant.meeting + .seconds(second)
            let sent = ClockReadings(uptimeMs: second * 1_000 + 7_000, wallMs: Double(now.milliseconds) + 180_000)
            let fix = Fix.sample(
                seq: UInt32(second) + 1,
                uptimeMs: sent.uptimeMs.map { $0 - 2_000 },
                wallMs: Double(now.milliseconds) + 3_600_000
            )
            clock.observe(sent, at: now)
            clock.observe([fix], sent: sent, at: now)
            #expect(clock.date(of: fix, sent: sent, at: now) == FixDate(time: now - .seconds(2)))
        }
    }

    @Test(.proves("5.29"), arguments: [(600.0, true), (600.001, false)])
    func `derives a clock's offset from the newest fix for 10 minutes`(second: Double, counts: Bool) {
        var phone = TwoClockPhone(system: 180, receiver: 0)
        _ = phone.report([0], at: 0)
        // Its newest fix is too old to prove a correct receiver.
        #expect(phone.report([20], at: second) == [counts ? Fate(20, true) : Fate(200, false)])
    }

    @Test func `derives nothing from a report with an ignored wall clock`() {
        var phone = TwoClockPhone(system: nil, receiver: 3_600)
        #expect(phone.report([0], at: 0) == [Fate(0, false)])
        phone.system = 0
        phone.receiver = 0
        #expect(phone.report([2], at: 5) == [Fate(2, false)])
    }

    @Test func `derives nothing from an implausible fix`() {
        var phone = TwoClockPhone(system: 0, receiver: 0)
        let now = Instant.meeting
        let sent = ClockReadings(wallMs: Double(now.milliseconds))
        var odd = Fix.sample(seq: 1_000, wallMs: Double(now.milliseconds) + 3_600_000)
        odd.coordinate = Coordinate(latitude: 0, longitude: 0)
        phone.clock.observe(sent, at: now)
        phone.clock.observe([odd], sent: sent, at: now)
        #expect(phone.report([2], at: 5) == [Fate(2, false)])
    }

    // MARK: - Zones

    /// A phone whose fixes' clock is behind by this sends six reports, one every 5 s.
    static func paced(behind seconds: Double) -> [Fate] {
        var phone = TwoClockPhone(system: 0, receiver: -seconds)
        return stride(from: 0.0, through: 25, by: 5).flatMap { phone.report([0], at: $0) }
    }

    static let lags: [(seconds: Double, isZone: Bool)] = [
        // From 5 s below a whole number of half hours to 15 s above it.
        (zone - 5.001, false), (zone - 5, true), (zone, true), (zone + 15, true), (zone + 15.001, false),
        (2 * zone - 5.001, false), (2 * zone - 5, true), (2 * zone + 15, true), (2 * zone + 15.001, false),
        (11 * zone, true), (26 * zone + 3, true),
        // Neither a quarter of an hour nor zero is one.
        (11.5 * zone, false), (0, false), (10, false), (900, false), (3_000, false),
    ]

    @Test(.proves("5.29"), arguments: lags)
    func `a steady clock behind by whole half hours is in another zone`(
        row: (seconds: Double, isZone: Bool)
    ) {
        let fates = Self.paced(behind: row.seconds)
        // Five seconds before the pace is long enough, the fixes are old.
        #expect(fates.dropLast().allSatisfy { $0 == Fate(row.seconds, false) })
        #expect(fates.last == (row.isZone ? Fate(0, true) : Fate(row.seconds, false)))
    }

    struct Pace: CustomTestStringConvertible, Sendable {
        var name: String
        /// When the reports are received, and how old the newest fix of each is besides the hour.
        var reports: [(second: Double, age: Double)]
        var isKept: Bool
        var testDescription: String { name }

        init(_ name: String, _ isKept: Bool, _ reports: [(second: Double, age: Double)]) {
            (self.name, self.isKept, self.reports) = (name, isKept, reports)
        }
    }

    static let paces: [Pace] = [
        // The first report has no predecessor.
        Pace("three over 20 s", true, [(0, 0), (5, 0), (15, 0), (25, 0)]),
        Pace("three over 19.999 s", false, [(0, 0), (5, 0), (15, 0), (24.999, 0)]),
        Pace("two over 20 s", false, [(0, 0), (5, 0), (25, 0)]),
        Pace("fixes 3 s late", true, [(0, 0), (5, 3), (15, 3), (25, 3)]),
        Pace("fixes 3.001 s late", false, [(0, 0), (5, 3.001), (15, 3.001), (25, 3.001)]),
        Pace("fixes 3 s early", true, [(0, 3), (5, 0), (15, 0), (25, 0)]),
        Pace("fixes 3.001 s early", false, [(0, 3.001), (5, 0), (15, 0), (25, 0)]),
        Pace("one of four is late", true, [(0, 0), (5, 0), (15, 0), (16, 6), (25, 6)]),
        Pace("the same fix again and again", false, [(0, 0), (5, 5), (15, 15), (25, 25), (35, 35)]),
        Pace("the same fix again at once", false, [(0, 0), (1, 1), (2, 2), (22, 22), (23, 23), (24, 24)]),
        Pace("the first 10 minutes ago", true, [(0, 0), (5, 0), (15, 0), (25, 0), (605, 12)]),
        Pace("the first longer ago", false, [(0, 0), (5, 0), (15, 0), (25, 0), (605.001, 12)]),
        Pace("a second first, within 10 minutes", true, [(0, 0), (4, 0), (5, 0), (15, 0), (25, 0), (605, 12)]),
        Pace("many, close together", true, (0...50).map { (Double($0) / 2, 0) }),
        Pace("many, for less than 20 s", false, (0...40).map { (Double($0) / 2, 0) }),
    ]

    @Test(.proves("5.29"), arguments: paces)
    func `three reports over 20 s with fixes at the same pace make a clock steady`(_ row: Pace) {
        var phone = TwoClockPhone(system: 0, receiver: -3_600)
        var last: [Fate] = []
        for report in row.reports { last = phone.report([report.age], at: report.second) }
        #expect(last.map(\.isOfOtherClock) == [row.isKept])
    }

    @Test(.proves("5.29")) func `old fixes stay old, single or repeated`() {
        // A cached fix an hour old, at the start and between others.
        var once = TwoClockPhone(receiver: 0)
        #expect(once.report([3_600], at: 0) == [Fate(3_600, false)])
        #expect(once.report([0], at: 5) == [Fate(0, false)])
        #expect(once.report([3_600], at: 10) == [Fate(3_600, false)])
        #expect(once.report([3_600, 0], at: 15) == [Fate(3_600, false), Fate(0, false)])
        // Always the same cached fix, and a receiver late by a minute or a quarter of an hour.
        var always = TwoClockPhone(receiver: 0)
        for second in stride(from: 0.0, through: 100, by: 5) {
            #expect(always.report([3_600 + second], at: second) == [Fate(3_600 + second, false)])
        }
        for age in [60.0, 900, 5_000] {
            var late = TwoClockPhone(receiver: 0)
            for second in stride(from: 0.0, through: 100, by: 5) {
                #expect(late.report([age], at: second) == [Fate(age, false)])
            }
        }
    }

    @Test func `a backlog sent in parts keeps its age`() {
        // Two hours of fixes, one every 5 s, 200 in a report, a report a second.
        var phone = TwoClockPhone(receiver: 0)
        for piece in 0..<8 {
            let second = Double(piece)
            let ages = (0..<200).map { 8_000 - Double(piece * 200 + $0) * 5 + second }
            #expect(phone.report(ages, at: second) == ages.map { Fate($0, false) })
        }
    }

    // MARK: - Going back

    @Test(.proves("5.30")) func `fixes keep their age after a phone's clock is set back`() {
        var phone = TwoClockPhone(system: 180, receiver: 180)
        #expect(phone.report([0], at: 0) == [Fate(0, false)])
        (phone.system, phone.receiver) = (0, 0)
        #expect(phone.report([0], at: 5) == [Fate(0, false)])
        #expect(phone.report([4, 0], at: 10) == [Fate(4, false), Fate(0, false)])
        // The opposite direction needs no rule.
        (phone.system, phone.receiver) = (600, 600)
        #expect(phone.report([4, 0], at: 15) == [Fate(4, false), Fate(0, false)])
    }

    @Test(.proves("5.30"), arguments: [(5.0, false), (5.001, true)])
    func `detects a clock set back by more than 5 s from fix to fix`(seconds: Double, isSetback: Bool) {
        var phone = TwoClockPhone(system: 180, receiver: 180)
        _ = phone.report([0], at: 0)
        phone.system = 0
        // The previous fix was made at 180; this one reduces it by this amount.
        let reading = 180 - 5 - seconds
        let fates = phone.report(readings: [reading], at: 5)
        // As a setback this fix alone determines φ and is ahead as before; otherwise the previous one does.
        #expect(fates == [isSetback ? Fate(0, true) : Fate(5 + seconds, true)])
    }

    @Test(.proves("5.30"), arguments: [(600.0, true), (600.001, false)])
    func `accepts a clock set back for 10 minutes after the sending clock`(seconds: Double, isSetback: Bool) {
        var phone = TwoClockPhone(system: 180, receiver: 180)
        _ = phone.report([0], at: 0)
        phone.system = 0
        // θ starts over here; the fixes' clock is steady, so it counts as ahead.
        for second in stride(from: 5.0, through: 595, by: 10) {
            #expect(phone.report([0], at: second) == [Fate(0, true)])
        }
        phone.receiver = 0
        let fates = phone.report([0], at: 5 + seconds)
        // Too late for a setback, it has the age given by the clock that was ahead.
        #expect(fates == [isSetback ? Fate(0, false) : Fate(180, true)])
    }

    @Test(.proves("5.30")) func `derives the offset only from later fixes of the report in which the clock went back`()
    {
        var phone = TwoClockPhone(system: 180, receiver: 180)
        _ = phone.report([0], at: 0)
        phone.system = 0
        // Two fixes from before the clock was set, and two from after.
        #expect(phone.report(readings: [176, 177, -2, 0], at: 5).suffix(2) == [Fate(2, false), Fate(0, false)])
    }

    @Test(.proves("5.30")) func `the pace starts over when the clock goes back`() {
        var phone = TwoClockPhone(system: 180, receiver: 180 - 3_600)
        for second in stride(from: 0.0, through: 25, by: 5) { _ = phone.report([0], at: second) }
        #expect(phone.report([0], at: 30) == [Fate(0, true)])
        (phone.system, phone.receiver) = (0, -3_600)
        for second in stride(from: 35.0, through: 55, by: 5) {
            #expect(phone.report([0], at: second) == [Fate(3_600, false)])
        }
        #expect(phone.report([0], at: 60) == [Fate(0, true)])
    }

    // MARK: - Odd fixes (decision 0053)

    @Test(.proves("5.30"), arguments: [60, 3_600, 86_400, 31_536_000] as [Double])
    func `a fix from the future does not move later fixes`(lead: Double) {
        var first = TwoClockPhone(receiver: 0)
        #expect(first.report(readings: [lead], at: 0) == [Fate(0, true)])
        #expect(first.report([0], at: 5) == [Fate(0, false)])
        #expect(first.report([2, 0], at: 10) == [Fate(2, false), Fate(0, false)])
        var later = TwoClockPhone(receiver: 0)
        _ = later.report([0], at: 0)
        #expect(later.report([4, -lead, 2, 0], at: 5) == [4, -lead, 2, 0].map { Fate($0, false) })
        #expect(later.report([0], at: 10) == [Fate(0, false)])
    }

    @Test(arguments: [(60.0, true), (60.001, false)])
    func `a future last fix leaves the age of the others in its report`(
        row: (lead: Double, isOfOtherClock: Bool)
    ) {
        var phone = TwoClockPhone(receiver: 0)
        let fates = phone.report([10, 5, -row.lead], at: 0)
        let shift = row.isOfOtherClock ? row.lead : 0
        #expect(fates == [10, 5, -row.lead].map { Fate($0 + shift, row.isOfOtherClock) })
        #expect(phone.report([1], at: 5) == [Fate(1, false)])
    }

    @Test(arguments: [(-4.999, true), (15, true), (15.001, false), (100, false)] as [(Double, Bool)])
    func `a fix is odd only after one that agrees with the sending clock`(row: (age: Double, isOdd: Bool)) {
        var phone = TwoClockPhone(receiver: 0)
        let fates = phone.report([row.age, -3_600], at: 0)
        #expect(fates.map(\.isOfOtherClock) == [!row.isOdd, !row.isOdd])
    }

    @Test func `a steady clock ahead stays so after a fix of that age`() {
        var phone = TwoClockPhone(system: -3_600, receiver: 0)
        for second in stride(from: 0.0, through: 25, by: 5) {
            #expect(phone.report([0], at: second) == [Fate(0, true)])
        }
        #expect(phone.report([3_600], at: 30) == [Fate(3_600, true)])
        #expect(phone.report([0], at: 35) == [Fate(0, true)])
    }
}
