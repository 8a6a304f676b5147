import PromisedDomain
import PromisedTestMarks
import Testing

/// Domain §6.3, and the rule `first-fix` of domain §6.8. R = 50 m.
@Suite struct CreditedTimeTests {
    /// Inside at the meeting time and 5 s later, which settles.
    static func inside(at metres: Double) -> [Sight] { [Sight(0, metres, speed: 1), Sight(5, 40, speed: 1)] }

    static func settled(credited: Double) -> DetectionCase.Expected {
        DetectionCase.Expected(.settled, at: 5, credited: credited)
    }

    static let crossings: [DetectionCase] = [
        DetectionCase("nothing before", inside(at: 0), is: settled(credited: 0)),
        DetectionCase("half the way", [Sight(-10, 100)] + inside(at: 0), is: settled(credited: -5)),
        DetectionCase("a quarter of the way", [Sight(-8, 80)] + inside(at: 40), is: settled(credited: -2)),
        DetectionCase("the first inside is on the line", [Sight(-10, 100)] + inside(at: 50), is: settled(credited: 0)),
        DetectionCase("from a near fix", [Sight(-10, 55)] + inside(at: 45), is: settled(credited: -5)),
        // 30 s apart, with half a second of tolerance.
        DetectionCase("30 s before", [Sight(-30, 100)] + inside(at: 0), is: settled(credited: -15)),
        DetectionCase("30.5 s before", [Sight(-30.5, 100)] + inside(at: 0), is: settled(credited: -15.25)),
        DetectionCase("30.501 s before", [Sight(-30.501, 100)] + inside(at: 0), is: settled(credited: 0)),
        // The last usable one outside counts.
        DetectionCase(
            "the later of two",
            [Sight(-20, 900), Sight(-10, 100)] + inside(at: 0),
            is: settled(credited: -5)
        ),
        DetectionCase(
            "not an unusable one",
            [Sight(-20, 100), Sight(-5, 60, error: 71)] + inside(at: 0),
            is: settled(credited: -10)
        ),
        DetectionCase(
            "not an unusable one inside",
            [Sight(-20, 100), Sight(-5, 0, error: 71)] + inside(at: 0),
            is: settled(credited: -10)
        ),
        // A continued run keeps its start.
        DetectionCase(
            "near in the middle",
            [Sight(-10, 100), Sight(0, 0, speed: 1), Sight(2, 55, speed: 1), Sight(5, 40, speed: 1)],
            is: settled(credited: -5)
        ),
        // An ended run starts over.
        DetectionCase(
            "in, out, in",
            [Sight(-40, 0, speed: 9), Sight(-10, 100, speed: 9)] + inside(at: 0),
            is: settled(credited: -5)
        ),
    ]

    static let openings: [DetectionCase] = [
        DetectionCase("there before", opensAt: 0, inside(at: 0), is: settled(credited: 0)),
        DetectionCase("crossing before", opensAt: -2, [Sight(-10, 100)] + inside(at: 0), is: settled(credited: -2)),
        DetectionCase("crossing at it", opensAt: -5, [Sight(-10, 100)] + inside(at: 0), is: settled(credited: -5)),
        DetectionCase("crossing after", opensAt: -8, [Sight(-10, 100)] + inside(at: 0), is: settled(credited: -5)),
    ]

    static func first(at instant: Double) -> DetectionCase.Expected {
        DetectionCase.Expected(.firstFix, at: instant, confirmed: instant, credited: instant)
    }

    static let firstFixes: [DetectionCase] = [
        DetectionCase("49.999 m", rule: .firstFix, [Sight(0, 49.999)], is: first(at: 0)),
        DetectionCase("50 m", rule: .firstFix, [Sight(0, 50)], is: nil),
        DetectionCase("50.001 m", rule: .firstFix, [Sight(0, 50.001)], is: nil),
        DetectionCase(
            "in passing",
            rule: .firstFix,
            [Sight(-5, 100), Sight(0, 0, speed: 20), Sight(5, 100)],
            is: first(at: 0)
        ),
        DetectionCase("however inexact", rule: .firstFix, [Sight(0, 0, error: 10_000)], is: first(at: 0)),
        DetectionCase(
            "never taken back",
            rule: .firstFix,
            [Sight(0, 0), Sight(5, 500), Sight(10, 900)],
            is: first(at: 0)
        ),
        DetectionCase(
            "the first of several",
            rule: .firstFix,
            [Sight(0, 10), Sight(5, 0)],
            now: 900,
            is: first(at: 0)
        ),
    ]

    @Test(.proves("6.7"), arguments: crossings)
    func `credits the crossing of the circle if the fixes are close enough`(_ row: DetectionCase) {
        row.check()
    }

    @Test(.proves("6.7"), arguments: openings)
    func `credits no time before the window`(_ row: DetectionCase) { row.check() }

    @Test(.proves("6.14"), arguments: firstFixes)
    func `the rule first-fix accepts the first fix nearer than R, at once and permanently`(_ row: DetectionCase) {
        row.check()
    }
}
