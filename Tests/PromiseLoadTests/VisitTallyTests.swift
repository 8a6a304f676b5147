import PromisedClient
import Testing

@testable import promise_load

@Suite("The tally of visits")
struct VisitTallyTests {
    @Test(arguments: [(0.5, 50.0), (0.99, 99), (1, 100), (0, 1)])
    func `percentiles are values that occurred`(share: Double, value: Double) {
        #expect(VisitTally.percentile(share, of: (1...100).map(Double.init).shuffled()) == value)
    }

    @Test func `nothing has no percentile`() {
        #expect(VisitTally.percentile(0.5, of: []) == 0)
    }

    @Test func `answered and failed visits are told apart`() {
        var tally = VisitTally()
        tally.count(ServerKnock.Finding(handshake: .milliseconds(2), answer: .milliseconds(1)))
        tally.count(nil)
        #expect(tally.failures == 1)
        let expected = """
            visits answered  1
            visits failed    1
            per second       0.5
            handshake ms     p50 2.0, p99 2.0, max 2.0
            answer ms        p50 1.0, p99 1.0, max 1.0
            """
        #expect(tally.text(elapsed: .seconds(2)) == expected)
    }
}
