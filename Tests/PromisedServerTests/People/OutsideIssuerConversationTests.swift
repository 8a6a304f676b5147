import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import PromisedTransport
import SwiftProtobuf
import Testing

@testable import PromisedAccess
@testable import PromisedServer
@testable import PromisedSettings

@Suite("An outside issuer over a connection", .timeLimit(.minutes(2)))
struct OutsideIssuerConversationTests {
    private typealias Connect = DeviceMaker

    /// Runs `body` against a server whose users an issuer of EdDSA tokens names.
    private func with(
        _ body: @escaping @Sendable (ServerWorld, TokenForge, Connect) async throws -> Void
    ) async throws {
        let forge = try TokenForge()
        let keys = try TemporaryFile(forge.pem(.eddsa), name: "keys.pem")
        func configure(_ configuration: inout ServerSettings) {
            configuration.auth.accounts = .issuer
            configuration.auth.issuer.name = "https://id.example"
            configuration.auth.issuer.eddsa = keys.path
        }
        try await ServerWorld.with(configure: configure) { world in
            try await world.devices { connect in try await body(world, forge, connect) }
        }
    }

    private static func hello(
        _ forge: TokenForge,
        _ sub: String,
        username: String? = nil,
        more: String = ""
    ) throws -> WireRequest {
        let now = Date().timeIntervalSince1970
        let name = username.map { #","preferred_username":"\#($0)""# } ?? ""
        let claims =
            #"{"sub":"\#(sub)","iss":"https://id.example","iat":\#(Int(now)),"exp":\#(Int(now) + 600)\#(name)\#(more)}"#
        return .hello(.sample(try forge.token(.eddsa, claims)))
    }

    private static func welcome(_ device: Device, _ hello: WireRequest) async throws -> WireUserCard {
        guard case .welcome(let welcome) = try await device.call(hello) else { throw Device.NoReply() }
        return welcome.user
    }

    @Test(.proves("2.12")) func `creates a user for a token's subject at the first sign-in`() async throws {
        try await with { _, forge, connect in
            let first = try await connect()
            let ada = try await Self.welcome(first, Self.hello(forge, "sub|1", username: "Ada"))
            #expect(ada.nickname == "Ada")
            let me = try await first.call(.getMe(WireGetMe())).expect(\.me)
            #expect(me.email == "" && me.user == ada)
            // Found again, whatever its current name; and a fresh token on the same connection.
            let again = try await connect()
            #expect(try await Self.welcome(again, Self.hello(forge, "sub|1", username: "Other")) == ada)
            #expect(try await Self.welcome(again, Self.hello(forge, "sub|1", more: #","sid":"s""#)) == ada)
            #expect(try await again.refusal(Self.hello(forge, "sub|2")) == .authForbidden)
            // In use, invalid, and missing.
            for (sub, username) in [("sub|3", "aDA"), ("sub|4", "ada@example.org"), ("sub|5", nil)] {
                let other = try await Self.welcome(try await connect(), Self.hello(forge, sub, username: username))
                #expect(other.userID != ada.userID)
                #expect(other.nickname.wholeMatch(of: /user_[a-z]{8}/) != nil)
            }
        }
    }

    @Test(.proves("2.12")) func `rejects tokens of other issuers`() async throws {
        try await with { _, forge, connect in
            let device = try await connect()
            let local = "eyJhbGciOiJIUzI1NiJ9.e30.AAAA"
            for token in ["rubbish", local] {
                #expect(try await device.refusal(.hello(.sample(token))) == .authTokenInvalid)
            }
            let other = try TokenForge()
            #expect(try await device.refusal(Self.hello(other, "sub|1")) == .authTokenInvalid)
            #expect(try await device.refusal(.getMe(WireGetMe())) == .authRequired)
        }
    }

    @Test(.proves("2.12", "auth.local-accounts-off")) func `disables local accounts`() async throws {
        try await with { _, forge, connect in
            let device = try await connect()
            #expect(try await device.refusal(.signUp(.sample("a@example.org", "Ada"))) == .authLocalAccountsOff)
            #expect(try await device.refusal(.signIn(.sample("a@example.org", "x"))) == .authLocalAccountsOff)
            #expect(try await device.refusal(.refresh(.sample("x"))) == .authLocalAccountsOff)
            let code = WireExchangeCode.with { $0.code = "x" }
            #expect(try await device.refusal(.exchangeCode(code)) == .authLocalAccountsOff)
            let check = WireCheckNickname.with { $0.nickname = "ada" }
            // Few requests are answered on one connection before the sign-in.
            #expect(try await connect().refusal(.checkNickname(check)) == .authLocalAccountsOff)
            _ = try await Self.welcome(device, Self.hello(forge, "sub|1"))
            #expect(try await device.refusal(.changePassword(.sample("a", "b"))) == .authLocalAccountsOff)
        }
    }

    @Test func `concurrent first sign-ins create one user`() async throws {
        try await with { _, forge, connect in
            let cards = try await withThrowingTaskGroup { group in
                for _ in 0..<5 {
                    group.addTask {
                        try await Self.welcome(try await connect(), Self.hello(forge, "sub|1", username: "Ada"))
                    }
                }
                return try await group.reduce(into: Set<WireUserCard>()) { $0.insert($1) }
            }
            #expect(cards.count == 1)
        }
    }

    @Test func `deletes without a password and rejects earlier tokens`() async throws {
        try await with { _, forge, connect in
            let device = try await connect()
            let hello = try Self.hello(forge, "sub|1", username: "Ada")
            _ = try await Self.welcome(device, hello)
            try await device.call(.deleteAccount(.init())).expect(\.done)
            #expect(try await device.closed() == CloseCode.accountGone.rawValue)
            #expect(try await (try await connect()).refusal(hello) == .authTokenInvalid)
            // The name is free for others.
            let other = try await Self.welcome(try await connect(), Self.hello(forge, "sub|2", username: "Ada"))
            #expect(other.nickname == "Ada")
        }
    }

    @Test func `rejects a disabled user`() async throws {
        try await with { world, forge, connect in
            let device = try await connect()
            let card = try await Self.welcome(device, Self.hello(forge, "sub|1"))
            let userID = try #require(UserID(card.userID))
            #expect(await world.service.disable(userID))
            #expect(try await device.closed() == CloseCode.accountGone.rawValue)
            #expect(try await (try await connect()).refusal(Self.hello(forge, "sub|1")) == .authTokenInvalid)
        }
    }

    @Test(.proves("2.10")) func `signing out ends the connections of the outside session`() async throws {
        try await with { _, forge, connect in
            let (first, second, third) = (try await connect(), try await connect(), try await connect())
            for device in [first, second] {
                _ = try await Self.welcome(device, Self.hello(forge, "sub|1", more: #","sid":"s1""#))
            }
            _ = try await Self.welcome(third, Self.hello(forge, "sub|1", more: #","sid":"s2""#))
            #expect(try await first.refusal(.signOut(WireSignOut())) == nil)
            #expect(try await second.closed() == CloseCode.sessionRevoked.rawValue)
            #expect(try await first.closed() == CloseCode.sessionRevoked.rawValue)
            #expect(try await third.refusal(.getMe(WireGetMe())) == nil)
        }
    }

    @Test func `rejects a start with a missing or invalid key file by name`() async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer {
            // The directory is a temporary one: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: directory)
        }
        func configure(_ configuration: inout ServerSettings) {
            configuration.auth.accounts = .issuer
            configuration.auth.issuer.rs256 = "/no/such/file"
        }
        let error = await #expect(throws: StartError.self) {
            try await ServerWorld.with(directory: directory, configure: configure) { _ in }
        }
        #expect(error?.description.hasPrefix("/no/such/file: ") == true)
    }
}
