import Foundation
import Testing

@Suite("The built binary maintains a data directory", .tags(.realTime), .serialized, .timeLimit(.minutes(3)))
struct MaintenanceBoxTests {
    @Test func `tokens are made, listed and revoked while no server runs, and not while one does`() async throws {
        try await withTemporaryFolder { folder in
            let server = try await ServerProcess.start(data: folder)
            let refused = try await outcome(["token", "list", "--data", folder])
            #expect(refused.code == 1 && refused.errors.contains("A server is using"))
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)

            let made = try await outcome([
                "token", "create", "--role", "admin", "--for", "Grafana", "--valid", "30d", "--data", folder,
            ])
            #expect(made.code == 0 && made.output.hasPrefix("promised_admin_") && made.errors.isEmpty)
            let list = try await outcome(["token", "list", "--data", folder])
            #expect(list.code == 0 && list.output.contains("Grafana") && list.output.contains("first start"))
            #expect(!list.output.contains("promised_admin_"))
            let json = try await outcome(["token", "list", "--json", "--data", folder])
            let document = try JSONDecoder().decode([String: [[String: String]]].self, from: Data(json.output.utf8))
            #expect(document["tokens"]?.map { $0["name"] } == ["Grafana", "first start"])
            #expect(document["tokens"]?[0]["expiresAt"] != nil && document["tokens"]?[1]["expiresAt"] == nil)
            #expect(try await outcome(["token", "revoke", "Grafana", "--data", folder]).code == 0)
            #expect(try await outcome(["token", "revoke", "Grafana", "--data", folder]).code == 1)
            #expect(try await outcome(["token", "create", "--for", "", "--data", folder]).code == 2)
        }
    }

    @Test func `a backup is restored into another directory, which is sound`() async throws {
        try await withTemporaryFolder { folder in
            let data = folder + "/data"
            let server = try await ServerProcess.start(data: data)
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)
            #expect(try await outcome(["backup", folder + "/b", "--data", data]).code == 0)
            #expect(try await outcome(["backup", folder + "/b", "--data", data]).code == 1)
            try Data("backup:\n  directory: \(folder)/backups\n".utf8).write(
                to: URL(fileURLWithPath: folder + "/c.yaml")
            )
            try FileManager.default.createDirectory(atPath: folder + "/backups", withIntermediateDirectories: true)
            let settled = ["--data", data, "--config", folder + "/c.yaml"]
            let elsewhere = try await outcome(["backup", folder + "/c"] + settled)
            #expect(elsewhere.code == 1 && elsewhere.errors.contains("It must be below backup.directory."))
            #expect(try await outcome(["backup", folder + "/backups/c"] + settled).code == 0)
            let occupied = try await outcome(["restore", folder + "/b", "--data", data])
            #expect(occupied.code == 1 && occupied.errors.contains("already has a database"))
            #expect(try await outcome(["restore", folder + "/b", "--data", folder + "/new"]).code == 0)
            let verified = try await outcome(["verify", "--data", folder + "/new"])
            #expect(verified.code == 0 && verified.output == "no violations")
            let migrated = try await outcome(["migrate", "--dry-run", "--json", "--data", folder + "/new"])
            #expect(migrated.code == 0 && migrated.output.contains("\"migrations\" : ["))
            #expect(try await outcome(["verify", "--data", folder + "/none"]).code == 1)
            #expect(!FileManager.default.fileExists(atPath: folder + "/none"))
        }
    }

    @Test func `the configuration is checked and the default one printed`() async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let printed = try await outcome(["print-default-config"])
            let example = Binary.repository.appendingPathComponent("config/promised.yaml")
            #expect(try printed.output + "\n" == String(contentsOf: example, encoding: .utf8))
            try Data(printed.output.utf8).write(to: URL(fileURLWithPath: folder + "/good.yaml"))
            #expect(try await outcome(["check-config", "--config", folder + "/good.yaml"]).code == 0)
            try Data("listen:\n  port: many\n".utf8).write(to: URL(fileURLWithPath: folder + "/bad.yaml"))
            let bad = try await outcome(["check-config", "--config", folder + "/bad.yaml"])
            #expect(bad.code == 2 && bad.errors.contains("listen.port"))
            try Data("auth:\n  accounts: issuer\n  issuer:\n    hs256: /no/such/key\n".utf8)
                .write(to: URL(fileURLWithPath: folder + "/key.yaml"))
            #expect(try await outcome(["check-config", "--config", folder + "/key.yaml"]).code == 2)
        }
    }

    /// How a run ended and what it said.
    private func outcome(_ arguments: [String]) async throws -> (code: Int32, output: String, errors: String) {
        let run = try BinaryRun(arguments)
        let output = await run.wholeOutput().joined(separator: "\n")
        let errors = await run.errors.reduce(into: []) { $0.append($1) }.joined(separator: "\n")
        return (await run.exitCode(), output, errors)
    }
}
