import App
import Foundation
import Logging
import PromisedClient
import PromisedProtocol
import PromisedWebSocketTransport
import Testing

/// The app against a running server, whose URL is in SERVER_URL.
@Suite(.timeLimit(.minutes(1))) struct ServerTests {
    @Test(arguments: WireCodec.allCases)
    func `an app signs up and follows its promise over a socket`(_ codec: WireCodec) async throws {
        let url = try #require(ProcessInfo.processInfo.environment["SERVER_URL"])
        let address = try #require(ServerAddress(url))
        let log = Logger(label: "app")
        let client = PromisedClient(
            settings: ClientSettings(address: address, codec: codec),
            transport: WebSocketTransport(log: log),
            log: log
        )
        async let running: Void = client.run()
        let meeting = Meeting(client: client)
        let name = "ann_\(codec.rawValue)"
        let title = try await meeting.begin(email: "\(name)@meet.example", nickname: name, at: .now + 7_200)
        #expect(title == "Coffee")
        #expect(await meeting.returns == 4)
        await client.close()
        await running
    }
}
