import PromisedClient
import PromisedProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct KeptSessionTests {
    @Test func `stores the session of any call for reconnecting`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            try await world.signIn(over: link)
            async let changed = world.client.call(.changePassword(WireChangePassword()))
            let frame = try await link.receive()
            try link.reply(to: frame, .session(WireSession("2")))
            #expect(try await changed == .session(WireSession("2")))
            link.end(code: 1_006)
            #expect(try await world.links.accept().welcome().token == "access-2")
        }
    }

    @Test func `stores the session even if the connection is lost right after it`() async throws {
        for _ in 1...50 {
            try await withClient { world in
                let link = try await world.links.accept()
                let call = Task { try await world.client.signIn(email: "ann@meet.example", password: "correct horse") }
                try await link.signIn(WireSession("1"))
                link.end(code: 1_006)
                #expect(try await call.value == WireSession("1"))
                #expect(try await world.links.accept().welcome().token == "access-1")
            }
        }
    }

    @Test func `a reply of an unknown kind ends its call`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            async let answer = outcome { () async throws(ClientError) in try await world.client.syncClock() }
            let frame = try await link.receive()
            link.send(raw: Array(#"{"id":\#(frame.id),"unheardOf":{}}"#.utf8))
            #expect(await answer == .failure(.unexpectedReply))
        }
    }

    @Test func `a second concurrent run returns at once`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            await world.client.run()
            async let answer = world.client.syncClock()
            try link.reply(to: try await link.receive(), .clock(WireClock()))
            #expect(try await answer == WireClock())
        }
    }
}
