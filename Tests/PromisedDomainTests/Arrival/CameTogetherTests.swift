import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct CameTogetherTests {
    static let pair = UserPair(.user(1), .user(2))

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var one: [Sight]
        var other: [Sight]
        /// The number of moments compared, and the limit in metres; nil: they did not come together.
        var moments: Int?
        var limit = 30.0
        var testDescription: String { name }
    }

    /// A phone that reports every 5 s from two minutes and more before the meeting time to one after it.
    static func walk(_ metres: Double, error: Double? = 5, from start: Double = -130, every step: Double = 5) -> [Sight]
    {
        stride(from: start, through: 60, by: step).map { Sight($0, 100 + metres, error: error) }
    }

    /// A phone that stands still and reports at these seconds.
    static func sparse(_ seconds: [Double], _ metres: Double = 0) -> [Sight] {
        seconds.map { Sight($0, 100 + metres, error: 5) }
    }

    static let cases: [Case] = [
        Case(name: "in one pocket", one: walk(0), other: walk(0, from: -128), moments: 49),
        // The limit is 1.5 times the median error, at least 30 m and at most 80 m.
        Case(name: "29.9 m apart, 5 m", one: walk(0), other: walk(29.9), moments: 50),
        Case(name: "30.1 m apart, 5 m", one: walk(0), other: walk(30.1), moments: nil),
        Case(
            name: "42.3 m apart, 20 m",
            one: walk(0, error: 20),
            other: walk(42.3, error: 20),
            moments: 50,
            limit: 42.43
        ),
        Case(name: "42.5 m apart, 20 m", one: walk(0, error: 20), other: walk(42.5, error: 20), moments: nil),
        Case(
            name: "79.9 m apart, 100 m",
            one: walk(0, error: 100),
            other: walk(79.9, error: 100),
            moments: 50,
            limit: 80
        ),
        Case(name: "80.1 m apart, 100 m", one: walk(0, error: 100), other: walk(80.1, error: 100), moments: nil),
        Case(
            name: "no accuracy is 50 m",
            one: walk(0, error: nil),
            other: walk(79.9, error: nil),
            moments: 50,
            limit: 80
        ),
        // A fix counts up to an error of 150 m.
        Case(name: "150 m", one: walk(0, error: 150), other: walk(10, error: 150), moments: 50, limit: 80),
        Case(name: "150.1 m", one: walk(0, error: 150.1), other: walk(10, error: 150.1), moments: nil),
        // Six moments are enough. The other phone's fixes lie around all of them, with none before or after.
        Case(
            name: "six moments",
            one: sparse([-50, -40, -30, -20, -10, 0]),
            other: sparse([-55, 0.001]),
            moments: 6
        ),
        Case(name: "five moments", one: sparse([-40, -30, -20, -10, 0]), other: sparse([-55, 0.001]), moments: nil),
        // The moments lie from c − 120 s to c.
        Case(
            name: "from 120 s before",
            one: sparse([-120, -119, -118, -117, -116, -115]),
            other: sparse([-121, -100]),
            moments: 6
        ),
        Case(
            name: "from 120.001 s before",
            one: sparse([-120.001, -119, -118, -117, -116, -115]),
            other: sparse([-121, -100]),
            moments: nil
        ),
        Case(
            name: "up to the credited time",
            one: sparse([-5, -4, -3, -2, -1, 0]),
            other: sparse([-9, 9]),
            moments: 6
        ),
        Case(name: "and not after", one: sparse([-5, -4, -3, -2, -1, 0.001]), other: sparse([-9, 9]), moments: nil),
        // The other phone's fixes around a moment are at most 60 s apart.
        Case(name: "60 s", one: sparse([-6, -5, -4, -3, -2, -1]), other: sparse([-30, 30]), moments: 6),
        Case(name: "60.001 s", one: sparse([-6, -5, -4, -3, -2, -1]), other: sparse([-30, 30.001]), moments: nil),
        // One of them is before the moment, the other at it or after it.
        Case(name: "at the moment", one: sparse([-6, -5, -4, -3, -2, -1]), other: sparse([-7, -1]), moments: 7),
        Case(name: "none before", one: sparse([-6, -5, -4, -3, -2, -1]), other: sparse([-6, 5]), moments: nil),
        Case(name: "a silent phone", one: walk(0), other: [], moments: nil),
    ]

    @Test(.proves("6.21"), arguments: cases)
    func `joins phones that were close in the two minutes before the entrance`(_ row: Case) {
        for (one, other) in [(row.one, row.other), (row.other, row.one)] {
            let found = CameTogether(
                Self.pair,
                by: ArrivalWay(one.fixes),
                and: ArrivalWay(other.fixes),
                creditedAt: .meeting
            )
            #expect(found?.momentCount == row.moments)
            guard let found else { continue }
            #expect(abs(found.limitMetres - row.limit) < 0.01)
            #expect(found.pair == Self.pair && found.creditedAt == .meeting)
        }
    }

    @Test(.proves("6.21")) func `moves the other phone straight from fix to fix`() throws {
        // At the six moments between its two fixes the other is 0, 5, … 25 m away: the upper of the two in the middle is 15 m.
        let one = (0..<6).map { Sight(-30 + 5 * Double($0), 100, error: 5) }
        let other = [Sight(-36, 94, error: 5), Sight(0, 130, error: 12)]
        let found = try #require(
            CameTogether(Self.pair, by: ArrivalWay(one.fixes), and: ArrivalWay(other.fixes), creditedAt: .meeting)
        )
        #expect(abs(found.medianDistanceMetres - 15) < 0.01)
        // The larger error of the two fixes around counts.
        let wide = [Sight(-36, 94, error: 5), Sight(0, 130, error: 40)]
        let limit = CameTogether(
            Self.pair,
            by: ArrivalWay(one.fixes),
            and: ArrivalWay(wide.fixes),
            creditedAt: .meeting
        )?.limitMetres
        #expect(abs((limit ?? 0) - 1.5 * (25.0 + 1_600).squareRoot()) < 0.01)
    }

    @Test(.proves("6.21")) func `interpolates positions across 180° the short way`() throws {
        func fix(_ seq: UInt32, _ second: Double, _ longitude: Double) -> SettledFix {
            var fix = SettledFix.sample(seq: seq, at: .meeting + .seconds(second), metres: 0, accuracy: 5)
            fix.coordinate = Coordinate(latitude: 0.5, longitude: longitude)
            return fix
        }
        let one = (0..<6).map { fix(UInt32($0), -30 + Double($0), 180) }
        let other = [fix(1, -60, 179.999_9), fix(2, 0, -179.999_9)]
        let found = try #require(
            CameTogether(Self.pair, by: ArrivalWay(one), and: ArrivalWay(other), creditedAt: .meeting)
        )
        #expect(found.medianDistanceMetres < 2)
    }

    /// The ways of two people who walk beside each other, behind each other, or elsewhere, with gaps and inexact fixes.
    static func ways(_ generator: inout SeededGenerator) -> (one: [SettledFix], other: [SettledFix]) {
        let apart = Double.random(in: 0...160, using: &generator)
        func way(_ shift: Double) -> [SettledFix] {
            var sights: [Sight] = []
            var at = -400.0
            while at < 100 {
                at += Bool.random(using: &generator) ? 5 : .random(in: 0.1...40, using: &generator)
                let errors: [Double?] = [nil, 5, 12, 30, 65, 150, 151]
                let error = errors.randomElement(using: &generator) ?? 5
                sights.append(Sight(at, 500 - at + shift + .random(in: -9...9, using: &generator), error: error))
            }
            return sights.fixes
        }
        return (way(0), way(apart))
    }

    @Test(.proves("6.21"), arguments: 1...200)
    func `a finding equals one pass over all fixes and needs only the neighbouring ones`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let (one, other) = Self.ways(&generator)
        let end = Instant.meeting + .seconds(.random(in: -20...20, using: &generator))
        let found = CameTogether(Self.pair, by: ArrivalWay(one), and: ArrivalWay(other), creditedAt: end)
        #expect(found == NaivePairs.judge(Self.pair, one, other, end), "seed \(seed)")
        let near = { (fix: SettledFix) in fix.time >= end - .seconds(180) && fix.time <= end + .seconds(60) }
        let short = CameTogether(
            Self.pair,
            by: ArrivalWay(other.filter(near)),
            and: ArrivalWay(one.filter(near)),
            creditedAt: end
        )
        #expect(found == short, "seed \(seed)")
    }

    @Test func `the random ways include pairs that came together and pairs that did not`() {
        let found = (1...200).map { seed in
            var generator = SeededGenerator(seed: UInt64(seed))
            let (one, other) = Self.ways(&generator)
            return CameTogether(Self.pair, by: ArrivalWay(one), and: ArrivalWay(other), creditedAt: .meeting) != nil
        }
        #expect(found.count { $0 } > 20 && found.count { !$0 } > 20)
    }
}
