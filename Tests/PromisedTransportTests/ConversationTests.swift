import PromisedTestSupport
import PromisedTransport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ConversationTests {
    @Test func `a message goes to the server and an answer comes back`() async throws {
        try await withServer { running in
            let connection = try await running.connect()
            let id = try await running.handler.opened()
            connection.send(Array("hello".utf8), isText: true)
            let received = try await running.handler.events.first {
                if case .received(_, let bytes, let isText) = $0 { (bytes, isText) } else { nil }
            }
            #expect(received.0 == Array("hello".utf8))
            #expect(received.1)
            running.server.send(Payload("welcome"), to: [id])
            #expect(await connection.nextMessage() == Array("welcome".utf8))
        }
    }
}
