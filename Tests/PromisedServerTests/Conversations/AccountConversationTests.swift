import Logging
import PromisedClient
import PromisedConcurrency
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTransport
import PromisedWebSocketTransport
import PromisedWire
import SwiftProtobuf
import Testing

@Suite("Accounts over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct AccountConversationTests {
    @Test(.proves("2.2", "signUp", "auth.required", "auth.forbidden", "user.email-taken", "user.nickname-taken"))
    func `names and addresses are unique, ignoring case`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                try await world.stranger { stranger in
                    #expect(await stranger.refusal(.signUp(.sample("ADA@example.org", "New"))) == .userEmailTaken)
                    #expect(await stranger.refusal(.signUp(.sample("new@example.org", "aDa"))) == .userNicknameTaken)
                    #expect(await stranger.refusal(.getPromise(WireGetPromise())) == .authRequired)
                }
                #expect(await people[0].refusal(.signUp(.sample("x@example.org", "Xen"))) == .authForbidden)
            }
        }
    }

    @Test(.proves("2.4", "signIn", "auth.invalid-credentials"))
    func `a wrong address and a wrong password are the same error`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { _ in
                try await world.stranger { stranger in
                    #expect(
                        await stranger.refusal(.signIn(.sample("no@example.org", "correct horse Ada")))
                            == .authInvalidCredentials
                    )
                    #expect(
                        await stranger.refusal(.signIn(.sample("ada@example.org", "wrong")))
                            == .authInvalidCredentials
                    )
                    #expect(await stranger.refusal(.signIn(.sample("ADA@example.org", "correct horse Ada"))) == nil)
                }
            }
        }
    }

    @Test(.proves("2.7", "2.8", "hello", "refresh", "auth.token-invalid"), .defends("replayed-tokens"))
    func `rotates a refresh token, and its late reuse revokes the session`() async throws {
        try await ServerWorld.with(rate: 100) { world in
            try await world.with("Ada") { people in
                let first = try #require(await people[0].client.currentSession)
                try await world.stranger { stranger in
                    #expect(await stranger.refusal(.hello(.sample(first.accessToken))) == nil)
                }
                let second = try await people[0].client.refresh(token: first.refreshToken)
                #expect(second.refreshToken != first.refreshToken)
                // The successor was used, so the first is invalid.
                let third = try await people[0].client.refresh(token: second.refreshToken)
                try await world.stranger { stranger in
                    #expect(await stranger.refusal(.refresh(.sample(first.refreshToken))) == .authTokenInvalid)
                    #expect(await stranger.refusal(.hello(.sample(third.accessToken))) == .authTokenInvalid)
                    #expect(await stranger.refusal(.hello(.sample("rubbish"))) == .authTokenInvalid)
                }
            }
        }
    }

    @Test(.proves("4504")) func `the sixth connection of a user closes the oldest`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people in
                let session = try #require(await people[0].client.currentSession)
                let log = Logger(label: "test")
                let sockets = WebSocketClient(logger: log)
                var first: ClientConnection?
                for index in 0..<5 {
                    let connection = try await world.rawConnection(sockets)
                    if index == 0 { first = connection }
                    let hello = WireClientFrame(id: 1, request: .hello(.sample(session.accessToken)))
                    connection.send(try world.codec.encode(hello), isText: true)
                }
                // The user's own connection was the oldest; its client must not reconnect.
                await people[0].ended()
                #expect(first != nil)
                await sockets.shutdown()
            }
        }
    }

    @Test(
        .proves("10.3", "4502"),
        arguments: [("{", UInt16(4_502)), (#"{"id":1,"getMe":{},"signOut":{}}"#, 4_502), ("[1]", 4_502)]
    )
    func `a malformed frame ends the connection`(frame: String, code: UInt16) async throws {
        try await ServerWorld.with { world in
            let sockets = WebSocketClient(logger: Logger(label: "test"))
            let connection = try await world.rawConnection(sockets)
            connection.send(Array(frame.utf8), isText: true)
            var closed: UInt16?
            for await event in connection.incoming { if case .closed(let cause) = event { closed = cause.code } }
            #expect(closed == code)
            await sockets.shutdown()
        }
    }

    @Test(.proves("4004")) func `a sixth request before the sign-in ends the connection`() async throws {
        try await ServerWorld.with { world in
            let sockets = WebSocketClient(logger: Logger(label: "test"))
            let connection = try await world.rawConnection(sockets)
            for id in 1...6 { connection.send(Array(#"{"id":\#(id),"getMe":{}}"#.utf8), isText: true) }
            var answers = 0
            var closed: UInt16?
            for await event in connection.incoming {
                switch event {
                case .message: answers += 1
                case .closed(let cause): closed = cause.code
                }
            }
            #expect(answers == 6)
            #expect(closed == CloseCode.noSignIn.rawValue)
            await sockets.shutdown()
        }
    }

    @Test(.proves("4001")) func `stopping asks the clients to reconnect`() async throws {
        let sockets = WebSocketClient(logger: Logger(label: "test"))
        let kept = Guarded<ClientConnection?>(nil)
        try await ServerWorld.with { world in
            let connection = try await world.rawConnection(sockets)
            kept.withLock { $0 = connection }
        }
        let connection = try #require(kept.withLock { $0 })
        var code: UInt16?
        for await event in connection.incoming { if case .closed(let cause) = event { code = cause.code } }
        #expect(code == CloseCode.draining.rawValue)
        await sockets.shutdown()
    }
}

extension ServerWorld {
    /// Runs `body` with a connected client that has no account.
    func stranger(_ body: @Sendable (Stranger) async throws -> Void) async throws {
        let client = PromisedClient(
            settings: ClientSettings(address: address, codec: codec),
            transport: WebSocketTransport(log: Logger(label: "stranger")),
            log: Logger(label: "stranger")
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            try await body(Stranger(client: client))
            await client.close()
            try await group.waitForAll()
        }
    }
}

struct Stranger: Sendable {
    let client: PromisedClient

    /// The code of a request's refusal; nil if it is accepted.
    func refusal(_ request: WireRequest) async -> ErrorCode? {
        do throws(ClientError) {
            _ = try await client.call(request)
            return nil
        } catch {
            return error.code
        }
    }
}

extension Person {
    /// Waits until the client is over.
    func ended() async {
        while true {
            do throws(ClientError) {
                try await client.waitUntilOnline()
                await Task.yield()
            } catch {
                return
            }
        }
    }
}

extension WireSignUp {
    static func sample(_ email: String, _ nickname: String) -> WireSignUp {
        WireSignUp.with {
            $0.email = email
            $0.password = "correct horse battery"
            $0.nickname = nickname
        }
    }
}

extension WireSignIn {
    static func sample(_ email: String, _ password: String) -> WireSignIn {
        WireSignIn.with {
            $0.email = email
            $0.password = password
        }
    }
}

extension WireRefresh {
    static func sample(_ token: String) -> WireRefresh {
        WireRefresh.with { $0.refreshToken = token }
    }
}

extension WireHello {
    static func sample(_ token: String) -> WireHello {
        WireHello.with { $0.token = token }
    }
}
