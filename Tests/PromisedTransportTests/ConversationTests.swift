import PromisedTestSupport
import PromisedTransport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ConversationTests {
    @Test func `sends a message to the server and receives an answer`() async throws {
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

    @Test func `answers all connections while events are batched`() async throws {
        try await withServer { running in
            let count = 220
            var connections: [ClientConnection] = []
            for _ in 0..<count { connections.append(try await running.connect()) }
            let ids = await running.handler.events.wait { $0.openedIDs.count == count }.openedIDs
            for round in 0..<3 {
                for connection in connections { connection.send(Array("\(round)".utf8), isText: true) }
                let heard = (round + 1) * count
                _ = await running.handler.events.wait { events in
                    events.count { if case .received = $0 { true } else { false } } == heard
                }
                running.server.send(Payload("round \(round)"), to: ids)
                for connection in connections {
                    #expect(await connection.nextMessage() == Array("round \(round)".utf8))
                }
            }
        }
    }
}
