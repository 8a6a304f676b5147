import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct OutcomeTests {
    struct Case: CustomTestStringConvertible, Sendable {
        /// From the meeting time.
        var credited: TimeSpan
        var grace = TimeSpan.seconds(60)
        var outcome: Outcome
        var testDescription: String { "\(credited.seconds) s, grace \(grace.seconds) s: \(outcome.rawValue)" }
    }

    static let cases: [Case] = [
        Case(credited: -.minutes(30), outcome: .early),
        // t.
        Case(credited: -.milliseconds(1), outcome: .early),
        Case(credited: .zero, outcome: .onTime),
        Case(credited: .milliseconds(1), outcome: .onTime),
        // t + 60 s.
        Case(credited: .seconds(60) - .milliseconds(1), outcome: .onTime),
        Case(credited: .seconds(60), outcome: .late),
        Case(credited: .seconds(60) + .milliseconds(1), outcome: .late),
        Case(credited: .hours(3), outcome: .late),
        // Another grace.
        Case(credited: -.milliseconds(1), grace: .zero, outcome: .early),
        Case(credited: .zero, grace: .zero, outcome: .late),
        Case(credited: .minutes(10) - .milliseconds(1), grace: .minutes(10), outcome: .onTime),
        Case(credited: .minutes(10), grace: .minutes(10), outcome: .late),
    ]

    @Test(.proves("6.9"), arguments: cases)
    func `the credited time decides`(_ row: Case) {
        #expect(Outcome(creditedAt: .meeting + row.credited, meetsAt: .meeting, grace: row.grace) == row.outcome)
    }

    @Test(
        .proves("6.9", "8.5"),
        arguments: [
            (Outcome.early, false), (.onTime, false), (.late, true), (.noShow, true), (.left, true), (.excused, false),
        ]
    )
    func `late, no-show and left count as late`(outcome: Outcome, countsAsLate: Bool) {
        #expect(outcome.countsAsLate == countsAsLate)
    }
}
