import PromisedDomain
import PromisedTestSupport
import Testing

/// A track with the arrival by the rule, all times in seconds from the meeting.
struct DetectionCase: CustomTestStringConvertible, Sendable {
    /// The arrival that the rule detects.
    struct Expected: Equatable, Sendable {
        var clause: ArrivalEvidence.Clause
        var provisional: Double
        var confirmed: Double?
        var credited: Double

        init(_ clause: ArrivalEvidence.Clause, at provisional: Double, confirmed: Double? = nil, credited: Double) {
            self.clause = clause
            self.provisional = provisional
            self.confirmed = confirmed
            self.credited = credited
        }

        init(_ detection: ArrivalDetector.Detection) {
            clause = detection.clause
            provisional = detection.provisionalAt.secondsFromMeeting
            confirmed = detection.confirmedAt?.secondsFromMeeting
            credited = detection.creditedAt.secondsFromMeeting
        }
    }

    var name: String
    var radius: Double
    var rule: ArrivalRule.Name
    var opensAt: Double
    /// Nil: settling has no end.
    var settlesAt: Double?
    var sights: [Sight]
    /// The server's clock; by default the time of the last fix.
    var now: Double?
    /// Nil: no arrival.
    var expected: Expected?

    init(
        _ name: String,
        radius: Double = 50,
        rule: ArrivalRule.Name = .robust,
        opensAt: Double = -1_800,
        settlesAt: Double? = nil,
        _ sights: [Sight],
        now: Double? = nil,
        is expected: Expected?
    ) {
        self.name = name
        self.radius = radius
        self.rule = rule
        self.opensAt = opensAt
        self.settlesAt = settlesAt
        self.sights = sights
        self.now = now
        self.expected = expected
    }

    var testDescription: String { name }

    var criteria: ArrivalCriteria {
        ArrivalCriteria(
            centre: .meetingPlace,
            radiusMetres: radius,
            rule: rule,
            opensAt: .meeting + .seconds(opensAt),
            settlesAt: settlesAt.map { .meeting + .seconds($0) } ?? Instant(milliseconds: .max)
        )
    }

    /// Runs the rule and compares.
    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        var detector = ArrivalDetector(criteria: criteria)
        for fix in sights.fixes { _ = detector.accept(fix) }
        let clock = now ?? sights.last?.at ?? 0
        let instant = Instant.meeting + .seconds(clock)
        let found = detector.arrival(at: instant).map(Expected.init)
        #expect(found == expected, sourceLocation: sourceLocation)
        #expect(detector.hasArrival(at: instant) == (expected != nil), sourceLocation: sourceLocation)
    }
}
