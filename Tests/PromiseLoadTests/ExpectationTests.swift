import Testing

@testable import promise_load

@Suite struct ExpectationTests {
    private let numbers: [String: Double?] = [
        "missing": 0, "deliveryLatencyMs.p99": 251.5, "serverCpuSeconds": Double?.none,
    ]

    @Test(arguments: [
        ("missing==0", true), ("missing<=0", true), ("missing<0", false), ("missing>0", false), ("missing>=0", true),
        ("missing == 1", false), ("deliveryLatencyMs.p99<=350", true), (" deliveryLatencyMs.p99 <= 251.5 ", true),
        ("deliveryLatencyMs.p99<251.5", false), ("deliveryLatencyMs.p99>1e2", true),
        // Unknown and absent: never met.
        ("serverCpuSeconds>=0", false), ("serverCPU>=0", false),
    ])
    func `compares a number as written`(text: String, isMet: Bool) throws {
        let expectation = try #require(Expectation(text))
        #expect((expectation.failure(in: numbers) == nil) == isMet)
    }

    @Test(arguments: [
        "", "missing", "missing=0", "<=3", "missing<=", "missing<=x", "a b<=3", "missing<=nan", "missing<=inf",
    ])
    func `rejects other texts`(text: String) {
        #expect(Expectation(text) == nil)
    }

    @Test func `a failure has the measured value`() throws {
        let expectation = try #require(Expectation("deliveryLatencyMs.p99 <= 100"))
        #expect(expectation.failure(in: numbers) == "deliveryLatencyMs.p99<=100.0 failed: the value is 251.5")
    }
}
