import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite("Passwords and revocation over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct PasswordConversationTests {
    private static let new = "another horse entirely"

    @Test(.proves("2.11", "changePassword", "4501"), arguments: WireCodec.allCases)
    func `a new password ends all other sessions at once and keeps this one`(codec: WireCodec) async throws {
        try await ServerWorld.with(codec: codec) { world in
            try await world.with("Ada") { people async throws in
                try await world.devices { connect in
                    let ada = people[0]
                    let other = try await connect()
                    let old = try await ada.signIn(on: other)
                    let before = try #require(await ada.client.currentSession)
                    // A second connection of the session that stays.
                    let same = try await connect()
                    #expect(try await same.refusal(.hello(.sample(before.accessToken))) == nil)

                    let change = WireRequest.changePassword(.sample(ada.password, Self.new))
                    let session = try await ada.client.call(change).expect(\.session)
                    #expect(session.user.userID == ada.id)
                    #expect(session.refreshToken != before.refreshToken)
                    #expect(try await other.closed() == CloseCode.sessionRevoked.rawValue)
                    #expect(other.revocations == ["password-changed"])
                    #expect(try await same.refusal(.getMe(WireGetMe())) == nil)
                    #expect(try await ada.me().email == ada.email)

                    let stranger = try await connect()
                    #expect(try await stranger.refusal(.hello(.sample(old.accessToken))) == .authTokenInvalid)
                    #expect(try await stranger.refusal(.refresh(.sample(old.refreshToken))) == .authTokenInvalid)
                    #expect(try await stranger.refusal(.refresh(.sample(before.refreshToken))) == .authTokenInvalid)
                    #expect(
                        try await stranger.refusal(.signIn(.sample(ada.email, ada.password))) == .authInvalidCredentials
                    )
                    #expect(try await stranger.refusal(.signIn(.sample(ada.email, Self.new))) == nil)
                    let next = try await connect()
                    #expect(try await next.refusal(.refresh(.sample(session.refreshToken))) == nil)
                }
            }
        }
    }

    @Test(.proves("2.11", "changePassword"))
    func `requires the right old password and a valid new one`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                let ada = people[0]
                #expect(
                    await ada.refusal(.changePassword(.sample("wrong", Self.new))) == .authInvalidCredentials
                )
                for (new, isGood) in [
                    (String(repeating: "x", count: 7), false), ("12345678", false),
                    (String(repeating: "ä", count: 129), false), (String(repeating: "ä", count: 128), true),
                ] {
                    let error = await ada.error(.changePassword(.sample(ada.password, new)))
                    #expect((error == nil) == isGood)
                    if let error {
                        #expect(error.code == ErrorCode.requestInvalid.rawValue && error.field == "newPassword")
                    }
                }
            }
        }
    }

    @Test(.proves("2.6")) func `counts wrong old passwords of any request as failed sign-ins`() async throws {
        let few: @Sendable (inout ServerSettings) -> Void = { $0.throttle.signInsPerAccountAndAddress = 3 }
        try await ServerWorld.with(configure: few) { world in
            try await world.with("Ada") { people async throws in
                try await world.devices { connect in
                    let ada = people[0]
                    let stranger = try await connect()
                    // Correct ones do not count.
                    #expect(await ada.refusal(.changePassword(.sample(ada.password, ada.password))) == nil)
                    #expect(await ada.refusal(.changePassword(.sample("a", Self.new))) == .authInvalidCredentials)
                    #expect(await ada.refusal(.deleteAccount(.sample("b"))) == .authInvalidCredentials)
                    #expect(try await stranger.refusal(.signIn(.sample(ada.email, "c"))) == .authInvalidCredentials)
                    for request in [
                        .changePassword(.sample(ada.password, Self.new)), .deleteAccount(.sample(ada.password)),
                    ] as [WireRequest] {
                        let error = try #require(await ada.error(request))
                        #expect(error.code == ErrorCode.limitAttempts.rawValue && error.retryAfterMs > 0)
                    }
                    #expect(try await stranger.refusal(.signIn(.sample(ada.email, ada.password))) == .limitAttempts)
                }
            }
        }
    }

    @Test(.proves("2.9")) func `ends a sign-in to a session that is being ended`() async throws {
        try await ServerWorld.with(configure: { $0.limits.connectionsPerUser = 100 }, Self.race)
    }

    /// Ten connections sign in with a session's token while a change of password ends that session.
    @Sendable private static func race(in world: ServerWorld) async throws {
        try await world.with("Ada") { people async throws in
            try await world.devices { connect in
                let ada = people[0]
                let session = try await ada.signIn(on: try await connect())
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        #expect(await ada.refusal(.changePassword(.sample(ada.password, new))) == nil)
                    }
                    for _ in 0..<10 {
                        let device = try await connect()
                        group.addTask { try await expectEnd(of: device, with: session) }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    /// Refused, or accepted and then closed; a connection that stayed open would exceed the time limit.
    private static func expectEnd(of device: Device, with session: WireSession) async throws {
        let refusal: ErrorCode?
        do {
            refusal = try await device.refusal(.hello(.sample(session.accessToken)))
        } catch is Device.NoReply {
            return
        }
        if refusal == nil {
            #expect(try await device.closed() == CloseCode.sessionRevoked.rawValue)
        } else {
            #expect(refusal == .authTokenInvalid)
        }
    }

    @Test(.proves("2.10", "signOut", "sessionRevoked", "4501"))
    func `signing out ends the session's other connections, with the reason`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                try await world.devices { connect in
                    let (first, second) = (try await connect(), try await connect())
                    let session = try await people[0].signIn(on: first)
                    #expect(try await second.refusal(.hello(.sample(session.accessToken))) == nil)
                    #expect(try await second.refusal(.signOut(WireSignOut())) == nil)
                    #expect(try await second.closed() == CloseCode.sessionRevoked.rawValue)
                    #expect(try await first.closed() == CloseCode.sessionRevoked.rawValue)
                    #expect(first.revocations == ["signed-out"])
                    #expect(second.revocations == [])
                    // Another session continues.
                    #expect(try await people[0].me().email == people[0].email)
                }
            }
        }
    }

    @Test(.proves("2.8")) func `a refresh token used twice ends its session's connections`() async throws {
        try await ServerWorld.with(rate: 100) { world in
            try await world.with("Ada") { people async throws in
                try await world.devices { connect in
                    let (mine, thief) = (try await connect(), try await connect())
                    let session = try await people[0].signIn(on: mine)
                    let next = try await mine.call(.refresh(.sample(session.refreshToken))).expect(\.session)
                    #expect(try await mine.refusal(.refresh(.sample(next.refreshToken))) == nil)
                    #expect(try await thief.refusal(.refresh(.sample(session.refreshToken))) == .authTokenInvalid)
                    #expect(try await mine.closed() == CloseCode.sessionRevoked.rawValue)
                    #expect(mine.revocations == ["token-reused"])
                }
            }
        }
    }

    @Test func `a surplus session ends the oldest with its connections`() async throws {
        let two: @Sendable (inout ServerSettings) -> Void = { $0.limits.sessionsPerUser = 2 }
        try await ServerWorld.with(configure: two) { world in
            try await world.with("Ada") { people async throws in
                try await world.devices { connect in
                    let (mine, other) = (try await connect(), try await connect())
                    let session = try await people[0].signIn(on: mine)
                    // Removes Ada's first session, then that of `mine`.
                    _ = try await people[0].signIn(on: other)
                    #expect(try await mine.refusal(.getMe(WireGetMe())) == nil)
                    let last = try await people[0].signIn(on: other)
                    #expect(try await mine.closed() == CloseCode.sessionRevoked.rawValue)
                    #expect(mine.revocations == ["too-many-sessions"])
                    #expect(try await other.refusal(.refresh(.sample(session.refreshToken))) == .authTokenInvalid)
                    #expect(try await other.refusal(.refresh(.sample(last.refreshToken))) == nil)
                }
            }
        }
    }

    @Test(.proves("sessionRevoked", "4505"))
    func `disabling an account closes its connections and rejects sign-ins`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada", "Bea") { people async throws in
                try await world.devices { connect in
                    let (mine, other) = (try await connect(), try await connect())
                    let session = try await people[0].signIn(on: mine)
                    let userID = try #require(UserID(people[0].id))
                    #expect(await world.service.disable(userID))
                    #expect(try await mine.closed() == CloseCode.accountGone.rawValue)
                    #expect(mine.revocations == ["account-disabled"])
                    #expect(try await other.refusal(.hello(.sample(session.accessToken))) == .authTokenInvalid)
                    #expect(try await other.refusal(.getMe(WireGetMe())) == .authRequired)
                    #expect(try await other.refusal(.refresh(.sample(session.refreshToken))) == .authTokenInvalid)
                    let credentials = WireSignIn.sample(people[0].email, people[0].password)
                    #expect(try await other.refusal(.signIn(credentials)) == .authInvalidCredentials)
                    #expect(await !world.service.disable(userID))
                    #expect(try await people[1].me().email == people[1].email)
                }
            }
        }
    }
}
