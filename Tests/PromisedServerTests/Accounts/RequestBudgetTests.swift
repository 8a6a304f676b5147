import PromisedDomain
import Testing

@testable import PromisedAccess
@testable import PromisedServer
@testable import PromisedSettings

@Suite struct RequestBudgetTests {
    private let start = Instant(milliseconds: 1_000_000)

    // MARK: - Bucket

    @Test func `a burst of 40, then 20 a second`() {
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

    @Test func `the bucket never holds more than its burst`() {
        var bucket = TokenBucket(perSecond: 20, burst: 40, at: start)
        for _ in 0..<40 { _ = bucket.take(at: start) }
        let muchLater = Instant(milliseconds: .max / 2)
        for _ in 0..<40 { #expect(bucket.take(at: muchLater) == nil) }
        #expect(bucket.take(at: muchLater) == .milliseconds(50))
    }

    @Test func `rates that do not divide a second lose nothing`() {
        var bucket = TokenBucket(perSecond: 3, burst: 1, at: start)
        _ = bucket.take(at: start)
        #expect(bucket.take(at: start) == .milliseconds(334))
        let taken = (1...10_000).filter { bucket.take(at: start + .milliseconds(Int64($0))) == nil }.count
        #expect(taken == 29)
    }

    @Test func `a clock that goes back gives nothing and takes nothing`() {
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

    @Test func `the fortieth refusal within ten seconds exhausts`() {
        var budget = spent()
        for _ in 0..<39 { #expect(budget.request(at: start) == .refused(retryAfter: .milliseconds(50))) }
        #expect(budget.request(at: start) == .exhausted)
        #expect(budget.request(at: start) == .exhausted)
    }

    @Test(
        arguments: [(9_999, .exhausted), (10_000, .refused(retryAfter: .milliseconds(50)))]
            as [(Int64, RequestBudget.Answer)]
    )
    func `refusals count for ten seconds, the end excluded`(milliseconds: Int64, answer: RequestBudget.Answer) {
        var budget = spent()
        for _ in 0..<39 { _ = budget.request(at: start) }
        let now = start + .milliseconds(milliseconds)
        // 199 or 200 tokens came in, of which the bucket holds 40.
        for _ in 0..<40 { #expect(budget.request(at: now) == .allowed) }
        #expect(budget.request(at: now) == answer)
    }
}
