import Foundation
import Testing

@Suite("promisectl and a running server", .tags(.realTime), .serialized, .timeLimit(.minutes(5)))
struct OperationsStoryTests {
    @Test func `the server itself`() async throws {
        try await OperatorWorld.with { world in
            var story = Transcript(world)
            try await world.makeUser("ada")
            try await story.show("stats")
            try await story.show("verify")
            try await story.run("backup", world.folder + "/copy-1")
            try await story.json("backup", world.folder + "/copy-2")
            let attributes = try FileManager.default.attributesOfItem(atPath: world.folder + "/copy-2")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            try await story.show("session", "list")
            try await story.show("audit")
            try await story.show("check")
            try await story.show("version")
            try Golden.expect(story.text, matches: "story-server.txt")
        }
    }

    @Test func `a token is valid until it is revoked`() async throws {
        try await OperatorWorld.with { world in
            var story = Transcript(world)
            try await story.run("token", "create", "--for", "Grafana")
            let made = try await world.output(of: ["token", "create", "--for", "tests", "--valid", "1d", "--json"])
            let document = try #require(JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any])
            let secret = try #require(document["secret"] as? String)
            let token = try #require((document["token"] as? [String: Any])?["tokenId"] as? String)
            let file = world.folder + "/second.token"
            try Data(secret.utf8).write(to: URL(filePath: file))
            try await story.json("token", "create", "--for", "deploy", "--valid", "30d")
            try await story.run("session", "list", "--token-file", file)
            try await story.show("token", "list")
            try await story.run("token", "revoke", token, "--yes")
            try await story.json("token", "revoke", token, "--yes")
            try await story.run("session", "list", "--token-file", file)
            try Golden.expect(story.text, matches: "story-tokens.txt")
        }
    }

    @Test func `the doctor finds nothing wrong`() async throws {
        try await OperatorWorld.with { world in
            let well = try await world.run(["doctor"])
            #expect(well.code == 0, "\(well.output)")
            let names = well.output.split(separator: "\n").dropFirst().map { $0.prefix { $0 != " " } }
            let json = try await world.output(of: ["doctor", "--json"])
            let document = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            let checks = try #require(document["checks"] as? [[String: Any]])
            #expect(checks.map { $0["name"] as? String } == names.map(String.init))
            #expect(
                try Set(checks.map { try #require($0["state"] as? String) }).isSubset(of: ["OK", "WARNING", "SKIPPED"])
            )
            // The states differ from machine to machine (disk, memory, files), so only the names are compared.
            try Golden.expect(names.joined(separator: "\n") + "\n", matches: "doctor-checks.txt")
            let lines = try await world.output(of: ["doctor", "--jsonl"]).split(separator: "\n")
            #expect(lines.count == checks.count)
        }
    }
}
