import Logging
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestSupport
import PromisedTransport
import Testing

@testable import PromisedSettings

/// A meetup of three from sign-up to statistics, with every frame.
@Suite("A transcript", .timeLimit(.minutes(2)), .serialized)
struct TranscriptTests {
    @Test(arguments: WireCodec.allCases)
    func `three participants meet, frame by frame, equally in both codecs`(codec: WireCodec) async throws {
        let clock = ManualClock(now: ServerWorld.start)
        let configure: @Sendable (inout ServerSettings) -> Void = { configuration in
            configuration.limits.requestBurst = 10_000
            configuration.tokens.access = .days(30)
            configuration.report.collection = .milliseconds(10)
        }
        try await ServerWorld.with(codec: codec, clock: clock, configure: configure) { world in
            try await Self.withClients(of: world, named: "Ada", "Bea", "Cid") { clients async throws in
                var meetup = TranscribedMeetup(ada: clients[0], bea: clients[1], cid: clients[2], clock: clock)
                try await meetup.signUp()
                try await meetup.makeFriends()
                try await meetup.promise()
                try await meetup.setOut()
                try await meetup.arrive()
                try await meetup.end()
                try TranscriptFile.expect(meetup.transcript.text, matches: "three-people.txt", "\(codec)")
            }
        }
    }

    private static func withClients(
        of world: ServerWorld,
        named names: String...,
        body: @Sendable ([TranscribedClient]) async throws -> Void
    ) async throws {
        let sockets = WebSocketClient(logger: Logger(label: "transcript"))
        var clients: [TranscribedClient] = []
        for name in names {
            let connection = try await world.rawConnection(sockets)
            clients.append(TranscribedClient(name: name, connection: connection, codec: world.codec))
        }
        try await withThrowingTaskGroup(of: Void.self) { [clients] group in
            for client in clients { group.addTask { try await client.listen() } }
            do {
                try await body(clients)
            } catch {
                await sockets.shutdown()
                throw error
            }
            for client in clients { client.close() }
            try await group.waitForAll()
        }
        await sockets.shutdown()
    }
}
