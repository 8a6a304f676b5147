import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct DeviceClockTests {
    static let now = Instant.meeting

    @Test func `corrects the fixes of a phone that is 15 minutes fast`() {
        let phone = PhoneClock(wallLead: .minutes(15))
        var clock = DeviceClock()
        let sent = phone.wallReading(at: Self.now)
        clock.observe(sent, at: Self.now)
        #expect(
            clock.time(of: phone.wallFix(at: Self.now - .seconds(3)), sent: sent, at: Self.now) == Self.now
                - .seconds(3)
        )
        #expect(!clock.wasMoved)
    }

    @Test(.proves("5.7")) func `dates a report correctly that was delayed 20 s in the network`() {
        let phone = PhoneClock(wallLead: -.seconds(100))
        var clock = DeviceClock()
        clock.observe(phone.readings(at: Self.now), at: Self.now)
        let sentAt = Self.now + .seconds(30)
        let receivedAt = sentAt + .seconds(20)
        let sent = phone.readings(at: sentAt)
        clock.observe(sent, at: receivedAt)
        #expect(clock.time(of: phone.fix(at: sentAt - .seconds(1)), sent: sent, at: receivedAt) == sentAt - .seconds(1))
        #expect(clock.time(of: phone.wallFix(at: sentAt), sent: sent, at: receivedAt) == sentAt)
        #expect(!clock.wasMoved)
    }

    @Test func `dates a delayed first report late until a faster one gives the offset`() {
        let phone = PhoneClock()
        var clock = DeviceClock()
        let sent = phone.readings(at: Self.now)
        clock.observe(sent, at: Self.now + .seconds(20))
        let fix = phone.fix(at: Self.now)
        #expect(clock.time(of: fix, sent: sent, at: Self.now + .seconds(20)) == Self.now + .seconds(20))
        let quick = phone.readings(at: Self.now + .seconds(25))
        clock.observe(quick, at: Self.now + .seconds(25))
        #expect(clock.time(of: fix, sent: quick, at: Self.now + .seconds(25)) == Self.now)
    }

    @Test(.proves("5.9")) func `detects a wall clock moved back and starts over`() {
        var phone = PhoneClock()
        var clock = DeviceClock()
        clock.observe(phone.wallReading(at: Self.now), at: Self.now)
        phone.wallLead = -.minutes(10)
        let later = Self.now + .seconds(5)
        let sent = phone.wallReading(at: later)
        clock.observe(sent, at: later)
        #expect(clock.wasMoved)
        #expect(clock.time(of: phone.wallFix(at: later - .seconds(1)), sent: sent, at: later) == later - .seconds(1))
    }

    @Test(.proves("5.9")) func `follows a wall clock moved ahead at once`() {
        var phone = PhoneClock()
        var clock = DeviceClock()
        clock.observe(phone.wallReading(at: Self.now), at: Self.now)
        phone.wallLead = .minutes(10)
        let later = Self.now + .seconds(5)
        let sent = phone.wallReading(at: later)
        clock.observe(sent, at: later)
        #expect(clock.time(of: phone.wallFix(at: later), sent: sent, at: later) == later)
    }

    @Test(.proves("5.8")) func `moving the wall clock improves no rank, because uptime takes precedence`() {
        var phone = PhoneClock()
        var clock = DeviceClock()
        clock.observe(phone.readings(at: Self.now), at: Self.now)
        let made = Self.now + .seconds(4)
        let later = Self.now + .seconds(5)
        phone.wallLead = .minutes(20)
        let sent = phone.readings(at: later)
        clock.observe(sent, at: later)
        phone.wallLead = -.minutes(20)
        #expect(clock.time(of: phone.fix(at: made), sent: sent, at: later) == made)
    }

    struct Delay: Sendable {
        /// The delay of the second sample after the fastest.
        var delay: TimeSpan
        var wasMoved: Bool
    }

    static let delays: [Delay] = [
        Delay(delay: .milliseconds(59_999), wasMoved: false),
        Delay(delay: .milliseconds(60_000), wasMoved: false),
        Delay(delay: .milliseconds(60_001), wasMoved: true),
    ]

    @Test(.proves("5.9"), arguments: delays)
    func `treats more than 60 s above the offset as a moved clock`(_ row: Delay) {
        let phone = PhoneClock()
        var clock = DeviceClock()
        clock.observe(phone.readings(at: Self.now), at: Self.now)
        let sentAt = Self.now + .seconds(5)
        let receivedAt = sentAt + row.delay
        let sent = phone.readings(at: sentAt)
        clock.observe(sent, at: receivedAt)
        #expect(clock.wasMoved == row.wasMoved)
        let expected = row.wasMoved ? receivedAt : sentAt
        #expect(clock.time(of: phone.fix(at: sentAt), sent: sent, at: receivedAt) == expected)
        #expect(clock.time(of: phone.wallFix(at: sentAt), sent: sent, at: receivedAt) == expected)
    }

    struct Age: Sendable {
        /// The age of the fastest sample.
        var age: TimeSpan
        var counts: Bool
    }

    static let ages: [Age] = [
        Age(age: .minutes(10) - .milliseconds(1), counts: true),
        Age(age: .minutes(10), counts: true),
        Age(age: .minutes(10) + .milliseconds(1), counts: false),
    ]

    @Test(.proves("5.7"), arguments: ages)
    func `the smallest offset counts for 10 minutes`(_ row: Age) {
        let phone = PhoneClock()
        var clock = DeviceClock()
        clock.observe(phone.readings(at: Self.now), at: Self.now)
        let receivedAt = Self.now + row.age
        let sentAt = receivedAt - .seconds(20)
        let sent = phone.readings(at: sentAt)
        clock.observe(sent, at: receivedAt)
        let expected = row.counts ? sentAt : receivedAt
        #expect(clock.time(of: phone.fix(at: sentAt), sent: sent, at: receivedAt) == expected)
    }

    @Test(arguments: ages)
    func `a clock counts without a reading in the report for 10 minutes after a sync`(_ row: Age) {
        let phone = PhoneClock(wallLead: .minutes(2))
        var clock = DeviceClock()
        clock.observe(syncs: [ClockSync(readings: phone.readings(at: Self.now), receivedAt: Self.now)])
        let receivedAt = Self.now + row.age
        let made = receivedAt - .seconds(7)
        let expected = row.counts ? made : receivedAt
        #expect(clock.time(of: phone.fix(at: made), sent: ClockReadings(), at: receivedAt) == expected)
        #expect(clock.time(of: phone.wallFix(at: made), sent: ClockReadings(), at: receivedAt) == expected)
    }

    @Test(.proves("5.8")) func `ignores a clock without a sending reading`() {
        let phone = PhoneClock(wallLead: .minutes(2))
        var clock = DeviceClock()
        let sent = phone.wallReading(at: Self.now)
        clock.observe(sent, at: Self.now)
        // Uptime in the fix, none in the report: the wall clock decides.
        #expect(
            clock.time(of: phone.fix(at: Self.now - .seconds(9)), sent: sent, at: Self.now) == Self.now - .seconds(9)
        )
        // Uptime only: the receipt decides.
        let uptimeOnly = Fix.sample(uptimeMs: phone.uptimeMs(at: Self.now - .seconds(9)))
        #expect(clock.time(of: uptimeOnly, sent: sent, at: Self.now) == Self.now)
        // A report does not validate the next one.
        #expect(
            clock.time(of: phone.wallFix(at: Self.now), sent: ClockReadings(), at: Self.now + .seconds(1)) == Self.now
                + .seconds(1)
        )
    }

    @Test(.proves("5.8")) func `a sync of one clock does not validate the other`() {
        let phone = PhoneClock(wallLead: .minutes(2))
        var clock = DeviceClock()
        clock.observe(syncs: [ClockSync(readings: phone.wallReading(at: Self.now), receivedAt: Self.now)])
        let uptimeOnly = Fix.sample(uptimeMs: phone.uptimeMs(at: Self.now))
        #expect(clock.time(of: uptimeOnly, sent: ClockReadings(), at: Self.now + .seconds(1)) == Self.now + .seconds(1))
    }

    @Test(.proves("5.8")) func `dates a fix without clocks by its receipt`() {
        #expect(DeviceClock().time(of: .sample(), sent: ClockReadings(), at: Self.now) == Self.now)
    }

    @Test func `a repeated sync changes nothing`() {
        let phone = PhoneClock()
        let sync = ClockSync(readings: phone.readings(at: Self.now), receivedAt: Self.now)
        var once = DeviceClock()
        once.observe(syncs: [sync])
        var twice = once
        twice.observe(syncs: [sync])
        #expect(once == twice)
    }

    @Test(.proves("5.7"), arguments: 1...20)
    func `the offset is the smallest of the last 10 minutes, whatever the delays`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let phone = PhoneClock()
        var clock = DeviceClock()
        var delays: [(at: Instant, delay: TimeSpan)] = []
        var receivedAt = Self.now
        for _ in 0..<300 {
            receivedAt = receivedAt + .milliseconds(.random(in: 5_000...90_000, using: &generator))
            let delay = TimeSpan.milliseconds(.random(in: 0...44_000, using: &generator))
            delays.append((receivedAt, delay))
            let sent = phone.readings(at: receivedAt - delay)
            clock.observe(sent, at: receivedAt)
            let smallest = delays.filter { receivedAt - $0.at <= .minutes(10) }.map(\.delay).min() ?? .zero
            let time = clock.time(of: phone.fix(at: receivedAt - delay), sent: sent, at: receivedAt)
            #expect(time == receivedAt - delay + smallest, "seed \(seed)")
        }
        #expect(!clock.wasMoved)
    }

    @Test func `each of several close samples counts for its own 10 minutes`() {
        let phone = PhoneClock()
        var clock = DeviceClock()
        clock.observe(phone.readings(at: Self.now), at: Self.now)
        // Three seconds later one that waited a second; then one that waited 20 s, when only the first has been
        // dropped.
        let second = Self.now + .seconds(3)
        clock.observe(phone.readings(at: second - .seconds(1)), at: second)
        let receivedAt = Self.now + .minutes(10) + .seconds(2)
        let sentAt = receivedAt - .seconds(20)
        let sent = phone.readings(at: sentAt)
        clock.observe(sent, at: receivedAt)
        #expect(clock.time(of: phone.fix(at: sentAt), sent: sent, at: receivedAt) == sentAt + .seconds(1))
    }
}
