import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct StatisticsTests {
    typealias Row = PromiseResult.Row

    /// A row of user 1: credited this number of seconds from the meeting, with a rank; nil without an arrival.
    static func row(_ outcome: Outcome, _ seconds: Int? = nil, rank: Int = 0) -> Row {
        Row(
            userID: .user(1),
            outcome: outcome,
            creditedAt: seconds.map { .meeting + .seconds(Double($0)) },
            secondsFromMeeting: seconds ?? 0,
            rank: rank,
            source: seconds == nil ? nil : .gps,
            penaltyOwed: 0
        )
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var rows: [Row]
        var expected: Statistics
        var percent: Double?
        var tier: PunctualityTier
        var testDescription: String { name }

        init(
            _ name: String,
            _ rows: [Row],
            early: Int = 0,
            onTime: Int = 0,
            late: Int = 0,
            noShow: Int = 0,
            rank: Int = 0,
            lateness: Double = 0,
            percent: Double?,
            _ tier: PunctualityTier
        ) {
            self.name = name
            self.rows = rows
            self.percent = percent
            self.tier = tier
            expected = Statistics(
                of: .user(1),
                early: early,
                onTime: onTime,
                late: late,
                noShow: noShow,
                bestRank: rank,
                meanLatenessSeconds: lateness
            )
        }
    }

    static let cases: [Case] = [
        Case("nothing", [], percent: nil, .newcomer),
        Case("early", [row(.early, -60, rank: 1)], early: 1, rank: 1, percent: 100, .stratosphere),
        Case("on time", [row(.onTime, 59, rank: 2)], onTime: 1, rank: 2, lateness: 59, percent: 100, .stratosphere),
        Case("late", [row(.late, 60, rank: 3)], late: 1, rank: 3, lateness: 60, percent: 0, .innerCore),
        Case("no-show", [row(.noShow)], late: 1, noShow: 1, percent: 0, .innerCore),
        Case("left", [row(.left)], late: 1, noShow: 1, percent: 0, .innerCore),
        // An excused row counts nowhere; the rank of its arrival stays.
        Case("excused", [row(.excused)], percent: nil, .newcomer),
        Case("excused, but there", [row(.excused, 600, rank: 2)], rank: 2, percent: nil, .newcomer),
        Case(
            "excused beside late",
            [row(.excused, 600, rank: 1), row(.late, 100, rank: 4)],
            late: 1,
            rank: 1,
            lateness: 100,
            percent: 0,
            .innerCore
        ),
        // Early counts as 0; participants without a credited time are excluded from the mean.
        Case(
            "one of each",
            [
                row(.early, -900, rank: 1), row(.onTime, 30, rank: 3), row(.late, 90, rank: 2), row(.noShow),
                row(.left),
                row(.excused, 1_000, rank: 5),
            ],
            early: 1,
            onTime: 1,
            late: 3,
            noShow: 2,
            rank: 1,
            lateness: 40,
            percent: 40,
            .lowerMantle
        ),
        // At the bounds of the bands.
        Case("3 of 10", rows(punctual: 3, of: 10), onTime: 3, late: 7, noShow: 7, rank: 1, percent: 30, .outerCore),
        Case("7 of 10", rows(punctual: 7, of: 10), onTime: 7, late: 3, noShow: 3, rank: 1, percent: 70, .upperMantle),
        Case("9 of 10", rows(punctual: 9, of: 10), onTime: 9, late: 1, noShow: 1, rank: 1, percent: 90, .surface),
        Case(
            "19 of 20",
            rows(punctual: 19, of: 20),
            onTime: 19,
            late: 1,
            noShow: 1,
            rank: 1,
            percent: 95,
            .troposphere
        ),
    ]

    static func rows(punctual: Int, of counted: Int) -> [Row] {
        (0..<counted).map { $0 < punctual ? row(.onTime, 0, rank: 1) : row(.noShow) }
    }

    @Test(.proves("2.16", "8.7"), arguments: cases)
    func `derives statistics from the rows`(_ example: Case) {
        let statistics = Statistics(of: .user(1), rows: example.rows)
        #expect(statistics == example.expected)
        #expect(statistics.punctualityPercent == example.percent)
        #expect(statistics.tier == example.tier)
        #expect(Statistics(of: .user(1), rows: example.rows.reversed()) == statistics)
    }

    @Test(.proves("2.16"), arguments: 1...200 as ClosedRange<UInt64>)
    func `statistics of random rows equal a naive count`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rows = (0..<Int.random(in: 0...60, using: &generator)).map { _ in Self.random(using: &generator) }
        let statistics = Statistics(of: .user(1), rows: rows)
        let counted = rows.filter { $0.outcome != .excused }
        #expect(statistics.counted == counted.count)
        #expect(statistics.counted == statistics.early + statistics.onTime + statistics.late)
        #expect(statistics.late == counted.filter(\.outcome.countsAsLate).count)
        #expect(statistics.noShow == counted.filter { $0.outcome == .noShow || $0.outcome == .left }.count)
        #expect(statistics.bestRank == rows.map(\.rank).filter { $0 > 0 }.min() ?? 0)
        let lateness = counted.filter { $0.creditedAt != nil }.map { Double(max(0, $0.secondsFromMeeting)) }
        let mean = lateness.isEmpty ? 0 : lateness.reduce(0, +) / Double(lateness.count)
        #expect(abs(statistics.meanLatenessSeconds - mean) < 1e-9)
        #expect((statistics.punctualityPercent == nil) == counted.isEmpty)
        #expect((0...100).contains(statistics.punctualityPercent ?? 0))
        #expect((statistics.tier == .newcomer) == counted.isEmpty)
    }

    private static func random(using generator: inout SeededGenerator) -> Row {
        let outcome = Outcome.allCases.randomElement(using: &generator) ?? .early
        let hasArrival =
            switch outcome {
            case .early, .onTime, .late: true
            case .noShow, .left: false
            case .excused: Bool.random(using: &generator)
            }
        guard hasArrival else { return row(outcome) }
        return row(
            outcome,
            .random(in: -1_800...10_800, using: &generator),
            rank: .random(in: 1...50, using: &generator)
        )
    }
}
