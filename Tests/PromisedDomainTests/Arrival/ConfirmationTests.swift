import PromisedDomain
import Testing

/// Domain §6.2. Everybody here is provisional at 5 s; R = 50 m, so with e = 10 m a fix beyond 80 m is clearly outside.
@Suite struct ConfirmationTests {
    static let arrived = [Sight(0, 40, speed: 1), Sight(5, 30, speed: 1)]
    static let provisional = DetectionCase.Expected(.settled, at: 5, credited: 0)

    static func confirmed(_ at: Double) -> DetectionCase.Expected {
        DetectionCase.Expected(.settled, at: 5, confirmed: at, credited: 0)
    }

    static let confirmations: [DetectionCase] = [
        // By a fix more than 120 s after the provisional instant.
        DetectionCase("a fix at 119.4 s", arrived + [Sight(124.4, 30)], is: provisional),
        DetectionCase("a fix at 120.001 s", arrived + [Sight(125.001, 30)], is: confirmed(125.001)),
        DetectionCase("wherever it lies", arrived + [Sight(126, 5_000)], is: confirmed(126)),
        DetectionCase("and however inexact it is", arrived + [Sight(126, 30, error: 900)], is: confirmed(126)),
        DetectionCase("the first of several", arrived + [Sight(126, 30), Sight(131, 30)], is: confirmed(126)),
        // By the clock, 150 s after it.
        DetectionCase("the clock at 149.4 s", arrived, now: 154.4, is: provisional),
        DetectionCase("the clock at 150 s", arrived, now: 155, is: confirmed(155)),
        DetectionCase("the clock later", arrived, now: 9_000, is: confirmed(155)),
        DetectionCase("the clock first, then a fix", arrived + [Sight(300, 30)], is: confirmed(155)),
        // A confirmed arrival stands, wherever they go.
        DetectionCase("then away", arrived + [Sight(126, 30), Sight(131, 500), Sight(136, 900)], is: confirmed(126)),
        DetectionCase(
            "away with the confirming fix",
            arrived + [Sight(120, 500), Sight(126, 900)],
            is: confirmed(126)
        ),
    ]

    static let retractions: [DetectionCase] = [
        // Two clearly outside: d − e > R + max(0.1 R, 20).
        DetectionCase("79.999 m twice", arrived + [Sight(10, 79.999), Sight(15, 79.999)], is: provisional),
        DetectionCase("80 m twice", arrived + [Sight(10, 80), Sight(15, 80)], is: provisional),
        DetectionCase("80.001 m twice", arrived + [Sight(10, 80.001), Sight(15, 80.001)], is: nil),
        DetectionCase("once", arrived + [Sight(10, 500)], is: provisional),
        DetectionCase("not in a row", arrived + [Sight(10, 90), Sight(15, 79), Sight(20, 90)], is: provisional),
        DetectionCase(
            "in a row after one that was not",
            arrived + [Sight(10, 90), Sight(15, 79), Sight(20, 90), Sight(25, 90)],
            is: nil
        ),
        // R = 500: beyond 550 m + e.
        DetectionCase(
            "R = 500, 560 m twice",
            radius: 500,
            arrived + [Sight(10, 560), Sight(15, 560)],
            is: provisional
        ),
        DetectionCase(
            "R = 500, 560.001 m twice",
            radius: 500,
            arrived + [Sight(10, 560.001), Sight(15, 560.001)],
            is: nil
        ),
        // Unusable ones count, their error only up to 100 m.
        DetectionCase(
            "e = 60 at 130 m",
            arrived + [Sight(10, 130, error: 60), Sight(15, 130, error: 60)],
            is: provisional
        ),
        DetectionCase(
            "e = 60 at 130.001 m",
            arrived + [Sight(10, 130.001, error: 60), Sight(15, 130.001, error: 60)],
            is: nil
        ),
        DetectionCase(
            "e = 100 at 170.001 m",
            arrived + [Sight(10, 170.001, error: 100), Sight(15, 170.001, error: 100)],
            is: nil
        ),
        DetectionCase(
            "e = 5 000 at 170 m",
            arrived + [Sight(10, 170, error: 5_000), Sight(15, 170, error: 5_000)],
            is: provisional
        ),
        DetectionCase(
            "e = 5 000 at 170.001 m",
            arrived + [Sight(10, 170.001, error: 5_000), Sight(15, 170.001, error: 5_000)],
            is: nil
        ),
        // Until confirmed.
        DetectionCase("the second at 119.4 s", arrived + [Sight(120, 90), Sight(124.4, 90)], is: nil),
        DetectionCase(
            "the second at 120.001 s",
            arrived + [Sight(120, 90), Sight(125.001, 90)],
            is: confirmed(125.001)
        ),
        // Fixes before the provisional instant play no part.
        DetectionCase(
            "one before, one after",
            [Sight(-5, 90)] + arrived + [Sight(10, 90)],
            is: .init(.settled, at: 5, credited: -1)
        ),
    ]

    static let again: [DetectionCase] = [
        // The run is empty: a new arrival needs all of it again, and is credited from the second fix outside.
        DetectionCase("one fix inside", arrived + [Sight(10, 90), Sight(15, 100), Sight(20, 0, speed: 1)], is: nil),
        DetectionCase(
            "two fixes inside",
            arrived + [Sight(10, 90), Sight(15, 100), Sight(20, 0, speed: 1), Sight(25, 0, speed: 1)],
            is: .init(.settled, at: 25, credited: 17.5)
        ),
        DetectionCase(
            "the second outside was unusable",
            arrived + [Sight(10, 200), Sight(15, 200, error: 60), Sight(20, 0, speed: 1), Sight(25, 0, speed: 1)],
            is: .init(.settled, at: 25, credited: 18.75)
        ),
    ]

    @Test(arguments: confirmations)
    func `a later fix or the clock confirms`(_ row: DetectionCase) { row.check() }

    @Test(arguments: retractions)
    func `two fixes in a row clearly outside retract, until confirmed`(_ row: DetectionCase) { row.check() }

    @Test(arguments: again)
    func `after a retraction everything starts over`(_ row: DetectionCase) { row.check() }
}
