import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Domain §6.1, *silent*: a strong, slow fix and then 30 s of silence.
@Suite struct SilentClauseTests {
    static let silent = DetectionCase.Expected(.silent, at: 30, credited: 0)

    static let byClock: [DetectionCase] = [
        DetectionCase("29.4 s", [Sight(0, 40, speed: 5)], now: 29.4, is: nil),
        DetectionCase("30 s", [Sight(0, 40, speed: 5)], now: 30, is: silent),
        DetectionCase("a minute", [Sight(0, 40, speed: 5)], now: 60, is: silent),
        // Speed.
        DetectionCase("7.999 m/s", [Sight(0, 40, speed: 7.999)], now: 30, is: silent),
        DetectionCase("8 m/s", [Sight(0, 40, speed: 8)], now: 30, is: silent),
        DetectionCase("8.001 m/s", [Sight(0, 40, speed: 8.001)], now: 30, is: nil),
        DetectionCase("the first fix of all has speed 0", [Sight(0, 40)], now: 30, is: silent),
        DetectionCase(
            "7.98 m/s by distance",
            [Sight(-5, 84.9), Sight(0, 45)],
            now: 30,
            is: .init(.silent, at: 30, credited: -0.627)
        ),
        DetectionCase("8.02 m/s by distance", [Sight(-5, 85.1), Sight(0, 45)], now: 30, is: nil),
        // Strength.
        DetectionCase("strong at 45 m", [Sight(0, 45, speed: 5)], now: 30, is: silent),
        DetectionCase("not strong at 45.001 m", [Sight(0, 45.001, speed: 5)], now: 30, is: nil),
        DetectionCase("not usable", [Sight(0, 0, error: 70.001, speed: 5)], now: 30, is: nil),
        // The last fix must be strong; the first of the run is credited.
        DetectionCase(
            "last of three",
            [Sight(0, 48, speed: 5), Sight(5, 40, speed: 5)],
            now: 35,
            is: .init(.silent, at: 35, credited: 0)
        ),
        DetectionCase("last not strong", [Sight(0, 40, speed: 5), Sight(5, 48, speed: 5)], now: 35, is: nil),
        DetectionCase("last unusable", [Sight(0, 40, speed: 5), Sight(5, 40, error: 71, speed: 5)], now: 60, is: nil),
    ]

    static let byFix: [DetectionCase] = [
        DetectionCase("29.499 s", [Sight(0, 40, speed: 5), Sight(29.499, 48, speed: 5)], now: 100, is: nil),
        DetectionCase("29.5 s", [Sight(0, 40, speed: 5), Sight(29.5, 48, speed: 5)], is: silent),
        DetectionCase("30 s", [Sight(0, 40, speed: 5), Sight(30, 48, speed: 5)], is: silent),
        DetectionCase("31 s", [Sight(0, 40, speed: 5), Sight(31, 48, speed: 5)], is: silent),
        // A fix of any kind within the 30 s undoes it.
        DetectionCase("outside at 20 s", [Sight(0, 40, speed: 5), Sight(20, 200, speed: 9)], now: 100, is: nil),
        DetectionCase(
            "unusable at 20 s",
            [Sight(0, 40, speed: 5), Sight(20, 40, error: 800, speed: 5)],
            now: 100,
            is: nil
        ),
        DetectionCase("near at 20 s", [Sight(0, 40, speed: 5), Sight(20, 55, speed: 5)], now: 100, is: nil),
        // A strong fix within the 30 s takes its place.
        DetectionCase("strong at 20 s", [Sight(0, 40, speed: 5), Sight(20, 40, speed: 5)], now: 49.4, is: nil),
        DetectionCase(
            "strong at 20 s, then silence",
            [Sight(0, 40, speed: 5), Sight(20, 40, speed: 5)],
            now: 50,
            is: .init(.silent, at: 50, credited: 0)
        ),
        // A fix outside after the 30 s does not undo it, and two retract it.
        DetectionCase("one outside at 31 s", [Sight(0, 40, speed: 5), Sight(31, 200, speed: 9)], is: silent),
        DetectionCase(
            "two outside from 31 s",
            [Sight(0, 40, speed: 5), Sight(31, 200, speed: 9), Sight(36, 300, speed: 9)],
            now: 200,
            is: nil
        ),
    ]

    @Test(.proves("6.4"), arguments: byClock)
    func `silence after a strong, slow fix arrives by the clock`(_ row: DetectionCase) { row.check() }

    @Test(.proves("6.4"), arguments: byFix)
    func `the next fix confirms or refutes the silence`(_ row: DetectionCase) { row.check() }

    @Test(.proves("6.4")) func `a late fix dated inside the silence cancels it`() {
        var track = DeviceTrack(criteria: SilentClauseTests.byFix[0].criteria)
        let last = Sight(0, 40, speed: 5).fix(seq: 1)
        #expect(track.insert([last]) == .extended)
        let now = Instant.meeting + .seconds(45)
        #expect(track.arrival(at: now)?.provisionalAt == .meeting + .seconds(30))
        _ = track.insert([Sight(15, 200, speed: 9, delay: 30).fix(seq: 2)])
        #expect(track.arrival(at: now) == nil)
        #expect(track.nextChange(after: now) == nil)
    }

    @Test func `the track gives the instant of the clock's next change`() {
        var track = DeviceTrack(criteria: SilentClauseTests.byFix[0].criteria)
        #expect(track.nextChange(after: .meeting) == nil)
        _ = track.insert([Sight(0, 40, speed: 5).fix(seq: 1)])
        let provisional = Instant.meeting + .seconds(30)
        let confirmed = provisional + .seconds(210)
        #expect(track.nextChange(after: .meeting) == provisional)
        #expect(track.nextChange(after: provisional - .milliseconds(1)) == provisional)
        #expect(track.nextChange(after: provisional) == confirmed)
        #expect(track.nextChange(after: confirmed) == nil)
        #expect(track.arrival(at: confirmed)?.confirmedAt == confirmed)
    }
}
