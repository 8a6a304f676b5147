import Logging
import PromisedClient
import PromisedConcurrency
import PromisedDomain
import PromisedProtocol
import PromisedServer
import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedSettings

/// Every reason for which the server closes a connection (docs/reference.md#close-codes). 4001 and 4502 are with
/// accounts, 4501 and 4505 with passwords and deletion, 4005 with rates.
@Suite("Closed by the server", .tags(.realTime), .timeLimit(.minutes(2)))
struct CloseRowTests {
    @Test(
        .proves("10.6", "4002"),
        .defends("slow-readers"),
        .enabled(if: BuildPace.isOrdinary, "the thread sanitizer's build is too slow")
    )
    func `closes a client that does not read with 4002, without affecting others`()
        async throws
    {
        let generous: @Sendable (inout ServerSettings) -> Void = {
            $0.limits.requestBurst = 1_000_000
            $0.limits.sentFrame = 64 << 10
            $0.limits.outboxBytes = 64 << 10
        }
        try await ServerWorld.with(configure: generous) { world in
            try await world.devices { connect in
                let ada = try await connect()
                _ = try await ada.signUp("Ada")
                for hour in 1...40 { try await ada.makeLongPromise(at: hour) }
                let slow = try await RawPhone(world, receiveBuffer: 4_096)
                _ = try await slow.call(.signIn(.sample("Ada@example.org", "correct horse battery")))
                // Far more than the system buffers between the two, requested at once and read slowly.
                for id in 1...1_000 as ClosedRange<UInt32> { try await slow.send(.upcoming, id: id) }
                for _ in 1...20 { _ = try await ada.call(.upcoming) }
                #expect(await slow.peer.readClose() == CloseCode.slowReader.rawValue)
                #expect(try await ada.refusal(.getMe(WireGetMe())) == nil)
            }
        }
    }

    @Test(.proves("4003")) func `closes a silent client with 4003`() async throws {
        let impatient: @Sendable (inout ServerSettings) -> Void = {
            $0.connection.ping = .milliseconds(100)
            $0.connection.silence = .milliseconds(400)
        }
        try await ServerWorld.with(configure: impatient) { world in
            try await world.devices { connect in
                let lively = try await connect()
                _ = try await lively.signUp("Bea")
                let mute = try await RawPhone(world)
                try await mute.call(.signUp(.sample("ada@example.org", "Ada"))).expect(\.session)
                #expect(await mute.peer.readClose() == CloseCode.silent.rawValue)
                // Its library answers the pings.
                #expect(try await lively.refusal(.getMe(WireGetMe())) == nil)
            }
        }
    }

    @Test(.proves("4004")) func `closes a client without a sign-in with 4004`() async throws {
        let impatient: @Sendable (inout ServerSettings) -> Void = {
            $0.connection.signIn = .milliseconds(300)
        }
        try await ServerWorld.with(configure: impatient) { world in
            try await world.devices { connect in
                let signedIn = try await connect()
                _ = try await signedIn.signUp("Ada")
                let stranger = try await connect()
                #expect(try await stranger.refusal(.signIn(.sample("a@b.c", "wrong"))) == .authInvalidCredentials)
                #expect(try await stranger.closed() == CloseCode.noSignIn.rawValue)
                #expect(try await signedIn.refusal(.getMe(WireGetMe())) == nil)
            }
        }
    }

    @Test(.proves("2.7", "4500"))
    func `closes a connection with an expired token with 4500`() async throws {
        let short: @Sendable (inout ServerSettings) -> Void = {
            $0.tokens.access = .seconds(2)
            $0.connection.tokenGrace = .zero
            $0.limits.requestBurst = 1_000_000
            $0.throttle.refreshes = 1_000_000
        }
        try await ServerWorld.with(configure: short) { world in
            try await world.devices { connect in
                let (idle, busy) = (try await connect(), try await connect())
                var session = try await busy.signUp("Ada")
                #expect(try await idle.refusal(.hello(.sample(session.accessToken))) == nil)
                try await withThrowingTaskGroup { group in
                    let isOver = Guarded(false)
                    group.addTask {
                        let code = try await idle.closed()
                        #expect(code == CloseCode.tokenInvalid.rawValue)
                        isOver.withLock { $0 = true }
                    }
                    // The other connection renews its token before the first one expires, and so outlives it.
                    while !isOver.withLock({ $0 }) { session = try await busy.refreshed(session) }
                    try await group.waitForAll()
                }
                let late = try await connect()
                #expect(try await late.refusal(.hello(.sample(session.accessToken))) == nil)
            }
        }
    }

    @Test(.proves("4503")) func `rejects another version of the protocol at the handshake`() async throws {
        try await ServerWorld.with { world in
            let sockets = WebSocketClient(logger: Logger(label: "test"))
            await #expect(throws: TransportError.handshakeRefused(status: 400)) {
                try await world.rawConnection(sockets, subprotocol: "promised.v2.json")
            }
            await sockets.shutdown()
        }
    }

    @Test(.proves("4504"), .defends("many-connections"))
    func `a sixth connection closes the oldest with 4504`() async throws {
        try await ServerWorld.with { world in
            try await world.devices { connect in
                var devices: [Device] = []
                for _ in 1...6 { devices.append(try await connect()) }
                let session = try await devices[0].signUp("Ada")
                for device in devices[1..<5] {
                    #expect(try await device.refusal(.hello(.sample(session.accessToken))) == nil)
                }
                #expect(try await devices[0].refusal(.getMe(WireGetMe())) == nil)
                #expect(try await devices[5].refusal(.hello(.sample(session.accessToken))) == nil)
                #expect(try await devices[0].closed() == CloseCode.tooManyConnections.rawValue)
                for device in devices[1...] { #expect(try await device.refusal(.getMe(WireGetMe())) == nil) }
            }
        }
    }

    @Test(.proves("4506"))
    func `a reconnecting device closes its old connection with 4506`() async throws {
        try await ServerWorld.with { world in
            try await world.devices { connect in
                let (old, new, tablet, other) = (
                    try await connect(), try await connect(), try await connect(), try await connect()
                )
                let token = try await old.signUp("Ada").accessToken
                let foreign = try await other.signUp("Bea").accessToken
                for (device, token, name) in [
                    (old, token, "phone"), (tablet, token, "tablet"), (other, foreign, "phone"), (new, token, "phone"),
                ] {
                    #expect(try await device.refusal(.hello(.sample(token, device: name))) == nil)
                }
                #expect(try await old.closed() == CloseCode.replaced.rawValue)
                for device in [new, tablet, other] { #expect(try await device.refusal(.getMe(WireGetMe())) == nil) }
            }
        }
    }
}

extension Device {
    /// The session with its token renewed.
    fileprivate func refreshed(_ session: WireSession) async throws -> WireSession {
        guard case .session(let next) = try await call(.refresh(.sample(session.refreshToken))) else { throw NoReply() }
        return next
    }

    /// Creates a promise that needs about two kilobytes on a page.
    fileprivate func makeLongPromise(at hour: Int) async throws {
        var request = WireCreatePromise.sample(meetsAt: ServerWorld.start + .hours(Int64(hour + 1)))
        request.note = String(repeating: "é", count: 500)
        guard case .promise = try await call(.createPromise(request)) else { throw NoReply() }
    }
}

extension WireRequest {
    /// All future promises.
    fileprivate static var upcoming: WireRequest {
        let list = WireListPromises.with { $0.list = .upcoming }
        return .listPromises(list)
    }
}

extension WireHello {
    static func sample(_ token: String, device: String, boot: String? = nil) -> WireHello {
        var request = WireHello.sample(token)
        request.deviceID = device
        if let boot { request.bootID = boot }
        return request
    }
}
