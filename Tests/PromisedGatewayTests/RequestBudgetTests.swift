import PromisedDomain
import PromisedTestMarks
import Testing

@testable import PromisedAccess
@testable import PromisedGateway
@testable import PromisedSettings

@Suite struct RequestBudgetTests {
    private let start = Instant(milliseconds: 1_000_000)

    // MARK: - Bucket

    @Test(.proves("limit.rate")) func `a burst of 40, then 20 a second`() {
        var bucket = TokenBucket(perSecond: 20, burst: 40, at: start)
        for _ in 0..<40 { #expect(bucket.take(at: start) == nil) }
        #expect(bucket.take(at: start) == .milliseconds(50))
        #expect(bucket.take(at: start + .milliseconds(49)) == .milliseconds(1))
        #expect(bucket.take(at: start + .milliseconds(50)) == nil)
        #expect(bucket.take(at: start + .milliseconds(50)) == .milliseconds(50))
        // A second later 20 more, and not one above.
        let later = start + .milliseconds(1_050)
        for _ in 0..<20 { #expect(bucket.take(at: later) == nil) }
        #expect(bucket.take(at: later) == .milliseconds(50))
    }

    @Test func `limits the bucket to its burst`() {
        var bucket = TokenBucket(perSecond: 20, burst: 40, at: start)
        for _ in 0..<40 { _ = bucket.take(at: start) }
        let muchLater = Instant(milliseconds: .max / 2)
        for _ in 0..<40 { #expect(bucket.take(at: muchLater) == nil) }
        #expect(bucket.take(at: muchLater) == .milliseconds(50))
    }

    @Test func `rates that do not divide a second lose no tokens`() {
        var bucket = TokenBucket(perSecond: 3, burst: 1, at: start)
        _ = bucket.take(at: start)
        #expect(bucket.take(at: start) == .milliseconds(334))
        let taken = (1...10_000).filter { bucket.take(at: start + .milliseconds(Int64($0))) == nil }.count
        #expect(taken == 29)
    }

    @Test func `a clock set back changes nothing`() {
        var bucket = TokenBucket(perSecond: 20, burst: 2, at: start)
        #expect(bucket.take(at: start - .hours(1)) == nil)
        #expect(bucket.take(at: start - .hours(2)) == nil)
        #expect(bucket.take(at: start - .hours(2)) == .milliseconds(50))
        #expect(bucket.take(at: start - .hours(2) + .milliseconds(50)) == nil)
    }

    @Test(arguments: [(1, 1), (10_000, 100_000), (1, 100_000), (10_000, 1)])
    func `rates at the ends of the settings work`(rate: Int, burst: Int) {
        var bucket = TokenBucket(perSecond: rate, burst: burst, at: start)
        for _ in 0..<burst { #expect(bucket.take(at: start) == nil) }
        let wait = bucket.take(at: start)
        #expect(wait == .milliseconds(Int64((1_000 + rate - 1) / rate)))
        #expect(bucket.take(at: start + (wait ?? .zero)) == nil)
    }

    // MARK: - Budget

    /// A budget whose burst is used up.
    private func spent() -> RequestBudget {
        var budget = RequestBudget(ServerSettings().limits, at: start)
        for _ in 0..<40 { #expect(budget.request(at: start) == .allowed) }
        return budget
    }

    /// Simultaneous refusals have waits that increase by one interval each.
    @Test(.proves("4005")) func `the fortieth refusal within ten seconds exhausts the budget`() {
        var budget = spent()
        for number in 1...39 as ClosedRange<Int64> {
            #expect(budget.request(at: start) == .refused(retryAfter: .milliseconds(50 * number)))
        }
        #expect(budget.request(at: start) == .exhausted(retryAfter: .milliseconds(2_000)))
        #expect(budget.request(at: start) == .exhausted(retryAfter: .milliseconds(2_050)))
    }

    @Test(arguments: [(9_999, true), (10_000, false)] as [(Int64, Bool)])
    func `counts refusals for ten seconds, the end excluded`(milliseconds: Int64, isExhausted: Bool) {
        var limits = ServerSettings().limits
        // So slow that no request becomes allowed meanwhile, which would compensate a refusal.
        (limits.requestRate, limits.requestBurst) = (1, 1)
        limits.refusedRequests = 3
        limits.refusedWindow = .seconds(10)
        var budget = RequestBudget(limits, at: start)
        #expect(budget.request(at: start) == .allowed)
        for _ in 1...2 { _ = budget.request(at: start + .milliseconds(1)) }
        let now = start + .milliseconds(1 + milliseconds)
        // The only token of these seconds.
        #expect(budget.request(at: now) == .allowed)
        let answer = budget.request(at: now)
        let next = budget.request(at: now)
        // One of the two earlier refusals is compensated; the other one counts until the end.
        if case .exhausted = next { #expect(isExhausted) } else { #expect(!isExhausted) }
        if case .refused = answer {} else { Issue.record("\(answer)") }
    }

    @Test(.proves("4005"), arguments: 1...39)
    func `a client that waits as requested is never exhausted`(lanes: Int) {
        var budget = spent()
        // Each lane makes its next request at once, and a refused one again exactly when it may.
        var due = [Instant](repeating: start, count: lanes)
        var refusals = 0
        for _ in 0..<2_000 {
            let lane = due.indices.min { due[$0] < due[$1] } ?? 0
            switch budget.request(at: due[lane]) {
            case .allowed: break
            case .refused(let wait):
                refusals += 1
                #expect(wait > .zero)
                due[lane] = due[lane] + wait
            case .exhausted:
                Issue.record("exhausted after \(refusals) refusals")
                return
            }
        }
        #expect(refusals > 40)
    }

    @Test(arguments: [1, 5, 10, 20] as [Int64])
    func `a client that ignores the waits exhausts its budget`(milliseconds: Int64) {
        var budget = spent()
        let answers = (0..<4_000).map { budget.request(at: start + .milliseconds(milliseconds * $0)) }
        #expect(answers.contains { if case .exhausted = $0 { true } else { false } })
    }

    @Test func `an early repetition restores nothing`() {
        var budget = spent()
        #expect(budget.request(at: start) == .refused(retryAfter: .milliseconds(50)))
        #expect(budget.request(at: start + .milliseconds(49)) == .refused(retryAfter: .milliseconds(51)))
        #expect(budget.request(at: start + .milliseconds(50)) == .allowed)
        #expect(budget.request(at: start + .milliseconds(50)) == .refused(retryAfter: .milliseconds(100)))
    }
}
