import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The clock of the fixes compared with a model that stores everything and evaluates all of it each time.
@Suite struct FixClockPropertyTests {
    /// Everything that a device sent, in milliseconds.
    private struct Model {
        struct Sent {
            var at: Double
            var offset: Double
        }

        struct Newest {
            var at: Double
            var ms: Double
            var isPaced: Bool
        }

        var sent: [Sent] = []
        var movedAt: [Double] = []
        var newest: [Newest] = []
        var highest: (seq: UInt32, ms: Double)?

        func theta(at now: Double) -> Double { sent.filter { now - $0.at <= 600_000 }.map(\.offset).min() ?? .nan }

        func phi(at now: Double) -> Double {
            newest.filter { now - $0.at <= 600_000 }.map { $0.at - $0.ms }.min() ?? .nan
        }

        func isPaced(at now: Double) -> Bool {
            let paced = newest.filter { $0.isPaced && now - $0.at <= 600_000 }.map(\.at)
            guard let first = paced.first, let last = paced.last else { return false }
            return paced.count >= 3 && last - first >= 20_000
        }

        static func folded(_ ms: Double, _ sentMs: Double, _ now: Double) -> Double {
            let week = 604_800_000.0
            guard abs(ms - sentMs) > 512 * week, abs(ms - now) > 512 * week else { return ms }
            let eras = (-100...100).map { ms + Double($0) * 1_024 * week }
            return eras.min { abs($0 - now) < abs($1 - now) } ?? ms
        }

        /// The time of each fix, and `true` if φ dates it.
        mutating func report(_ fixes: [Fix], sentMs: Double, at now: Double) -> [(ms: Double, isOther: Bool)] {
            if now - sentMs > theta(at: now) + 60_000 {
                sent = []
                movedAt.append(now)
            }
            sent.append(Sent(at: now, offset: now - sentMs))
            let readings = fixes.map { (seq: $0.seq, ms: Self.folded($0.wallMs ?? .nan, sentMs, now)) }
            var counted = readings
            var isBack = false
            for reading in readings.sorted(by: { $0.seq < $1.seq }) {
                if let highest, reading.seq < highest.seq { continue }
                if let highest, reading.ms < highest.ms - 5_000 {
                    isBack = true
                    counted = readings.filter { $0.seq >= reading.seq }
                }
                highest = reading
            }
            let last = counted.map(\.ms).max() ?? .nan
            let latest = readings.map(\.ms).max() ?? .nan
            let isMoved = movedAt.contains { now - $0 <= 600_000 }
            let lead = min(newest.isEmpty ? .infinity : phi(at: now), now - latest) < theta(at: now) - 5_000
            let isOdd = lead && !isPaced(at: now) && (-5_000...15_000).contains(now - last - theta(at: now))
            if isBack, isMoved || isOdd {
                newest = []
            } else {
                counted = withoutOdd(readings, at: now)
            }
            let ms = counted.map(\.ms).max() ?? .nan
            let isPaced = newest.last.map { ms > $0.ms && abs((now - $0.at) - (ms - $0.ms)) <= 3_000 } ?? false
            newest.append(Newest(at: now, ms: ms, isPaced: isPaced))
            let other = isOther(at: now)
            return readings.map { ((other ? phi(at: now) : theta(at: now)) + $0.ms, other) }
        }

        private func withoutOdd(_ readings: [(seq: UInt32, ms: Double)], at now: Double) -> [(seq: UInt32, ms: Double)]
        {
            if isPaced(at: now) { return readings }
            let theta = theta(at: now)
            let odd = readings.filter { now - $0.ms < theta - 60_000 }
            let follows = odd.contains { one in
                let before = readings.filter { $0.seq < one.seq }.max { $0.seq < $1.seq }
                return before.map { now - $0.ms >= theta - 5_000 && now - $0.ms <= theta + 15_000 } ?? false
            }
            return follows ? readings.filter { one in !odd.contains { $0.seq == one.seq } } : readings
        }

        private func isOther(at now: Double) -> Bool {
            let (theta, phi) = (theta(at: now), phi(at: now))
            if phi < theta - 5_000 { return true }
            if theta < -15_000, phi >= -5_000, phi <= 15_000 { return true }
            let isZone = (1...50_000).contains { step in
                let over = phi - theta - Double(step) * 1_800_000
                return over >= -5_000 && over <= 15_000
            }
            return isZone && isPaced(at: now)
        }
    }

    /// Reports of one phone whose clocks are set now and then, in all observed ways.
    @Test(.proves("5.29"), arguments: 1...40)
    func `dates each fix by the rule, whatever the clocks do`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var (clock, model) = (DeviceClock(), Model())
        let leads: [Double] = [0, 0, 0, 5, -5, 14, 16, 40, -40, 61, 180, -180, 1_800, -1_800, 3_600, -3_600, -19_800]
        var (system, receiver) = (0.0, 0.0)
        var now = Instant.meeting
        var seq: UInt32 = 0
        var flagged = 0
        for _ in 0..<400 {
            now = now + .milliseconds(.random(in: 5_000...9_000, using: &generator))
            if Int.random(in: 0..<40, using: &generator) == 0 {
                system = leads.randomElement(using: &generator) ?? 0
                let isOne = Bool.random(using: &generator)
                receiver = isOne ? system : leads.randomElement(using: &generator) ?? 0
                if Int.random(in: 0..<6, using: &generator) == 0 { receiver -= 7_168 * 86_400 }
            }
            let nowMs = Double(now.milliseconds)
            let fixes = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                seq += 1
                let isOdd = Int.random(in: 0..<40, using: &generator) == 0
                let age = isOdd ? leads.randomElement(using: &generator) ?? 0 : .random(in: 0...6, using: &generator)
                return Fix.sample(seq: seq, wallMs: nowMs + ((receiver - age) * 1_000).rounded())
            }
            .shuffled(using: &generator)
            let delay = Double.random(in: 0...4_000, using: &generator).rounded()
            let sent = ClockReadings(wallMs: nowMs + system * 1_000 - delay)
            let expected = model.report(fixes, sentMs: nowMs + system * 1_000 - delay, at: nowMs)
            clock.observe(sent, at: now)
            clock.observe(fixes, sent: sent, at: now)
            let found = fixes.map { clock.date(of: $0, sent: sent, at: now) }
            #expect(found.map { Double($0.time.milliseconds) } == expected.map(\.ms), "seed \(seed), fix \(seq)")
            #expect(found.map(\.isOfOtherClock) == expected.map(\.isOther), "seed \(seed), fix \(seq)")
            flagged += expected.filter(\.isOther).count
        }
        #expect(flagged > 0)
    }

    @Test(.proves("5.29")) func `bounds the state of a device at any reporting rate`() {
        var clock = DeviceClock()
        for number in 0..<20_000 {
            let now = Instant.meeting + .milliseconds(Int64(number) * 50)
            let sent = ClockReadings(wallMs: Double(now.milliseconds) - Double(number % 97))
            let fix = Fix.sample(seq: UInt32(number), wallMs: Double(now.milliseconds) - Double(number) / 1_000 - 1)
            clock.observe(sent, at: now)
            clock.observe([fix], sent: sent, at: now)
        }
        #expect(Self.elements(in: clock) <= 600)
    }

    /// The number of elements in all collections of a value.
    private static func elements(in value: Any) -> Int {
        let mirror = Mirror(reflecting: value)
        let own = mirror.displayStyle == .collection ? mirror.children.count : 0
        return mirror.children.reduce(own) { $0 + elements(in: $1.value) }
    }
}
