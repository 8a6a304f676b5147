import Foundation
import PromisedClient
import PromisedDomain
import PromisedStore
import Testing

@testable import PromisedAccess
@testable import PromisedApplication
@testable import PromisedServer
@testable import PromisedSettings

@Suite struct AdminSecretTests {
    @Test func `reads a secret only from its text`() throws {
        var generator = SystemRandomNumberGenerator()
        let secret = AdminSecret(using: &generator)
        #expect(AdminSecret(secret.text) == secret)
        #expect(secret.text.hasPrefix("promised_admin_") && secret.text.count == 58 && secret.hash.count == 32)
        #expect(AdminSecret(secret.text)?.hash == secret.hash && AdminSecret(using: &generator).hash != secret.hash)
        #expect(!"\(secret)".contains(secret.text.dropFirst(15)))
        for text in ["", "promised_admin_", String(secret.text.dropLast()), secret.text + "A", "x" + secret.text] {
            #expect(AdminSecret(text) == nil)
        }
    }

    @Test func `a generated password is long, without ambiguous letters`() {
        var generator = SystemRandomNumberGenerator()
        let (one, other) = (GeneratedPassword(using: &generator).text, GeneratedPassword(using: &generator).text)
        #expect(one != other && one.count == 23)
        #expect(!one.contains { "0O1lIi".contains($0) })
    }

    @Test(arguments: [("600", "rubbish\n"), ("644", "")])
    func `rejects a start with a changed file`(mode: String, content: String) async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let store = try await Store.open(directory: directory)
        var generator = SystemRandomNumberGenerator()
        let path = directory + "/admin.token"
        let text = content.isEmpty ? AdminSecret(using: &generator).text + "\n" : content
        let permissions = Int(mode, radix: 8) ?? 0
        #expect(
            FileManager.default.createFile(
                atPath: path,
                contents: Data(text.utf8),
                attributes: [.posixPermissions: permissions]
            )
        )
        await #expect(throws: StartError.self) {
            _ = try await AdminTokenFile(dataDirectory: directory).register(in: store)
        }
        #expect(try await !store.administration.hasAdminTokens())
        try await store.close()
    }

    @Test func `the next start stores a secret after a crash`() async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let store = try await Store.open(directory: directory)
        var generator = SystemRandomNumberGenerator()
        let secret = AdminSecret(using: &generator)
        try PrivateFile(path: directory + "/admin.token").create(secret.text)
        let file = AdminTokenFile(dataDirectory: directory)
        #expect(try await file.register(in: store) != nil)
        #expect(try await store.administration.adminToken(hash: secret.hash)?.name == "first start")
        #expect(try await file.register(in: store) == nil)
        try await store.close()
    }

    @Test(.tags(.realTime))
    func `a failed start leaves neither a data directory nor an administrator's token`() async throws {
        try await ServerWorld.with { world in
            let other = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: other) }
            let failures: [@Sendable (inout ServerSettings) -> Void] = [
                { ($0.auth.accounts, $0.auth.issuer.rs256) = (.issuer, "/no/such/key") },
                { $0.places.categories = "/no/such/categories" }, { $0.web.directory = "/no/such/page" },
                { $0.metrics.token = "/no/such/token" },
                { ($0.tls.certificate, $0.tls.key) = ("/no/such/certificate", "/no/such/key") },
                { $0.listen.port = Int(world.address.port) }, { $0.listen.host = "192.0.2.1" },
            ]
            for fail in failures {
                await #expect(throws: StartError.self) {
                    try await ServerWorld.with(directory: other, configure: fail) { _ in }
                }
                #expect(!FileManager.default.fileExists(atPath: other))
            }
            // A successful one creates both.
            try await ServerWorld.with(directory: other) { _ in
                #expect(FileManager.default.fileExists(atPath: other + "/admin.token"))
            }
        }
    }

    @Test func `maintenance needs exclusive access and a database`() async throws {
        let directory = NSTemporaryDirectory() + "promised-test-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let maintenance = Maintenance(directory: directory)
        await #expect(throws: MaintenanceError.impossible("\(directory) has no database.")) {
            _ = try await maintenance.tokens()
        }
        let store = try await Store.open(directory: directory)
        await #expect {
            _ = try await maintenance.tokens()
        } throws: { error in
            "\(error)".contains("A server is using")
        }
        try await store.close()
        #expect(try await maintenance.tokens() == [])
        let made = try await maintenance.createToken(for: "x", valid: .days(1))
        _ = try await maintenance.createToken(for: "x", valid: nil)
        #expect(made.token.expiresAt.map { $0 - made.token.createdAt } == .days(1))
        await #expect(throws: MaintenanceError.self) { _ = try await maintenance.revokeToken("x") }
        #expect(try await maintenance.revokeToken(made.token.id).isNew)
        #expect(try await !maintenance.revokeToken(made.token.id).isNew)
        #expect(try await maintenance.revokeToken("x").isNew)
        await #expect(throws: MaintenanceError.self) { _ = try await maintenance.revokeToken("y") }
        await #expect(throws: MaintenanceError.self) { _ = try await maintenance.createToken(for: "", valid: nil) }
        #expect(try await maintenance.migrate(dryRun: false).migrations == [])
        #expect(try await maintenance.backUp(to: directory + "/copy") > 0)
        await #expect(throws: MaintenanceError.self) { _ = try await maintenance.backUp(to: directory + "/copy") }
        await #expect(throws: MaintenanceError.self) { _ = try await maintenance.restore(from: directory + "/copy") }
    }
}
