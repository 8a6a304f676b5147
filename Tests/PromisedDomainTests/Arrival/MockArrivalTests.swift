import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The mark of arrivals that are based on simulated positions. R = 50 m.
@Suite struct MockArrivalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// The simulated fix, from 0; nil: none.
        var simulated: Int?
        var isMarked: Bool
    }

    /// Crosses the circle 5 s before the meeting, is settled 5 s after it, and confirmed by the fix at 126 s.
    private static let way = [
        Sight(-60, 500, speed: 9), Sight(-10, 100, speed: 9), Sight(0, 0, speed: 1), Sight(5, 10, speed: 1),
        Sight(60, 10, speed: 1), Sight(126, 10, speed: 1), Sight(140, 10, speed: 1),
    ]

    @Test(
        .proves("6.27"),
        arguments: [
            Case(testDescription: "none", simulated: nil, isMarked: false),
            Case(testDescription: "before the crossing", simulated: 0, isMarked: false),
            Case(testDescription: "the last outside", simulated: 1, isMarked: true),
            Case(testDescription: "the first inside", simulated: 2, isMarked: true),
            Case(testDescription: "the one that settles", simulated: 3, isMarked: true),
            Case(testDescription: "before the confirmation", simulated: 4, isMarked: true),
            Case(testDescription: "the one that confirms", simulated: 5, isMarked: true),
            Case(testDescription: "after the confirmation", simulated: 6, isMarked: false),
        ]
    )
    func `marks an arrival by a simulated fix of the crossing, of the run or up to the confirmation`(row: Case) throws {
        let found = try #require(detection(simulated: row.simulated, of: Self.way))
        #expect(found.confirmedAt == .meeting + .seconds(126))
        #expect(found.isMock == row.isMarked)
    }

    @Test(.proves("6.27")) func `ignores a simulated fix outside that is too old for the crossing`() throws {
        var way = Self.way
        way[1] = Sight(-31, 100, speed: 9)
        #expect(try #require(detection(simulated: 1, of: way)).isMock == false)
    }

    @Test(.proves("6.27")) func `a run that follows a retracted one is judged by its own fixes`() throws {
        let passing = [
            Sight(-300, 10, speed: 1), Sight(-295, 10, speed: 1), Sight(-290, 200, speed: 9),
            Sight(-285, 300, speed: 9),
        ]
        #expect(try #require(detection(simulated: 0, of: passing + Self.way)).isMock == false)
        #expect(try #require(detection(simulated: 6, of: passing + Self.way)).isMock)
    }

    @Test(.proves("6.27"), arguments: [false, true]) func `the rule first-fix marks by the fix that counts`(
        isSimulated: Bool
    ) throws {
        let way = [Sight(-10, 100), Sight(0, 10), Sight(5, 10)]
        for (index, isMarked) in [(0, false), (1, true), (2, false)] {
            let found = try #require(detection(simulated: isSimulated ? index : nil, of: way, rule: .firstFix))
            #expect(found.isMock == (isSimulated && isMarked))
        }
    }

    @Test(.proves("6.27")) func `a check-in near the place is marked by its fix, one with a code is not`() {
        for (source, isMarked) in [(Arrival.Source.myself, true), (.peer, false)] {
            var world = SessionWorld(accepted: 2)
            var fix = PhoneClock().wallFix(at: .meeting, metres: 10)
            fix.isMock = true
            world.report(2, [fix], at: 0)
            world.send(.checkIn(.user(2), source), at: .meeting + .seconds(1))
            #expect(world.entry(2)?.arrival.source == source)
            #expect(world.entry(2)?.arrival.isMock == isMarked)
        }
    }

    @Test(.proves("6.27")) func `the result has the mark, also after a restart`() {
        var world = SessionWorld(accepted: 2)
        for second in [0.0, 5] {
            var fix = PhoneClock().wallFix(at: .meeting + .seconds(second), metres: 10)
            fix.seq = UInt32(second) + 1
            fix.isMock = true
            world.report(2, [fix], at: second)
        }
        world.arrive(1, at: 10)
        world.restart(at: .meeting + .seconds(20))
        #expect(world.entry(2)?.arrival.isMock == true && world.entry(1)?.arrival.isMock == false)
        world.finish()
        #expect(world.row(2)?.isMock == true && world.row(1)?.isMock == false)
    }

    private func detection(
        simulated: Int?,
        of way: [Sight],
        rule: ArrivalRule.Name = .robust
    ) -> ArrivalDetector.Detection? {
        let sample = DetectionCase("", rule: rule, way, is: nil)
        var detector = ArrivalDetector(criteria: sample.criteria)
        for (index, fix) in way.fixes.enumerated() {
            var fix = fix
            fix.isMock = index == simulated
            _ = detector.accept(fix)
        }
        return detector.arrival(at: .meeting + .seconds(way.last?.at ?? 0))
    }
}
