import Foundation
import Testing

@Suite("promisectl and a running server", .serialized, .timeLimit(.minutes(5)))
struct PeopleStoryTests {
    @Test func `accounts and friendships`() async throws {
        try await OperatorWorld.with { world in
            for nickname in ["ada", "bob", "eve"] { try await world.makeUser(nickname) }
            var story = Transcript(world)
            try await story.show("user", "list")
            try await story.show("user", "show", "ada")
            try await story.run("user", "create", "--nickname", "ADA", "--email", "x@y.org", "--password", "correct horse")
            try await story.run("user", "disable", "eve@example.org", "--yes")
            try await story.run("user", "list", "--disabled")
            try await story.run("user", "enable", "eve")
            try await story.run("user", "reset-password", "eve", "--password-stdin", "--yes", input: "another horse\n")
            try await story.run("user", "sessions", "ada")
            try await story.run("user", "kick", "ada", "--sign-out", "--yes")
            let rows = "nickname,email,password\r\nzed,zed@example.org,correct horse\r\nada,a@example.org,correct horse\r\n"
            try await story.run("user", "import", "-", input: rows)
            try await story.run("user", "import", "-", "--skip-bad", "--json", input: rows)
            try await story.run("friend", "add", "ada", "bob")
            try await story.run("friend", "add", "ada", "bob", "--json")
            try await story.show("friend", "list", "ada")
            try await story.show("friend", "requests", "ada")
            try await story.run("friend", "remove", "ada", "bob", "--yes")
            try await story.run("friend", "block", "ada", "eve", "--yes")
            try await story.run("friend", "unblock", "ada", "eve")
            try await story.run("user", "delete", "zed", "--yes")
            try await story.run("user", "show", "zed")
            try Golden.expect(story.text, matches: "story-people.txt")
        }
    }

    @Test func `the server itself`() async throws {
        try await OperatorWorld.with { world in
            var story = Transcript(world)
            try await world.makeUser("ada")
            try await story.show("stats")
            try await story.show("verify")
            try await story.run("backup", world.folder + "-copy.sqlite")
            try await story.run("backup", world.folder + "-copy.sqlite", "--json")
            try FileManager.default.removeItem(atPath: world.folder + "-copy.sqlite")
            try await story.show("session", "list")
            try await story.show("audit")
            try Golden.expect(story.text, matches: "story-server.txt")
        }
    }

    @Test func `a token that was made opens the door until it is revoked`() async throws {
        try await OperatorWorld.with { world in
            let made = try await world.output(of: ["token", "create", "--for", "tests", "--valid", "1d", "--json"])
            let document = try #require(JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any])
            let secret = try #require(document["secret"] as? String)
            let token = try #require((document["token"] as? [String: Any])?["tokenId"] as? String)
            let file = world.folder + "/second.token"
            try Data(secret.utf8).write(to: URL(filePath: file))
            #expect(try await world.run(["stats", "--token-file", file]).code == 0)
            #expect(try await world.output(of: ["token", "list"]).contains("tests"))
            try await world.output(of: ["token", "revoke", token, "--yes"])
            let refused = try await world.run(["stats", "--token-file", file])
            #expect(refused.code == 4)
            #expect(refused.errors.contains("auth.token-invalid"))
        }
    }

    @Test func `the doctor finds nothing wrong, and a stranger at the door`() async throws {
        try await OperatorWorld.with { world in
            let well = try await world.run(["doctor", "--json"])
            #expect(well.code == 0, "\(well.output)")
            #expect(well.output.contains(#""name":"client-version","state":"OK""#))
            #expect(try await world.run(["check"]).code == 0)
            let file = world.folder + "/bad.token"
            try Data("nonsense".utf8).write(to: URL(filePath: file))
            #expect(try await world.run(["doctor", "--token-file", file]).code == 4)
            #expect(try await world.run(["stats", "--token-file", file]).code == 4)
        }
    }

    @Test func `a server that is gone exits with 3, an unknown user with 1`() async throws {
        try await OperatorWorld.with { world in
            let unknown = try await world.run(["user", "show", "nobody"])
            #expect(unknown.code == 1)
            let away = ["PROMISED_URL": "ws://127.0.0.1:1/ws"]
            #expect(try await world.run(["stats"], environment: away).code == 3)
            #expect(try await world.run(["doctor"], environment: away).code == 3)
        }
    }
}
