import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct PromiseLimitsTests {
    struct Case: CustomTestStringConvertible, Sendable {
        /// From now to the meeting.
        var ahead: TimeSpan
        var spans = WindowSpans()
        var refusal: Refusal?
        var testDescription: String { "\(ahead.seconds) s ahead: \(refusal.map { "\($0)" } ?? "fine")" }
    }

    static let millisecond = TimeSpan.milliseconds(1)

    static let cases: [Case] = [
        // 30 minutes, with 2 s of tolerance.
        Case(ahead: .minutes(30) - .seconds(2) - millisecond, refusal: .promiseTooSoon),
        Case(ahead: .minutes(30) - .seconds(2)),
        Case(ahead: .minutes(30) - .seconds(2) + millisecond),
        Case(ahead: .minutes(30)),
        Case(ahead: .zero, refusal: .promiseTooSoon),
        Case(ahead: -.days(1), refusal: .promiseTooSoon),
        // Another setting of `window.before`.
        Case(ahead: .minutes(5) - .seconds(2), spans: WindowSpans(before: .minutes(5))),
        Case(ahead: .minutes(5) - .seconds(3), spans: WindowSpans(before: .minutes(5)), refusal: .promiseTooSoon),
        // 366 days.
        Case(ahead: .days(366) - millisecond),
        Case(ahead: .days(366)),
        Case(ahead: .days(366) + millisecond, refusal: .promiseTooFar),
    ]

    @Test(.proves("4.2", "promise.too-soon", "promise.too-far"), arguments: cases)
    func `rejects meetings that are too early or too far ahead`(_ row: Case) {
        let refusal: Refusal?
        do throws(Refusal) {
            try PromiseLimits.check(meetsAt: .meeting + row.ahead, spans: row.spans, at: .meeting)
            refusal = nil
        } catch {
            refusal = error
        }
        #expect(refusal == row.refusal)
    }

    @Test(.proves("4.1", "4.3")) func `the limits are those of the rules`() {
        #expect(PromiseLimits.radiusMetres == 20...500)
        #expect(PromiseLimits.defaultRadiusMetres == 50)
        #expect(PromiseLimits.participants == 50)
        #expect(PromiseLimits.openPromises == 100)
        #expect(PromiseLimits.participations == 200)
        #expect(PromiseLimits.overlapping == 12)
        #expect(PromiseLimits.events == 10_000)
        #expect(PromiseLimits.keyMemory == .hours(24))
    }
}
