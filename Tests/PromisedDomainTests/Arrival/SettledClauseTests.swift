import PromisedDomain
import PromisedTestMarks
import Testing

/// Domain §6.1, *settled*, and what belongs to a run. R = 50 m and e = 10 m unless a row says otherwise: inside up to 50 m,
/// strong up to 45 m, near up to 60 m.
@Suite struct SettledClauseTests {
    /// Two strong fixes 5 s apart at walking pace, the first at the meeting time.
    static let settled = DetectionCase.Expected(.settled, at: 5, credited: 0)

    static let spans: [DetectionCase] = [
        DetectionCase("one fix", [Sight(0, 40, speed: 1)], is: nil),
        DetectionCase("5 s", [Sight(0, 40, speed: 1), Sight(5, 30, speed: 1)], is: settled),
        DetectionCase("4.499 s", [Sight(0, 40, speed: 1), Sight(4.499, 30, speed: 1)], is: nil),
        DetectionCase(
            "4.5 s",
            [Sight(0, 40, speed: 1), Sight(4.5, 30, speed: 1)],
            is: .init(.settled, at: 4.5, credited: 0)
        ),
        DetectionCase(
            "4.501 s",
            [Sight(0, 40, speed: 1), Sight(4.501, 30, speed: 1)],
            is: .init(.settled, at: 4.501, credited: 0)
        ),
        DetectionCase(
            "the first that is far enough",
            [0, 2, 4, 6, 8].map { Sight($0, 20, speed: 1) },
            is: .init(.settled, at: 6, credited: 0)
        ),
    ]

    static let speeds: [DetectionCase] = [
        // Of two, the upper one.
        DetectionCase("0 and 2.5", [Sight(0, 40, speed: 0), Sight(5, 30, speed: 2.5)], is: settled),
        DetectionCase("2.5 and 0", [Sight(0, 40, speed: 2.5), Sight(5, 30, speed: 0)], is: settled),
        DetectionCase("0 and 2.501", [Sight(0, 40, speed: 0), Sight(5, 30, speed: 2.501)], is: nil),
        DetectionCase("2.501 and 0", [Sight(0, 40, speed: 2.501), Sight(5, 30, speed: 0)], is: nil),
        // Of three, the middle one.
        DetectionCase("9, 2.5, 0", zip([0, 2, 5], [9, 2.5, 0]).map { Sight($0, 30, speed: $1) }, is: settled),
        DetectionCase("9, 2.501, 0", zip([0, 2, 5], [9, 2.501, 0]).map { Sight($0, 30, speed: $1) }, is: nil),
        DetectionCase("0, 9, 0", zip([0, 2, 5], [0, 9, 0]).map { Sight($0, 30, speed: $1) }, is: settled),
        // Of more, the last three.
        DetectionCase(
            "9, 9, 1, 1",
            zip([0, 2, 5, 7], [9, 9, 1, 1]).map { Sight($0, 30, speed: $1) },
            is: .init(.settled, at: 7, credited: 0)
        ),
        // Not reported, or reported as exactly 0: from the accepted fix before; 0 for the first.
        DetectionCase("0 and 0, 2.498 by distance", [Sight(0, 40, speed: 0), Sight(5, 27.51, speed: 0)], is: settled),
        DetectionCase("0 and 0, 2.502 by distance", [Sight(0, 40, speed: 0), Sight(5, 27.49, speed: 0)], is: nil),
        DetectionCase("0.001 is a speed", [Sight(0, 40, speed: 0), Sight(5, -20, speed: 0.001)], is: settled),
        DetectionCase("2.498 by distance", [Sight(0, 40), Sight(5, 27.51)], is: settled),
        DetectionCase("2.502 by distance", [Sight(0, 40), Sight(5, 27.49)], is: nil),
        DetectionCase("through the centre", [Sight(0, 5), Sight(5, -5)], is: settled),
        DetectionCase("too fast through the centre", [Sight(0, 30), Sight(5, -30)], is: nil),
        DetectionCase("from a fix outside", [Sight(-5, 100), Sight(0, 45), Sight(5, 45)], is: nil),
        DetectionCase("from an unusable fix", [Sight(0, 40), Sight(2, 10, error: 71), Sight(5, 9)], is: settled),
        DetectionCase("from nowhere in no time", [Sight(0, 40), Sight(5, 30), Sight(5, 20)], is: settled),
    ]

    static let strengths: [DetectionCase] = [
        // Strong: d + e/2 ≤ R.
        DetectionCase("44.999 m", [Sight(0, 48, speed: 1), Sight(5, 44.999, speed: 1)], is: settled),
        DetectionCase("45 m", [Sight(0, 48, speed: 1), Sight(5, 45, speed: 1)], is: settled),
        DetectionCase("45.001 m", [Sight(0, 48, speed: 1), Sight(5, 45.001, speed: 1)], is: nil),
        DetectionCase("the first one strong", [Sight(0, 45, speed: 1), Sight(5, 48, speed: 1)], is: settled),
        // An error below 5 m is 5 m: strong up to 47.5 m.
        DetectionCase("1 m at 47.5", [Sight(0, 48, speed: 1), Sight(5, 47.5, error: 1, speed: 1)], is: settled),
        DetectionCase("1 m at 47.501", [Sight(0, 48, speed: 1), Sight(5, 47.501, error: 1, speed: 1)], is: nil),
        // Missing or 0 is 50 m: strong up to 25 m.
        DetectionCase("none at 25", [Sight(0, 48, speed: 1), Sight(5, 25, error: nil, speed: 1)], is: settled),
        DetectionCase("none at 25.001", [Sight(0, 48, speed: 1), Sight(5, 25.001, error: nil, speed: 1)], is: nil),
        DetectionCase("0 at 25", [Sight(0, 48, speed: 1), Sight(5, 25, error: 0, speed: 1)], is: settled),
        DetectionCase("0 at 25.001", [Sight(0, 48, speed: 1), Sight(5, 25.001, error: 0, speed: 1)], is: nil),
    ]

    static let runs: [DetectionCase] = [
        // Inside: d ≤ R.
        DetectionCase("first at 49.999", [Sight(0, 49.999, speed: 1), Sight(5, 40, speed: 1)], is: settled),
        DetectionCase("first at 50", [Sight(0, 50, speed: 1), Sight(5, 40, speed: 1)], is: settled),
        DetectionCase("first at 50.001", [Sight(0, 50.001, speed: 1), Sight(5, 40, speed: 1)], is: nil),
        // Usable: e ≤ max(R, 70).
        DetectionCase("e = 70", [Sight(0, 20, speed: 1), Sight(5, 20, error: 70, speed: 1)], is: settled),
        DetectionCase("e = 70.001", [Sight(0, 20, speed: 1), Sight(5, 20, error: 70.001, speed: 1)], is: nil),
        DetectionCase(
            "R = 20, e = 70",
            radius: 20,
            [Sight(0, 9, speed: 1), Sight(5, 9, error: 70, speed: 1)],
            is: settled
        ),
        DetectionCase(
            "R = 20, e = 70.001",
            radius: 20,
            [Sight(0, 9, speed: 1), Sight(5, 9, error: 70.001, speed: 1)],
            is: nil
        ),
        DetectionCase(
            "R = 200, e = 200",
            radius: 200,
            [Sight(0, 9, speed: 1), Sight(5, 9, error: 200, speed: 1)],
            is: settled
        ),
        DetectionCase(
            "R = 200, e = 200.001",
            radius: 200,
            [Sight(0, 9, speed: 1), Sight(5, 9, error: 200.001, speed: 1)],
            is: nil
        ),
        // Near: R < d ≤ R + max(0.1 R, 10) neither extends nor breaks.
        DetectionCase(
            "near at 60",
            [0, 3, 6].map { Sight($0, $0 == 3 ? 60 : 40, speed: 1) },
            is: .init(.settled, at: 6, credited: 0)
        ),
        DetectionCase("out at 60.001", [0, 3, 6].map { Sight($0, $0 == 3 ? 60.001 : 40, speed: 1) }, is: nil),
        DetectionCase(
            "R = 200, near at 220",
            radius: 200,
            [0, 3, 6].map { Sight($0, $0 == 3 ? 220 : 40, speed: 1) },
            is: .init(.settled, at: 6, credited: 0)
        ),
        DetectionCase(
            "R = 200, out at 220.001",
            radius: 200,
            [0, 3, 6].map { Sight($0, $0 == 3 ? 220.001 : 40, speed: 1) },
            is: nil
        ),
        DetectionCase("near ones count for nothing", [Sight(0, 40, speed: 1), Sight(5, 55, speed: 1)], is: nil),
        // Unusable: neither, at any distance.
        DetectionCase(
            "unusable far out",
            [Sight(0, 40, speed: 1), Sight(3, 900, error: 71, speed: 1), Sight(6, 40, speed: 1)],
            is: .init(.settled, at: 6, credited: 0)
        ),
        DetectionCase("unusable inside", [Sight(0, 40, speed: 1), Sight(6, 0, error: 71, speed: 1)], is: nil),
    ]

    @Test(.proves("6.2"), arguments: spans)
    func `settled needs two fixes of a run 5 s apart, with half a second of tolerance`(_ row: DetectionCase) {
        row.check()
    }

    @Test(.proves("5.32", "6.2"), arguments: speeds)
    func `settled needs a median speed of the last three at walking pace`(_ row: DetectionCase) { row.check() }

    @Test(.proves("6.2"), arguments: strengths)
    func `settled needs a strong fix`(_ row: DetectionCase) { row.check() }

    @Test(.proves("6.1"), arguments: runs)
    func `only usable fixes inside extend a run, and only usable ones farther out end it`(_ row: DetectionCase) {
        row.check()
    }
}
