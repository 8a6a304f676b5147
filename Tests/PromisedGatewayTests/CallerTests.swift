import PromisedDomain
import PromisedProtocol
import PromisedTestSupport
import PromisedWire
import Testing

@testable import PromisedApplication
@testable import PromisedGateway
@testable import PromisedSettings

/// Requests of a user that came without a connection.
@Suite(.timeLimit(.minutes(1))) struct CallerTests {
    private static func caller(_ userID: UserID, in world: GatewayWorld) -> Caller {
        Caller(
            userID: userID,
            signIn: Identity.sample.signIn,
            remoteAddress: "192.0.2.7",
            device: DeviceKey(deviceID: "watch"),
            syncs: [],
            frame: FrameFormat(codec: .json, limit: world.settings.limits.sentFrame),
            subscriber: nil,
            now: world.clock.now
        )
    }

    private static func refusal(_ request: WireRequest, of userID: UserID, in world: GatewayWorld) async -> ErrorCode? {
        do {
            _ = try await world.router.answer(to: request, from: caller(userID, in: world))
            return nil
        } catch {
            return RequestError(error).code
        }
    }

    @Test func `answers requests and takes reports`() async throws {
        try await GatewayWorld.with { world in
            let (ada, userID) = try await world.user("Ada")
            let id = try await world.promise(of: ada)
            let me = try await world.router.answer(to: .getMe(WireGetMe()), from: Self.caller(userID, in: world))
            guard case .reply(.me(let reply)) = me else { throw NoReply() }
            #expect(reply.user.userID == userID.wireText)
            for promise in [id, nil] {
                let seq: UInt32 = promise == nil ? 2 : 1
                let request = WireRequest.report(promise, seq: seq)
                let answer = try await world.router.answer(to: request, from: Self.caller(userID, in: world))
                guard case .reply(.reported(let reported)) = answer else { throw NoReply() }
                #expect(reported.taken == [seq])
            }
        }
    }

    @Test func `refuses requests that change a connection, or need one to answer later`() async throws {
        try await GatewayWorld.with { world in
            let (ada, userID) = try await world.user("Ada")
            let id = try await world.promise(of: ada)
            let requests: [WireRequest] = [
                .hello(WireHello()), .signUp(WireSignUp()), .signIn(WireSignIn()), .refresh(WireRefresh()),
                .watchByLink(WireWatchByLink()), .exchangeCode(WireExchangeCode()), .signOut(WireSignOut()),
                .changePassword(WireChangePassword()), .deleteAccount(WireDeleteAccount()), .subscribe(to: id),
                .unsubscribe(WireUnsubscribe()), .syncClock(WireSyncClock()), .setFocus(WireSetFocus()),
                .admin(WireAdminRequest()), .explainArrival(WireExplainArrival()),
            ]
            for request in requests {
                #expect(await Self.refusal(request, of: userID, in: world) == .authForbidden, "\(RequestKind(request))")
            }
            #expect(try await ada.refusal(.getMe(WireGetMe())) == nil)
        }
    }

    @Test func `the rules of a user hold without a connection, too`() async throws {
        try await GatewayWorld.with { world in
            let (ada, _) = try await world.user("Ada")
            let (_, ben) = try await world.user("Ben")
            let id = try await world.promise(of: ada)
            #expect(await Self.refusal(.report(id, seq: 1), of: ben, in: world) == .promiseNotFound)
        }
    }
}

extension Identity {
    static let sample = Identity(
        userID: UserID(high: 0x7000, low: 0x8000_0000_0000_0001),
        signIn: SignInID(high: 0x7000, low: 0x8000_0000_0000_0002),
        expiresAt: GatewayWorld.start + .minutes(15)
    )
}

extension Administrator {
    static let sample = Administrator(
        AdminToken(
            id: AdminTokenID(high: 0x7000, low: 0x8000_0000_0000_0003),
            name: "tests",
            createdAt: .init(milliseconds: 0)
        )
    )
}
