import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Domain §6.2. All participants are provisional at 5 s; R = 50 m, so with e = 10 m a fix beyond 80 m is clearly
/// outside.
@Suite struct ConfirmationTests {
    static let arrived = [Sight(0, 40, speed: 1), Sight(5, 30, speed: 1)]
    static let provisional = DetectionCase.Expected(.settled, at: 5, credited: 0)

    static func confirmed(_ at: Double) -> DetectionCase.Expected {
        DetectionCase.Expected(.settled, at: 5, confirmed: at, credited: 0)
    }

    static let confirmations: [DetectionCase] = [
        // By a fix more than 120 s after the provisional instant.
        DetectionCase("a fix at 119.4 s", arrived + [Sight(124.4, 30)], is: provisional),
        DetectionCase("a fix at 120 s", arrived + [Sight(125, 30)], is: provisional),
        DetectionCase("a fix at 120.001 s", arrived + [Sight(125.001, 30)], is: confirmed(125.001)),
        DetectionCase("however inexact it is", arrived + [Sight(126, 30, error: 900)], is: confirmed(126)),
        DetectionCase("by cell tower, far away", arrived + [Sight(126, 1_500, error: 1_500)], is: confirmed(126)),
        DetectionCase("the first of several", arrived + [Sight(126, 30), Sight(131, 30)], is: confirmed(126)),
        // By the clock, 210 s after it.
        DetectionCase("the clock at 209.999 s", arrived, now: 214.999, is: provisional),
        DetectionCase("the clock at 210 s", arrived, now: 215, is: confirmed(215)),
        DetectionCase("the clock later", arrived, now: 9_000, is: confirmed(215)),
        DetectionCase("the clock first, then a fix", arrived + [Sight(300, 30)], is: confirmed(215)),
        DetectionCase("the clock first, then away", arrived + [Sight(216, 500), Sight(221, 900)], is: confirmed(215)),
        // A confirmed arrival stays confirmed after any movement.
        DetectionCase("then away", arrived + [Sight(126, 30), Sight(131, 500), Sight(136, 900)], is: confirmed(126)),
    ]

    static let holds: [DetectionCase] = [
        // No confirmation while the last usable fix lies outside, even slightly.
        DetectionCase("the fix that would confirm, at 50 m", arrived + [Sight(126, 50)], is: confirmed(126)),
        DetectionCase("at 50.001 m", arrived + [Sight(126, 50.001)], is: provisional),
        DetectionCase("outside before it", arrived + [Sight(10, 55), Sight(126, 30)], is: confirmed(126)),
        DetectionCase("back inside", arrived + [Sight(126, 55), Sight(131, 49)], is: confirmed(131)),
        DetectionCase(
            "an unusable fix inside does not end it",
            arrived + [Sight(10, 55), Sight(126, 0, error: 70.001)],
            is: provisional
        ),
        DetectionCase("one of 70 m does", arrived + [Sight(10, 55), Sight(126, 0, error: 70)], is: confirmed(126)),
        DetectionCase(
            "an unusable fix outside does not begin it",
            arrived + [Sight(10, 55, error: 71)],
            now: 215,
            is: confirmed(215)
        ),
        // The clock waits as well.
        DetectionCase("the clock at 210 s", arrived + [Sight(10, 55)], now: 215, is: provisional),
        DetectionCase("at 210 s itself", arrived + [Sight(215, 55)], is: provisional),
        DetectionCase("after 210 s", arrived + [Sight(215.001, 55)], is: confirmed(215)),
        DetectionCase("inside at 250 s", arrived + [Sight(10, 55), Sight(255, 30)], is: confirmed(255)),
        // At 300 s it decides: d − e > R retracts.
        DetectionCase("the clock at 299.999 s", arrived + [Sight(10, 70)], now: 304.999, is: provisional),
        DetectionCase("60 m at 300 s", arrived + [Sight(10, 60)], now: 305, is: confirmed(305)),
        DetectionCase("60.001 m at 300 s", arrived + [Sight(10, 60.001)], now: 305, is: nil),
        DetectionCase(
            "the last of two decides",
            arrived + [Sight(10, 70), Sight(15, 55)],
            now: 9_000,
            is: confirmed(305)
        ),
        DetectionCase("an error of 70 m", arrived + [Sight(10, 120, error: 70)], now: 305, is: confirmed(305)),
        DetectionCase("and beyond", arrived + [Sight(10, 120.001, error: 70)], now: 305, is: nil),
        DetectionCase(
            "errors count up to 100 m",
            radius: 200,
            arrived + [Sight(10, 300, error: 150)],
            now: 305,
            is: confirmed(305)
        ),
        DetectionCase(
            "and no more",
            radius: 200,
            arrived + [Sight(10, 300.001, error: 150)],
            now: 305,
            is: nil
        ),
        DetectionCase("inside at 300 s itself", arrived + [Sight(10, 70), Sight(305, 30)], is: confirmed(305)),
        DetectionCase("inside after it", arrived + [Sight(10, 70), Sight(305.001, 30)], is: nil),
        DetectionCase("outside at 300 s itself", arrived + [Sight(10, 55), Sight(305, 70)], is: nil),
        DetectionCase("less far at 300 s itself", arrived + [Sight(10, 70), Sight(305, 55)], is: confirmed(305)),
        DetectionCase(
            "an unusable fix decides nothing",
            arrived + [Sight(10, 55), Sight(300, 0, error: 90)],
            is: provisional
        ),
        DetectionCase(
            "nor does one that comes after",
            arrived + [Sight(10, 55), Sight(306, 900, error: 900)],
            is: confirmed(305)
        ),
    ]

    static let endings: [DetectionCase] = [
        // The end of settling replaces later instants of the clock.
        DetectionCase("before the end", settlesAt: 100, arrived, now: 99.999, is: provisional),
        DetectionCase("at the end", settlesAt: 100, arrived, now: 100, is: confirmed(100)),
        DetectionCase("after the end", settlesAt: 100, arrived, now: 9_000, is: confirmed(100)),
        DetectionCase("held within the error", settlesAt: 100, arrived + [Sight(10, 60)], now: 100, is: confirmed(100)),
        DetectionCase("held beyond it", settlesAt: 100, arrived + [Sight(10, 60.001)], now: 100, is: nil),
        DetectionCase("held before the end", settlesAt: 100, arrived + [Sight(10, 70)], now: 99.999, is: provisional),
        DetectionCase("between 210 and 300 s", settlesAt: 250, arrived + [Sight(10, 70)], now: 250, is: nil),
        DetectionCase("not held, between them", settlesAt: 250, arrived, now: 250, is: confirmed(215)),
        DetectionCase("at 210 s", settlesAt: 215, arrived, now: 215, is: confirmed(215)),
        DetectionCase("a silence that it cuts", settlesAt: 29.999, [Sight(0, 40, speed: 1)], now: 60, is: nil),
        DetectionCase(
            "a silence that ends with it",
            settlesAt: 30,
            [Sight(0, 40, speed: 1)],
            now: 60,
            is: .init(.silent, at: 30, confirmed: 30, credited: 0)
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
        // Usable ones count, their error only up to 100 m.
        DetectionCase(
            "e = 70 at 140 m",
            arrived + [Sight(10, 140, error: 70), Sight(15, 140, error: 70)],
            is: provisional
        ),
        DetectionCase(
            "e = 70 at 140.001 m",
            arrived + [Sight(10, 140.001, error: 70), Sight(15, 140.001, error: 70)],
            is: nil
        ),
        DetectionCase(
            "R = 200, e = 150 at 320 m",
            radius: 200,
            arrived + [Sight(10, 320, error: 150), Sight(15, 320, error: 150)],
            is: provisional
        ),
        DetectionCase(
            "R = 200, e = 150 at 320.001 m",
            radius: 200,
            arrived + [Sight(10, 320.001, error: 150), Sight(15, 320.001, error: 150)],
            is: nil
        ),
        // Unusable ones neither count nor separate the two.
        DetectionCase(
            "e = 70.001 far away",
            arrived + [Sight(10, 900, error: 70.001), Sight(15, 900, error: 70.001)],
            is: provisional
        ),
        DetectionCase(
            "two by cell tower",
            arrived + [Sight(10, 1_500, error: 1_500), Sight(15, 1_500, error: 1_500)],
            now: 9_000,
            is: confirmed(215)
        ),
        DetectionCase(
            "one by cell tower, one not",
            arrived + [Sight(10, 1_500, error: 1_500), Sight(15, 90)],
            is: provisional
        ),
        DetectionCase(
            "with one by cell tower between them",
            arrived + [Sight(10, 90), Sight(12, 10, error: 900), Sight(15, 90)],
            is: nil
        ),
        // Until confirmed.
        DetectionCase("the second at 119.4 s", arrived + [Sight(120, 90), Sight(124.4, 90)], is: nil),
        DetectionCase("the second at 120.001 s", arrived + [Sight(120, 90), Sight(125.001, 90)], is: nil),
        DetectionCase("the second at 299 s", arrived + [Sight(120, 90), Sight(304, 90)], is: nil),
        DetectionCase(
            "after one that confirms",
            arrived + [Sight(120, 90), Sight(121, 30), Sight(125.001, 30), Sight(126, 90), Sight(127, 90)],
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
        // The run is empty: a new arrival starts over, and is credited from the second fix outside.
        DetectionCase("one fix inside", arrived + [Sight(10, 90), Sight(15, 100), Sight(20, 0, speed: 1)], is: nil),
        DetectionCase(
            "two fixes inside",
            arrived + [Sight(10, 90), Sight(15, 100), Sight(20, 0, speed: 1), Sight(25, 0, speed: 1)],
            is: .init(.settled, at: 25, credited: 17.5)
        ),
        // Retracted by the clock at 305 s. The fix that shows it begins the next run, whose last one outside is the last
        // usable one before.
        DetectionCase(
            "after the clock",
            arrived + [Sight(10, 70), Sight(310, 0, speed: 1), Sight(315, 0, speed: 1)],
            is: .init(.settled, at: 315, credited: 310)
        ),
        DetectionCase(
            "the last one outside before the clock",
            arrived + [Sight(10, 70), Sight(290, 75), Sight(310, 25, speed: 1), Sight(315, 25, speed: 1)],
            is: .init(.settled, at: 315, credited: 300)
        ),
        DetectionCase(
            "silent after the clock",
            arrived + [Sight(10, 70), Sight(310, 0, speed: 1)],
            now: 340,
            is: .init(.silent, at: 340, credited: 310)
        ),
    ]

    @Test(.proves("6.5"), arguments: confirmations)
    func `a later fix or the clock confirms`(_ row: DetectionCase) { row.check() }

    @Test(.proves("6.17"), arguments: holds)
    func `holds an arrival while the last usable fix lies outside, until the clock decides at 300 s`(
        _ row: DetectionCase
    ) {
        row.check()
    }

    @Test(.proves("6.5", "6.17"), arguments: endings)
    func `the end of settling decides like the clock`(_ row: DetectionCase) { row.check() }

    @Test(.proves("6.6"), arguments: retractions)
    func `two consecutive usable fixes clearly outside retract an unconfirmed arrival`(_ row: DetectionCase) {
        row.check()
    }

    @Test(.proves("6.6"), arguments: again)
    func `starts over after a retraction`(_ row: DetectionCase) { row.check() }

    @Test(.proves("6.17")) func `a hold has its start and distance, a retraction its reason`() {
        var detector = ArrivalDetector(criteria: Self.confirmations[0].criteria)
        for fix in (Self.arrived + [Sight(10, 70), Sight(15, 1_500, error: 900), Sight(20, 75, error: 5)]).fixes {
            _ = detector.accept(fix)
        }
        let hold = detector.hold(at: .meeting + .seconds(304))
        #expect(hold?.since == .meeting + .seconds(10))
        #expect(hold?.last.time == .meeting + .seconds(20))
        #expect(hold.map { Int($0.last.distanceMetres.rounded()) } == 75)
        #expect(hold?.errorMetres == 5)
        #expect(detector.nextChange(after: .meeting + .seconds(20)) == .meeting + .seconds(305))
        #expect(detector.retraction(at: .meeting + .seconds(304)) == nil)
        let now = Instant.meeting + .seconds(305)
        #expect(detector.hold(at: now) == nil)
        expect(detector.retraction(at: now), at: now, because: .held)
        #expect(detector.nextChange(after: now) == nil)
        // The next fix does not change that.
        _ = detector.accept(Sight(320, 900).fix(seq: 9))
        expect(detector.retraction(at: now), at: now, because: .held)
    }

    @Test(.proves("6.6")) func `a retracting fix has that verdict`() {
        var detector = ArrivalDetector(criteria: Self.confirmations[0].criteria)
        for fix in (Self.arrived + [Sight(10, 90), Sight(15, 90)]).fixes { _ = detector.accept(fix) }
        let at = Instant.meeting + .seconds(15)
        expect(detector.retraction(at: at), at: at, because: .passed)
        #expect(detector.hold(at: at) == nil)
    }

    /// An arrival credited at the meeting time was retracted.
    private func expect(
        _ retraction: ArrivalDetector.Retraction?,
        at instant: Instant,
        because cause: ArrivalDetector.Retraction.Cause
    ) {
        #expect(retraction?.creditedAt == .meeting)
        #expect(retraction?.at == instant)
        #expect(retraction?.cause == cause)
    }
}
