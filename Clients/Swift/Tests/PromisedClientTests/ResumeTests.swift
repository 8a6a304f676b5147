import PromisedClient
import PromisedProtocol
import Testing

@Suite(.tags(.realTime), .timeLimit(.minutes(1))) struct ResumeTests {
    /// Signs in over a first connection, loses it with `code`, and returns the second.
    private func comeBack(after code: UInt16 = 1_006, _ world: ClientWorld) async throws -> MemoryLink {
        let first = try await world.links.accept()
        #expect(try await world.notice() == .connected)
        try await world.signIn(over: first)
        first.end(code: code)
        #expect(try await world.notice() == .disconnected(code: code, willReconnect: true))
        return try await world.links.accept()
    }

    /// Receives a refresh of the session `name` and answers with the session `renewed`.
    private func refresh(_ name: String, to renewed: String, over link: MemoryLink) async throws {
        let frame = try await link.receive()
        #expect(frame.refresh.refreshToken == "refresh-\(name)")
        try link.reply(to: frame, .session(WireSession(renewed)))
    }

    @Test func `a client without a session sends no hello`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            #expect(try await world.notice() == .connected)
            #expect(await world.client.currentSession == nil)
            #expect(await world.client.post { .syncClock(WireSyncClock()) })
            guard case .syncClock? = try await link.receive().request else {
                Issue.record("something was said before")
                return
            }
        }
    }

    // proves: hello
    @Test func `resumes the session with its token and the names of program and device`() async throws {
        var settings = ClientSettings.test
        settings.name = "tests"
        settings.version = "1.2.3"
        settings.platform = "linux"
        settings.deviceID = "device"
        settings.bootID = "boot"
        try await withClient(settings) { world in
            let second = try await comeBack(world)
            let hello = try await second.welcome()
            #expect(hello.token == "access-1")
            #expect(hello.client.name == "tests")
            #expect(hello.client.version == "1.2.3")
            #expect(hello.client.platform == "linux")
            #expect(hello.deviceID == "device")
            #expect(hello.bootID == "boot")
            #expect(try await world.notice() == .connected)
        }
    }

    @Test func `without names of device and boot the hello has none`() async throws {
        try await withClient { world in
            let hello = try await comeBack(world).welcome()
            #expect(!hello.hasDeviceID)
            #expect(!hello.hasBootID)
        }
    }

    @Test func `calls wait until the session is resumed`() async throws {
        try await withClient { world in
            let second = try await comeBack(world)
            let hello = try await second.receive()
            #expect(await !world.client.post { .syncClock(WireSyncClock()) })
            async let promise = world.client.getPromise("p")
            try second.reply(to: hello, .welcome(WireWelcome()))
            let call = try await second.receive()
            #expect(call.getPromise.promiseID == "p")
            try second.reply(to: call, .promise(WirePromiseReply()))
            _ = try await promise
        }
    }

    @Test func `refreshes an expired token`() async throws {
        try await withClient { world in
            let second = try await comeBack(world)
            try second.refuse(try await second.receive(), WireErrorReply(.authTokenInvalid))
            try await refresh("1", to: "2", over: second)
            #expect(try await second.welcome().token == "access-2")
            #expect(try await world.notice() == .connected)
            #expect(await world.client.currentSession == WireSession("2"))
        }
    }

    @Test func `after 4500 the client reconnects only with a refreshed token`() async throws {
        try await withClient { world in
            let second = try await comeBack(after: 4_500, world)
            try await refresh("1", to: "2", over: second)
            #expect(try await second.welcome().token == "access-2")
            #expect(try await world.notice() == .connected)
            // The renewed session is resumed like any other.
            second.end(code: 1_006)
            _ = try await world.notice()
            #expect(try await world.links.accept().welcome().token == "access-2")
        }
    }

    @Test func `the next connection repeats a refresh lost with its connection`() async throws {
        try await withClient { world in
            let second = try await comeBack(after: 4_500, world)
            _ = try await second.receive()
            second.end(code: 1_006)
            #expect(try await world.notice() == .disconnected(code: 1_006, willReconnect: true))
            let third = try await world.links.accept()
            try await refresh("1", to: "2", over: third)
            #expect(try await third.welcome().token == "access-2")
        }
    }

    @Test func `4500 before the resumption closes the client`() async throws {
        try await withClient { world in
            let second = try await comeBack(after: 4_500, world)
            _ = try await second.receive()
            second.end(code: 4_500)
            #expect(try await world.notice() == .disconnected(code: 4_500, willReconnect: false))
            await #expect(throws: Mailbox<ClientNotice>.Ended.self) { try await world.notice() }
        }
    }

    @Test func `the first of two ends of a connection counts`() async throws {
        try await withClient { world in
            let second = try await comeBack(after: 4_500, world)
            _ = try await second.receive()
            second.end(code: 4_500, then: 1_000)
            #expect(try await world.notice() == .disconnected(code: 4_500, willReconnect: false))
            await #expect(throws: Mailbox<ClientNotice>.Ended.self) { try await world.notice() }
        }
    }

    @Test func `a refused refresh closes the client`() async throws {
        try await withClient { world in
            let second = try await comeBack(after: 4_500, world)
            try second.refuse(try await second.receive(), WireErrorReply(.authTokenInvalid))
            #expect(try await second.closedByClient() == 1_000)
            #expect(try await world.notice() == .disconnected(code: 1_000, willReconnect: false))
            await #expect(throws: Mailbox<ClientNotice>.Ended.self) { try await world.notice() }
        }
    }

    @Test(arguments: [ErrorCode.serverUnavailable, .serverInternal, .limitRate, .limitAttempts, .authRequired])
    func `retries a temporary refusal on another connection`(_ code: ErrorCode) async throws {
        try await withClient { world in
            let second = try await comeBack(world)
            try second.refuse(try await second.receive(), WireErrorReply(code))
            #expect(try await second.closedByClient() == 1_000)
            #expect(try await world.notice() == .disconnected(code: 1_000, willReconnect: true))
            #expect(try await world.links.accept().welcome().token == "access-1")
            #expect(try await world.notice() == .connected)
        }
    }

    // proves: request.unsupported
    @Test(arguments: [ErrorCode.authForbidden, .requestUnsupported])
    func `a permanent refusal closes the client`(_ code: ErrorCode) async throws {
        try await withClient { world in
            let second = try await comeBack(world)
            try second.refuse(try await second.receive(), WireErrorReply(code))
            #expect(try await world.notice() == .disconnected(code: 1_000, willReconnect: false))
        }
    }

    @Test func `disconnects from a server that does not answer the hello, and retries`() async throws {
        var settings = ClientSettings.test
        // Long enough for the sign-in, also on a busy machine.
        settings.callTimeout = .seconds(3)
        try await withClient(settings) { world in
            let second = try await comeBack(world)
            _ = try await second.receive()
            #expect(try await second.closedByClient() == 1_000)
            #expect(try await world.links.accept().welcome().token == "access-1")
        }
    }
}
