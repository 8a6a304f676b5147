import PromisedDomain
import PromisedTestMarks
import Testing

/// Domain §6.1, *lingering*. All report 9 m/s, too fast for the other clauses: a jogger round the fountain.
@Suite struct LingeringClauseTests {
    static func run(_ times: [Double], metres: [Double] = [20]) -> [Sight] {
        times.enumerated().map { Sight($1, metres[min($0, metres.count - 1)], speed: 9) }
    }

    static let cases: [DetectionCase] = [
        // Four fixes.
        DetectionCase("three fixes", run([0, 7, 20]), is: nil),
        DetectionCase("four fixes", run([0, 5, 10, 15]), is: .init(.lingering, at: 15, credited: 0)),
        DetectionCase("five fixes", run([0, 3, 6, 9, 15]), is: .init(.lingering, at: 15, credited: 0)),
        // 15 s while 2 R at 7 m/s are less.
        DetectionCase("14.499 s", run([0, 5, 10, 14.499]), is: nil),
        DetectionCase("14.5 s", run([0, 5, 10, 14.5]), is: .init(.lingering, at: 14.5, credited: 0)),
        DetectionCase("14.501 s", run([0, 5, 10, 14.501]), is: .init(.lingering, at: 14.501, credited: 0)),
        // R = 100: 28.571 s.
        DetectionCase("R = 100, 28.07 s", radius: 100, run([0, 10, 20, 28.07]), is: nil),
        DetectionCase(
            "R = 100, 28.08 s",
            radius: 100,
            run([0, 10, 20, 28.08]),
            is: .init(.lingering, at: 28.08, credited: 0)
        ),
        // R = 500: 142.857 s.
        DetectionCase("R = 500, 142.35 s", radius: 500, run([0, 50, 100, 142.35]), is: nil),
        DetectionCase(
            "R = 500, 142.36 s",
            radius: 500,
            run([0, 50, 100, 142.36]),
            is: .init(.lingering, at: 142.36, credited: 0)
        ),
        // Two strong ones.
        DetectionCase("one strong", run([0, 5, 10, 15], metres: [48, 48, 45, 48]), is: nil),
        DetectionCase(
            "two strong",
            run([0, 5, 10, 15], metres: [48, 45, 45, 48]),
            is: .init(.lingering, at: 15, credited: 0)
        ),
        // A run that was ended counts from its new beginning.
        DetectionCase(
            "interrupted",
            run([0, 5, 10, 15, 20, 25], metres: [20, 61, 20]),
            is: .init(.lingering, at: 25, credited: 6.341)
        ),
    ]

    @Test(.proves("6.3"), arguments: cases)
    func `lingering needs four fixes, two of them strong, over the time of a crossing`(_ row: DetectionCase) {
        row.check()
    }
}
