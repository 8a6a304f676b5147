import PromisedClient
import PromisedProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct RequestTests {
    @Test(arguments: RequestCase.all)
    func `each call sends its request and returns its reply`(_ test: RequestCase) async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            async let call: Void = test.call(world.client)
            let frame = try await link.receive()
            #expect(frame.id != 0)
            #expect(frame == (try test.frame(id: frame.id)))
            try link.reply(to: frame, test.reply)
            try await call
        }
    }

    @Test(arguments: RequestCase.all)
    func `rejects a reply of another kind`(_ test: RequestCase) async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            async let failed = error(of: { try await test.call(world.client) })
            try link.reply(to: try await link.receive(), .clock(WireClock()))
            #expect(await failed == .unexpectedReply)
        }
    }

    private func error(of call: @Sendable () async throws -> Void) async -> ClientError? {
        do {
            try await call()
            return nil
        } catch {
            return error as? ClientError
        }
    }
}
