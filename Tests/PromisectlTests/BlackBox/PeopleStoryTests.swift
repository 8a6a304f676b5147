import Foundation
import PromisedClient
import Testing

@Suite("promisectl and users", .tags(.realTime), .serialized, .timeLimit(.minutes(5)))
struct PeopleStoryTests {
    @Test func `accounts`() async throws {
        try await OperatorWorld.with { world in
            for nickname in ["ada", "bob", "eve"] { try await world.makeUser(nickname) }
            var story = Transcript(world)
            try await story.show("user", "list")
            try await story.show("user", "show", "ada")
            let (name, address) = ("--nickname", "--email")
            try await story.run(
                "user",
                "create",
                name,
                "fay",
                address,
                "fay@example.org",
                "--password",
                "correct horse"
            )
            try await story.json(
                "user",
                "create",
                name,
                "gus",
                address,
                "gus@example.org",
                "--password",
                "correct horse"
            )
            try await story.run("user", "disable", "eve@example.org", "--yes")
            try await story.json("user", "disable", "fay", "--yes")
            try await story.show("user", "list", "--disabled")
            try await story.show("user", "enable", "eve")
            try await story.run("user", "reset-password", "eve", "--password-stdin", "--yes", input: "another horse\n")
            try await story.json("user", "reset-password", "eve", "--password-stdin", "--yes", input: "another horse\n")
            try await story.run("user", "delete", "fay", "--yes")
            try await story.json("user", "delete", "gus", "--yes")
            try Golden.expect(story.text, matches: "story-accounts.txt")
        }
    }

    @Test func `sign-ins and connections`() async throws {
        try await OperatorWorld.with { world in
            for nickname in ["ada", "bob"] { try await world.makeUser(nickname) }
            let text = try await world.signedIn(as: "ada") { _ in
                var story = Transcript(world)
                try await story.show("user", "sessions", "ada")
                try await story.run("user", "sessions", "bob")
                try await story.json("user", "kick", "bob", "--yes")
                try await story.run("user", "kick", "ada", "--sign-out", "--yes")
                return story.text
            }
            try Golden.expect(text, matches: "story-sign-ins.txt")
        }
    }

    @Test func `an import`() async throws {
        try await OperatorWorld.with { world in
            try await world.makeUser("ada")
            var story = Transcript(world)
            let header = "nickname,email,password\r\n"
            let rows = "zed,zed@example.org,correct horse\r\nada,a@example.org,correct horse\r\nwho,nowhere,short\r\n"
            try await story.run("user", "import", "-", input: header + rows)
            try await story.run(
                "user",
                "import",
                "-",
                "--check",
                input: header + "zed,zed@example.org,correct horse\r\n"
            )
            try await story.json("user", "import", "-", "--skip-bad", input: header + rows)
            try await story.run("user", "import", "-", input: header + "yan,yan@example.org,correct horse\n")
            try await story.run("user", "import", "-", input: "name,mail\nzed,zed@example.org\n")
            try Golden.expect(story.text, matches: "story-import.txt")
        }
    }

    @Test func `friendships`() async throws {
        try await OperatorWorld.with { world in
            for nickname in ["ada", "bob", "eve"] { try await world.makeUser(nickname) }
            _ = try await world.signedIn(as: "eve") { client in try await client.requestFriend(nickname: "ada") }
            var story = Transcript(world)
            try await story.show("friend", "requests", "ada")
            try await story.run("friend", "add", "ada", "bob")
            try await story.json("friend", "add", "ada", "eve")
            try await story.show("friend", "list", "ada")
            try await story.show("friend", "requests", "ada")
            try await story.run("friend", "remove", "ada", "bob", "--yes")
            try await story.json("friend", "remove", "ada", "eve", "--yes")
            try await story.run("friend", "block", "ada", "eve", "--yes")
            try await story.json("friend", "block", "ada", "bob", "--yes")
            try await story.run("friend", "add", "ada", "eve")
            try await story.run("friend", "unblock", "ada", "eve")
            try await story.json("friend", "unblock", "ada", "bob")
            try await story.run("friend", "list", "ada")
            try Golden.expect(story.text, matches: "story-friends.txt")
        }
    }
}
