import Foundation
import PromisedDomain
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import PromisedAccess
@testable import PromisedServer
@testable import PromisedSettings

@Suite("Administrators' tokens over a connection", .tags(.realTime), .timeLimit(.minutes(2)))
struct AdminTokenConversationTests {
    @Test(arguments: WireCodec.allCases)
    func `the first start creates a secret that signs an administrator in, without a user`(
        codec: WireCodec
    ) async throws {
        try await ServerWorld.with(codec: codec) { world in
            let attributes = try FileManager.default.attributesOfItem(atPath: world.directory + "/admin.token")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            try await world.devices { connect async throws in
                let device = try await connect()
                let welcome = try await device.helloAsAdministrator(try world.adminSecret())
                #expect(!welcome.hasUser && welcome.hasServerTime && !welcome.connectionID.isEmpty)
                #expect(try await device.refusal(.syncClock(WireSyncClock())) == nil)
                // A further `hello` has no effect, with or without the secret.
                #expect(try await device.refusal(.hello(WireHello())) == nil)
                let list = try await device.admin(.listTokens(WireAdminListTokens())).expect(\.tokens)
                #expect(list.tokens.map(\.name) == ["first start"])
                #expect(list.tokens[0].hasLastUsedAt && !list.tokens[0].hasExpiresAt && !list.tokens[0].hasRevokedAt)
            }
        }
    }

    @Test(.defends("privilege-escalation")) func `rejects a wrong secret`() async throws {
        try await ServerWorld.with { world in
            try await world.devices { connect async throws in
                var generator = SystemRandomNumberGenerator()
                for wrong in [AdminSecret(using: &generator).text, "promised_admin_", "promised_admin_rubbish"] {
                    let device = try await connect()
                    #expect(try await device.refusal(.hello(.sample(wrong))) == .authTokenInvalid)
                    #expect(try await device.adminRefusal(.listTokens(WireAdminListTokens()))?.code == "auth.required")
                }
            }
        }
    }

    @Test(.proves("admin"), .defends("privilege-escalation"))
    func `separates users and administrators on a connection`() async throws {
        try await ServerWorld.with { world in
            try await world.with("Ada") { people async throws in
                try await world.administered { admin, connect async throws in
                    let ada = people[0]
                    for request in [
                        .getMe(WireGetMe()), .signOut(WireSignOut()), .listFriends(WireListFriends()),
                        .signIn(.sample(ada.email, ada.password)), .refresh(.sample("x")), .report(WireReport()),
                        .hello(.sample("eyJ.x.y")),
                    ] as [WireRequest] {
                        #expect(try await admin.refusal(request) == .authForbidden)
                    }
                    let other = try await connect()
                    try await ada.signIn(on: other)
                    #expect(try await other.refusal(.hello(.sample(try world.adminSecret()))) == .authForbidden)
                    #expect(
                        try await other.adminRefusal(.listTokens(WireAdminListTokens()))
                            == AdminRefusal(.authForbidden)
                    )
                }
            }
        }
    }

    @Test func `rejects an empty form as unknown`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ async throws in
                #expect(try await admin.refusal(.admin(WireAdminRequest())) == .requestUnknown)
            }
        }
    }

    @Test func `a created token is valid until its revocation, which ends its connections`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, connect async throws in
                let new = try await admin.newToken(named: " Grafana ")
                #expect(new.token.name == "Grafana" && !new.token.hasExpiresAt)
                let other = try await connect()
                try await other.helloAsAdministrator(new.secret)
                #expect(try await admin.adminRefusal(.revokeToken(.of(new.token))) == nil)
                #expect(try await other.closed() == CloseCode.sessionRevoked.rawValue)
                #expect(other.revocations == ["token-revoked"])
                let late = try await connect()
                #expect(try await late.refusal(.hello(.sample(new.secret))) == .authTokenInvalid)
                // Repeating it has no effect and adds no audit entry.
                #expect(try await admin.adminRefusal(.revokeToken(.of(new.token))) == nil)
                let audit = try await admin.audit()
                #expect(audit.map(\.action) == ["revokeToken", "createToken", "createToken"])
                #expect(audit.map(\.actor) == ["first start", "first start", "promised"])
                #expect(audit[0].subject == new.token.tokenID && audit[1].subject == new.token.tokenID)
                #expect(audit.allSatisfy { !$0.detail.contains("promised_admin_") })
            }
        }
    }

    @Test(.proves("4504"))
    func `a sixth connection of a token closes its oldest with 4504, and none of another token's`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, connect async throws in
                let secret = try await admin.newToken(named: "busy").secret
                var devices: [Device] = []
                for _ in 1...6 { devices.append(try await connect()) }
                for device in devices[..<5] { try await device.helloAsAdministrator(secret) }
                // A further hello does not count as another connection.
                try await devices[4].helloAsAdministrator(secret)
                #expect(try await devices[0].adminRefusal(.listTokens(WireAdminListTokens())) == nil)
                try await devices[5].helloAsAdministrator(secret)
                #expect(try await devices[0].closed() == CloseCode.tooManyConnections.rawValue)
                for device in devices[1...] + [admin] {
                    #expect(try await device.adminRefusal(.listTokens(WireAdminListTokens())) == nil)
                }
            }
        }
    }

    @Test func `an administrator who revokes their own token gets the reply, then the close`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ async throws in
                let list = try await admin.admin(.listTokens(WireAdminListTokens())).expect(\.tokens)
                #expect(try await admin.adminRefusal(.revokeToken(.of(list.tokens[0]))) == nil)
                #expect(try await admin.closed() == CloseCode.sessionRevoked.rawValue)
            }
        }
    }

    @Test func `a token that expires ends its connections, in real time`() async throws {
        let strict: @Sendable (inout ServerSettings) -> Void = { $0.connection.tokenGrace = .milliseconds(0) }
        try await ServerWorld.with(rate: 1_000, configure: strict) { world in
            try await world.administered { admin, connect async throws in
                let new = try await admin.newToken(named: "short", validMs: 1_500)
                let other = try await connect()
                try await other.helloAsAdministrator(new.secret)
                #expect(try await other.closed() == CloseCode.tokenInvalid.rawValue)
                let late = try await connect()
                #expect(try await late.refusal(.hello(.sample(new.secret))) == .authTokenInvalid)
                #expect(try await admin.adminRefusal(.listTokens(WireAdminListTokens())) == nil)
            }
        }
    }

    @Test(arguments: [
        ("", 1_000.0, "name"), (String(repeating: "n", count: 65), 1_000.0, "name"), ("a\u{7}b", 1_000.0, "name"),
        ("a", 0.0, "validMs"), ("a", -1.0, "validMs"), ("a", Double.infinity, "validMs"), ("a", 3.2e11, "validMs"),
    ])
    func `rejects a token without a name or with an invalid lifetime`(
        name: String,
        validMs: Double,
        field: String
    ) async throws {
        try await ServerWorld.with(codec: .protobuf) { world in
            try await world.administered { admin, _ async throws in
                let request = WireAdminCreateToken.with {
                    $0.name = name
                    $0.validMs = validMs
                }
                #expect(try await admin.adminRefusal(.createToken(request)) == AdminRefusal(.requestInvalid, field))
            }
        }
    }

    @Test func `rejects revoking an unknown token`() async throws {
        try await ServerWorld.with { world in
            try await world.administered { admin, _ async throws in
                for id in ["", "rubbish", "0192f0a0-0000-7000-8000-000000000000"] {
                    let request = WireAdminRevokeToken.with { $0.tokenID = id }
                    #expect(
                        try await admin.adminRefusal(.revokeToken(request)) == AdminRefusal(.requestInvalid, "tokenId")
                    )
                }
            }
        }
    }

    @Test func `stores the first secret once, and the file does not restore it`() async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await ServerWorld.with(directory: directory) { world in
            try await world.administered { admin, _ async throws in
                let list = try await admin.admin(.listTokens(WireAdminListTokens())).expect(\.tokens)
                #expect(try await admin.adminRefusal(.revokeToken(.of(list.tokens[0]))) == nil)
            }
        }
        try await ServerWorld.with(directory: directory) { world in
            try await world.devices { connect async throws in
                let device = try await connect()
                #expect(try await device.refusal(.hello(.sample(try world.adminSecret()))) == .authTokenInvalid)
            }
        }
    }
}

extension Device {
    /// Makes a token.
    func newToken(named name: String, validMs: Double? = nil) async throws -> WireAdminNewToken {
        var request = WireAdminCreateToken()
        request.name = name
        if let validMs { request.validMs = validMs }
        guard case .newToken(let new) = try await admin(.createToken(request)) else { throw NoReply() }
        return new
    }
}

extension WireAdminRevokeToken {
    static func of(_ token: WireAdminToken) -> Self {
        var request = Self()
        request.tokenID = token.tokenID
        return request
    }
}
