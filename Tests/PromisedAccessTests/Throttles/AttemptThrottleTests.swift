import Testing

@testable import PromisedAccess

@Suite struct AttemptThrottleTests {
    private let start = ContinuousClock.now

    @Test func `allows attempts up to the limit, the next after the first leaves the window`() {
        var throttle = AttemptThrottle<String>(limit: 3, window: .seconds(60), memory: 10)
        #expect(throttle.attempt("a", at: start) == nil)
        #expect(throttle.attempt("a", at: start + .seconds(1)) == nil)
        #expect(throttle.wait(of: "a", at: start + .seconds(2)) == nil)
        #expect(throttle.attempt("a", at: start + .seconds(2)) == nil)
        #expect(throttle.attempt("a", at: start + .seconds(3)) == .seconds(57))
        #expect(throttle.attempt("a", at: start + .milliseconds(59_999)) == .milliseconds(1))
        #expect(throttle.attempt("a", at: start + .seconds(60)) == nil)
        // Full again until the second leaves; refused attempts did not count.
        #expect(throttle.attempt("a", at: start + .seconds(60)) == .seconds(1))
    }

    @Test func `ignores attempts outside the window`() {
        var throttle = AttemptThrottle<String>(limit: 3, window: .seconds(60), memory: 10)
        #expect(throttle.counted("a", at: start) == 0)
        for second in [0, 0, 30] { throttle.count("a", at: start + .seconds(second)) }
        #expect(throttle.counted("a", at: start + .milliseconds(59_999)) == 3)
        #expect(throttle.counted("a", at: start + .seconds(60)) == 1)
    }

    @Test func `counts the attempts of each key separately`() {
        var throttle = AttemptThrottle<String>(limit: 1, window: .seconds(60), memory: 10)
        #expect(throttle.attempt("a", at: start) == nil)
        #expect(throttle.attempt("b", at: start) == nil)
        #expect(throttle.attempt("a", at: start) == .seconds(60))
    }

    @Test func `removes a cancelled attempt`() {
        var throttle = AttemptThrottle<String>(limit: 2, window: .seconds(60), memory: 10)
        throttle.count("a", at: start)
        throttle.count("a", at: start + .seconds(1))
        throttle.takeBack("a", countedAt: start)
        throttle.takeBack("a", countedAt: start + .seconds(30))
        throttle.takeBack("b", countedAt: start)
        #expect(throttle.attempt("a", at: start + .seconds(2)) == nil)
        #expect(throttle.attempt("a", at: start + .seconds(2)) == .seconds(59))
        throttle.takeBack("a", countedAt: start + .seconds(1))
        throttle.takeBack("a", countedAt: start + .seconds(2))
        #expect(throttle.count == 0)
    }

    @Test func `attempts beyond the limit extend the wait`() {
        var throttle = AttemptThrottle<String>(limit: 2, window: .seconds(60), memory: 10)
        for second in 0..<4 { throttle.count("a", at: start + .seconds(second)) }
        #expect(throttle.wait(of: "a", at: start + .seconds(4)) == .seconds(58))
    }

    @Test func `limits the stored keys and removes expired ones first`() {
        var throttle = AttemptThrottle<Int>(limit: 1, window: .seconds(60), memory: 32)
        for key in 0..<16 { throttle.count(key, at: start) }
        for key in 16..<32 { throttle.count(key, at: start + .seconds(30)) }
        #expect(throttle.count == 32)
        throttle.count(32, at: start + .seconds(60))
        #expect(throttle.count == 17)
        #expect((16...32).allSatisfy { throttle.wait(of: $0, at: start + .seconds(60)) != nil })
    }

    @Test func `removes the keys with the oldest first attempt if none has expired`() {
        var throttle = AttemptThrottle<Int>(limit: 1, window: .seconds(3_600), memory: 32)
        for key in 0..<32 { throttle.count(key, at: start + .seconds(key)) }
        throttle.count(32, at: start + .seconds(32))
        // A sixteenth of the memory at once.
        #expect(throttle.count == 31)
        let now = start + .seconds(33)
        #expect((0..<33).filter { throttle.wait(of: $0, at: now) == nil } == [0, 1])
        for key in 33..<1_000 {
            throttle.count(key, at: now)
            #expect(throttle.count <= 32)
        }
    }

    @Test(
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.milliseconds(1), 1), (.microseconds(1_001), 2),
            (.seconds(900), 900_000),
        ] as [(Duration, Int64)]
    )
    func `gives waits in milliseconds, rounded up`(wait: Duration, milliseconds: Int64) {
        #expect(wait.retryAfterMilliseconds == milliseconds)
    }
}
