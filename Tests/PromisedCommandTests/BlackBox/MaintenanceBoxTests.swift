import Foundation
import PromisedDomain
import PromisedJournal
import PromisedStore
import Testing

@Suite("The built binary maintains a data directory", .tags(.realTime), .serialized, .timeLimit(.minutes(3)))
struct MaintenanceBoxTests {
    @Test func `creates, lists and revokes tokens only while no server runs`() async throws {
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

    @Test func `restores a backup into another directory, which passes verification`() async throws {
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

    @Test func `backs files up with the database and restores them, and verify reads them`() async throws {
        try await withTemporaryFolder { folder in
            let (data, backup) = (folder + "/data", ["backup", folder + "/b", "--files", folder + "/f"])
            let id = try await makeFile(in: data)
            #expect(try await outcome(["verify", "--data", data]).output == "no violations")
            let copied = try await outcome(backup + ["--data", data])
            #expect(copied.code == 0 && copied.output.hasSuffix("\n\(folder)/f: 1 file, 5 bytes"))
            #expect(try await outcome(["backup", folder + "/c", "--only-files", "--data", data]).code == 2)
            let restore = ["restore", folder + "/b", "--files", folder + "/f", "--data", folder + "/new"]
            let restored = try await outcome(restore)
            #expect(restored.code == 0 && restored.output.hasSuffix("\n\(folder)/new/files: 1 file, 5 bytes"))
            #expect(try await outcome(["verify", "--data", folder + "/new"]).output == "no violations")

            try Data("film!".utf8).write(to: URL(fileURLWithPath: "\(folder)/new/files/\(id)"))
            try Data().write(to: URL(fileURLWithPath: "\(folder)/new/files/notes"))
            let damaged = try await outcome(["verify", "--data", folder + "/new"])
            #expect(damaged.code == 1 && damaged.output == "file-damaged: \(id)\nfile-stray: notes")
            let incomplete = try await outcome([
                "backup", folder + "/d", "--files", folder + "/g", "--data", folder + "/new",
            ])
            #expect(incomplete.code == 1 && incomplete.output.hasSuffix("0 files, 0 bytes\nfile-damaged: \(id)"))
            try FileManager.default.removeItem(atPath: "\(folder)/f/\(id)")
            let other = ["restore", folder + "/b", "--files", folder + "/f", "--data", folder + "/other"]
            let refused = try await outcome(other)
            #expect(refused.code == 1 && refused.errors.contains("--skip-missing"))
            let skipped = try await outcome(other + ["--skip-missing"])
            #expect(skipped.code == 0 && skipped.output.hasSuffix("file-missing: \(id)"))
            #expect(try await outcome(["verify", "--data", folder + "/other"]).output == "file-missing: \(id)")
        }
    }

    @Test func `copies the files of a backup while a server runs, but not the database`() async throws {
        try await withTemporaryFolder { folder in
            let data = folder + "/data"
            let id = try await makeFile(in: data)
            #expect(try await outcome(["backup", folder + "/b", "--data", data]).code == 0)
            let server = try await ServerProcess.start(data: data)
            let refused = try await outcome(["backup", folder + "/c", "--files", folder + "/f", "--data", data])
            #expect(refused.code == 1 && refused.errors.contains("A server is using"))
            let backup = ["backup", folder + "/b", "--only-files", "--data", data, "--files"]
            let copied = try await outcome(backup + [folder + "/f"])
            #expect(copied.code == 0 && copied.output == "\(folder)/f: 1 file, 5 bytes")
            // As the server does when a user deletes it.
            try FileManager.default.removeItem(atPath: "\(data)/files/\(id)")
            let deleted = try await outcome(backup + [folder + "/g"])
            #expect(deleted.code == 0 && deleted.output == "\(folder)/g: 0 files, 0 bytes\nfile-missing: \(id)")
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)
        }
    }

    @Test func `checks the configuration and prints the default one`() async throws {
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
            let missing = try await outcome(["check-config", "--config", folder + "/nofile.yaml"])
            #expect(missing.code == 2 && missing.errors.hasSuffix("No such file or directory (errno 2)"))
            try Data("push: {apns: {}}\n".utf8).write(to: URL(fileURLWithPath: folder + "/push.yaml"))
            let unknown = try await outcome(["check-config", "--config", folder + "/push.yaml"])
            #expect(
                unknown.code == 2 && unknown.errors.contains("push.apns") && unknown.errors.contains("not a setting")
            )
        }
    }

    @Test(arguments: [
        (["--set", "window.before=10m"], ""), (["--listen", "127.0.0.1:0", "--clock-rate", "2"], ""),
        (["--set", "window.before=never"], "window.before"), (["--set", "windows.before=10m"], "windows.before"),
        (["--listen", "127.0.0.1"], "--listen"),
    ])
    func `checks the options of a start like the start`(
        options: [String],
        fault: String
    ) async throws {
        let checked = try await outcome(["check-config"] + options)
        if fault.isEmpty {
            // Variables of the tests, which the process inherits, belong to no setting: it only warns of them.
            let errors = checked.errors.split(separator: "\n").filter { !$0.hasPrefix("warning: ") }
            #expect(checked.code == 0 && errors.isEmpty, "\(errors)")
        } else {
            #expect(checked.code == 2 && checked.errors.contains(fault), "\(checked.errors)")
        }
    }

    @Test func `rejects a place out of range with the range`() async throws {
        let replay = ["replay", "--tracks", "/", "--meets-at", "2019-11-29T13:39:10Z", "--place"]
        for place in ["91,0", "0,181", "37.5", "37,5,127"] {
            let refused = try await outcome(replay + [place])
            #expect(refused.code != 0 && refused.errors.contains("-90 to 90, then -180 to 180"), "\(refused.errors)")
        }
    }

    @Test func `rejects a path that is not a data directory`() async throws {
        for path in ["/dev/null", "/dev/full"] {
            let refused = try await outcome(["serve", "--data", path, "--listen", "127.0.0.1:0"])
            #expect(refused.code == 1 && refused.errors.contains("Not a directory"), "\(refused.errors)")
            #expect(!refused.errors.contains("chmod"))
        }
    }

    /// Makes a data directory with a user who has one file, and returns the file's id.
    private func makeFile(in data: String) async throws -> FileID {
        let content = Data("photo".utf8)
        let now = Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
        var generator = RandomSource.system
        let file = StoredFile(
            id: FileID(at: now, using: &generator),
            userID: UserID(at: now, using: &generator),
            kind: .export,
            contentType: "text/plain",
            bytes: Int64(content.count),
            // Of the content.
            sha256: [
                85, 198, 77, 15, 205, 111, 157, 95, 124, 130, 128, 147, 133, 126, 63, 223, 218, 104, 71, 139, 180, 233,
                189, 36, 212, 129, 239, 57, 28, 120, 4, 232,
            ]
        )
        let store = try await Store.open(directory: data)
        _ = try await store.accounts.createUser(
            NewAccount(
                id: file.userID,
                email: "a@example.org",
                emailKey: "a@example.org",
                nickname: "Anna",
                nicknameKey: "anna",
                passwordHash: "none",
                createdAt: now
            )
        )
        try await store.files.addExport(file, at: now)
        try await store.close()
        try FileManager.default.createDirectory(atPath: data + "/files", withIntermediateDirectories: true)
        try content.write(to: URL(fileURLWithPath: "\(data)/files/\(file.id)"))
        return file.id
    }

    /// The exit code and the texts of a run.
    private func outcome(_ arguments: [String]) async throws -> (code: Int32, output: String, errors: String) {
        let run = try BinaryRun(arguments)
        let output = await run.wholeOutput().joined(separator: "\n")
        let errors = await run.errors.reduce(into: []) { $0.append($1) }.joined(separator: "\n")
        return (await run.exitCode(), output, errors)
    }
}
