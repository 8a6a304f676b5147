import PromisedClient
import Testing

@testable import promisectl

@Suite("What a check found")
struct CheckTextTests {
    private let text = CheckText(
        address: ServerAddress(host: "::1", port: 8_080),
        finding: ServerKnock.Finding(handshake: .microseconds(1_250), answer: .microseconds(420))
    )

    @Test func `people read a line`() {
        #expect(text.text(isJSON: false) == "ws://[::1]:8080/ws is reachable: handshake 1.3 ms, answer 0.4 ms")
    }

    @Test func `machines read a document`() {
        #expect(text.text(isJSON: true) == #"{"url":"ws://[::1]:8080/ws","handshakeMs":1.3,"answerMs":0.4}"#)
    }
}
