import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct PromiseWindowTests {
    struct Moment: CustomTestStringConvertible, Sendable {
        /// From the meeting time.
        var after: TimeSpan
        var status: PromiseStatus
        var isInWindow: Bool
        var testDescription: String { "\(after.seconds) s from t: \(status.rawValue)" }
    }

    static let millisecond = TimeSpan.milliseconds(1)

    static let moments: [Moment] = [
        Moment(after: -.days(366), status: .scheduled, isInWindow: false),
        // t − 30 min.
        Moment(after: -.minutes(30) - millisecond, status: .scheduled, isInWindow: false),
        Moment(after: -.minutes(30), status: .tracking, isInWindow: true),
        Moment(after: -.minutes(30) + millisecond, status: .tracking, isInWindow: true),
        // The status does not change at t.
        Moment(after: .zero, status: .tracking, isInWindow: true),
        // t + 3 h.
        Moment(after: .hours(3) - millisecond, status: .tracking, isInWindow: true),
        Moment(after: .hours(3), status: .settling, isInWindow: false),
        Moment(after: .hours(3) + millisecond, status: .settling, isInWindow: false),
        // t + 3 h 15 min.
        Moment(after: .minutes(195) - millisecond, status: .settling, isInWindow: false),
        Moment(after: .minutes(195), status: .final, isInWindow: false),
        Moment(after: .minutes(195) + millisecond, status: .final, isInWindow: false),
        Moment(after: .days(366), status: .final, isInWindow: false),
    ]

    @Test(.proves("4.16"), arguments: moments)
    func `the clock alone determines the status`(_ moment: Moment) {
        let promise = Promise.sample()
        let now = promise.meetsAt + moment.after
        #expect(promise.status(at: now) == moment.status)
        #expect(promise.window.contains(now) == moment.isInWindow)
    }

    @Test(.proves("4.16"), arguments: moments)
    func `a cancelled promise is cancelled at any time`(_ moment: Moment) {
        var promise = Promise.sample()
        promise.cancelledAt = promise.createdAt
        #expect(promise.status(at: promise.meetsAt + moment.after) == .cancelled)
    }

    /// The grace of a rule against a window of 3 hours, in milliseconds, and the one that counts.
    @Test(
        .proves("6.9"),
        arguments: [(10_799_999, 10_799_999), (10_800_000, 10_800_000), (10_800_001, 10_800_000), (.max, 10_800_000)]
    )
    func `limits a stored grace to the window`(stored: Int64, counted: Int64) {
        var promise = Promise.sample()
        promise.rule.grace = .milliseconds(stored)
        #expect(promise.lateFrom == promise.meetsAt + .milliseconds(counted))
        #expect(promise.lateFrom <= promise.closesAt)
        let last = Arrival(stage: .confirmed, creditedAt: promise.closesAt - .milliseconds(1), source: .gps)
        let result = PromiseResult(
            deciding: promise,
            participants: [.accepted(.user(1))],
            arrivals: [.user(1): last]
        )
        #expect(result.rows.map(\.outcome) == [counted < 10_800_000 ? .late : .onTime])
    }

    @Test(.proves("4.16")) func `keeps the spans of a promise's creation`() {
        let spans = WindowSpans(before: .minutes(5), after: .minutes(10), settle: .minutes(1))
        let promise = Promise.sample(spans: spans)
        #expect(promise.opensAt == .meeting - .minutes(5))
        #expect(promise.closesAt == .meeting + .minutes(10))
        #expect(promise.settlesAt == .meeting + .minutes(11))
        #expect(promise.status(at: .meeting - .minutes(5) - PromiseWindowTests.millisecond) == .scheduled)
        #expect(promise.status(at: .meeting + .minutes(11)) == .final)
    }

    @Test func `a promise without settling is final when its window ends`() {
        let promise = Promise.sample(spans: WindowSpans(settle: .zero))
        #expect(promise.status(at: promise.closesAt - PromiseWindowTests.millisecond) == .tracking)
        #expect(promise.status(at: promise.closesAt) == .final)
    }

    @Test(arguments: [0, 60, 600])
    func `lateness begins when the grace ends`(grace: Int) {
        let span = TimeSpan.seconds(Double(grace))
        #expect(Promise.sample(rule: ArrivalRule(grace: span)).lateFrom == .meeting + span)
    }
}
