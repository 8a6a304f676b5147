import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Domain §6, points 1 to 3: the detector agrees with a second implementation of the rule, on sequences of the values
/// at which the rule's decision changes.
@Suite struct RuleReadingTests {
    /// Fixes and instants, by seed.
    private struct Trial {
        let radius: Double
        let settlesAt: Instant
        let fixes: [SettledFix]
        let instants: [Instant]

        init(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            let radii: [Double] = [20, 50, 100, 200]
            let radius = radii.randomElement(using: &generator) ?? 50
            let near: Double = radius + max(radius / 10, 10)
            let places: [Double] = [0, radius / 3, radius - 5, radius, radius + 0.001, near, near + 0.001]
            let gaps: [Double] = [
                0.2, 2, 4.499, 4.5, 5, 5, 5, 10, 20, 29.499, 29.5, 30, 30.5, 60, 115, 120, 120.001, 210, 300,
            ]
            let errors: [Double?] = [nil, 0, 3, 10, 10, 10, 20, 50, 70, 70.001, 100, 150, radius, radius + 0.001, 900]
            let speeds: [Double?] = [nil, nil, 0, -0.0, 0.001, 1, 2.5, 2.501, 8, 8.001]
            // Some stay, some only pass.
            let stay = Double.random(in: 0...1, using: &generator)
            var (at, metres) = (0.0, radius * 3)
            var sights: [Sight] = []
            for _ in 0..<Int.random(in: 1...24, using: &generator) {
                at += gaps.randomElement(using: &generator) ?? 5
                let error: Double? = errors.randomElement(using: &generator) ?? 10
                if Double.random(in: 0...1, using: &generator) > stay {
                    let e = max(error ?? 50, 5)
                    let edges: [Double] = [radius + min(e, 100), radius + max(radius / 10, 20) + min(e, 100)]
                    let beyond: [Double] = edges.map { $0 + 0.001 }
                    metres = (places + edges + beyond).randomElement(using: &generator) ?? 0
                }
                let speed: Double? = speeds.randomElement(using: &generator) ?? nil
                sights.append(Sight(at, metres, error: error, speed: speed))
            }
            self.radius = radius
            fixes = sights.fixes
            let end = fixes.last.map(\.time) ?? .meeting
            let spans: [Double] = [
                0.0, 29.999, 30, 119.999, 120, 209.999, 210, 210.001, 239.999, 240, 299.999, 300, 330, 900,
            ]
            let settles = spans.randomElement(using: &generator) ?? 900
            settlesAt = Bool.random(using: &generator) ? end + .seconds(settles) : end + .days(1)
            instants = spans.map { end + .seconds($0) }
        }
    }

    @Test(.proves("6.16"), arguments: 0..<40)
    func `the detector agrees with a second implementation of the rule`(block: UInt64) {
        var confirmed = 0
        for seed in block * 200..<(block + 1) * 200 {
            let trial = Trial(seed: seed)
            let opensAt = Instant.meeting + .seconds(seed.isMultiple(of: 5) ? 20 : -1_800)
            let criteria = ArrivalCriteria(
                centre: .meetingPlace,
                radiusMetres: trial.radius,
                rule: .robust,
                opensAt: opensAt,
                settlesAt: trial.settlesAt
            )
            var detector = ArrivalDetector(criteria: criteria)
            for fix in trial.fixes { _ = detector.accept(fix) }
            let reading = RuleReading(
                trial.fixes,
                radius: trial.radius,
                opensAt: opensAt,
                settlesAt: trial.settlesAt
            )
            for now in trial.instants {
                let all = reading.arrivals(at: now)
                let standing = all.last.flatMap { $0.retracted == nil ? $0 : nil }
                let arrival = detector.arrival(at: now)
                let retraction = detector.retraction(at: now)
                let last = all.last { $0.retracted != nil }
                let isSame =
                    arrival?.provisionalAt == standing?.provisional && arrival?.confirmedAt == standing?.confirmed
                    && arrival?.creditedAt == standing?.credited && retraction?.at == last?.retracted
                    && retraction?.cause == last?.cause && retraction?.creditedAt == last?.credited
                #expect(isSame, "seed \(seed), \(now): \(String(describing: arrival)), \(all)")
                #expect(detector.hasArrival(at: now) == (arrival != nil), "seed \(seed), \(now)")
                guard isSame else { return }
            }
            expectChanges(of: detector, from: trial.instants[0], "seed \(seed)")
            confirmed += reading.arrivals(at: trial.instants[13]).filter { $0.confirmed != nil }.count
        }
        #expect(confirmed > 0)
    }

    @Test(arguments: [ArrivalDetector.Retraction.Cause.held, .passed])
    func `some of the sequences retract arrivals`(cause: ArrivalDetector.Retraction.Cause) {
        let ended = (0..<1_000 as Range<UInt64>).filter { seed in
            let trial = Trial(seed: seed)
            let reading = RuleReading(
                trial.fixes,
                radius: trial.radius,
                opensAt: .meeting - .minutes(30),
                settlesAt: trial.settlesAt
            )
            return reading.arrivals(at: trial.instants[13]).contains { $0.cause == cause }
        }
        #expect(ended.count > 5)
    }

    /// Expects changes by the clock only at the detector's instants.
    private func expectChanges(of detector: ArrivalDetector, from start: Instant, _ comment: Comment) {
        var now = start
        for _ in 0..<4 {
            let next = detector.nextChange(after: now)
            let before = detector.arrival(at: (next ?? now + .hours(2)) - .milliseconds(1))
            #expect(before == detector.arrival(at: now), comment)
            guard let next else { return }
            #expect(next > now, comment)
            #expect(detector.arrival(at: next) != detector.arrival(at: now), comment)
            now = next
        }
    }
}
