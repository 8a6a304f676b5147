import Testing

@testable import PromisedTransport

/// The order and times in which a stopping loop notifies its connections, without a loop.
struct StopSequenceTests {
    private var stop = StopSequence()
    private let start = ContinuousClock.now
    private let ids = (0..<10).map { connectionID($0) }

    private mutating func begin(_ count: Int, spread: Duration) {
        let begins = stop.begin(
            closing: Array(ids.prefix(count)),
            .draining,
            spread: spread,
            timeout: .seconds(3),
            at: start
        )
        #expect(begins)
    }

    /// The number of notified connections at that time, or -1 for the end.
    private mutating func told(after span: Duration, left: Int = 10) throws -> Int {
        let step = stop.advance(to: start + span, connections: left)
        switch try #require(step) {
        case .close(let ids, let reason):
            #expect(reason == .draining)
            return ids.count
        case .end: return -1
        }
    }

    @Test mutating func `nothing is due before a stop is requested`() {
        #expect(stop.isRunning && !stop.hasEnded)
        #expect(stop.advance(to: start + .seconds(100), connections: 0) == nil)
    }

    @Test mutating func `notifies all at once without a spread, each once, in order`() {
        begin(10, spread: .zero)
        #expect(!stop.isRunning)
        #expect(stop.advance(to: start, connections: 10) == .close(ids, .draining))
        #expect(stop.advance(to: start, connections: 10) == .close([], .draining))
    }

    @Test(
        arguments: [
            (spans: [0, 1_000, 2_000, 10_000], told: [0, 1, 1, 8]),
            (spans: [1, 999, 1_001], told: [1, 0, 1]),
            (spans: [10_000], told: [10]),
            // No connection is notified again while the clock is stopped.
            (spans: [5_000, 5_000], told: [5, 0]),
        ] as [(spans: [Int], told: [Int])]
    )
    mutating func `notifies connections evenly over the spread`(spans: [Int], told expected: [Int]) throws {
        begin(10, spread: .seconds(10))
        for (span, count) in zip(spans, expected) {
            #expect(try told(after: .milliseconds(span)) == count)
        }
    }

    @Test(
        arguments: [
            (span: 12_999, left: 1, isEnd: false), (span: 13_000, left: 1, isEnd: true),
            (span: 0, left: 0, isEnd: true),
        ] as [(span: Int, left: Int, isEnd: Bool)]
    )
    mutating func `ends when all have ended or the time is over`(span: Int, left: Int, isEnd: Bool) throws {
        begin(10, spread: .seconds(10))
        #expect(try told(after: .milliseconds(span), left: left) == (isEnd ? -1 : 10))
    }

    @Test mutating func `starts once and ends once`() {
        begin(2, spread: .zero)
        #expect(stop.begin(closing: [], .goingAway, spread: .zero, timeout: .zero, at: start) == false)
        #expect(stop.advance(to: start, connections: 2) == .close(Array(ids.prefix(2)), .draining))
        #expect(stop.end() == true)
        #expect(stop.end() == false)
        #expect(stop.hasEnded)
    }

    @Test mutating func `a loop that ended by itself does not run again`() {
        #expect(stop.end() == true)
        #expect(!stop.isRunning && stop.hasEnded)
    }
}
