import App
import Foundation
import Logging
import PromisedClient
import PromisedClientTesting
import PromisedProtocol
import SwiftProtobuf
import Testing

/// The app against a server in memory.
@Suite(.timeLimit(.minutes(1))) struct MeetingTests {
    @Test(arguments: WireCodec.allCases)
    func `an app signs up, follows its promise and reports`(_ codec: WireCodec) async throws {
        let server = MemoryTransport { request in
            switch request {
            case .createPromise:
                .promise(
                    .with { reply in
                        reply.promise.promiseID = "p"
                        reply.promise.title = "Coffee"
                    }
                )
            case .subscribe(let request):
                .subscribed(
                    .with { reply in
                        reply.epoch = "e"
                        reply.nextReportMs = 1
                        reply.snapshot.promiseID = request.promiseID
                        reply.snapshot.title = "Coffee"
                    }
                )
            default: MemoryTransport.usualAnswer(to: request)
            }
        }
        let fixes = FixStore()
        var settings = ClientSettings(address: ServerAddress(host: "meet.example", port: 443), codec: codec)
        settings.identify(as: fixes)
        let client = PromisedClient(settings: settings, transport: server, log: Logger(label: "app"))
        let reporter = PositionReporter(client: client, fixes: fixes)
        async let running: Void = client.run()
        async let reporting: Void = reporter.run()
        let meeting = Meeting(client: client)
        let title = try await meeting.begin(email: "ann@meet.example", nickname: "ann", at: .now + 7_200)
        #expect(title == "Coffee")
        await meeting.report(with: reporter)
        #expect(await meeting.returns >= 6)
        await client.close()
        await running
        await reporting
    }
}
