import Logging
import PromisedClient
import PromisedClientTesting
import PromisedProtocol
import SwiftProtobuf
import Testing

/// The example of the article about tests of apps, word for word.
@Suite(.timeLimit(.minutes(1))) struct ScriptedServerTests {
    @Test func `the article's script answers`() async throws {
        let settings = ClientSettings(address: ServerAddress(host: "meet.example", port: 443))
        let server = MemoryTransport { request in
            switch request {
            case .createPromise: .promise(.with { $0.promise.promiseID = "p" })
            default: MemoryTransport.usualAnswer(to: request)
            }
        }
        let client = PromisedClient(settings: settings, transport: server, log: Logger(label: "app"))
        async let running: Void = client.run()
        _ = try await client.signUp(email: "ann@meet.example", password: "correct horse battery", nickname: "ann")
        #expect(try await client.createPromise(WireCreatePromise()).promise.promiseID == "p")
        await client.close()
        await running
    }
}
