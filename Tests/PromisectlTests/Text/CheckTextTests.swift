import PromisedClient
import Testing

@testable import promisectl

@Suite("The result of a check")
struct CheckTextTests {
    private let report = Report.check(
        ServerAddress(host: "::1", port: 8_080),
        ReachabilityProbe.Finding(handshake: .microseconds(1_250), answer: .microseconds(420))
    )

    @Test func `prints a line for people`() {
        #expect(report.text(.plain) == "ws://[::1]:8080/ws is reachable: handshake 1.3 ms, answer 0.4 ms")
    }

    @Test func `prints a document for machines`() throws {
        #expect(try report.document.json() == #"{"answerMs":0.4,"handshakeMs":1.3,"url":"ws://[::1]:8080/ws"}"#)
    }
}
