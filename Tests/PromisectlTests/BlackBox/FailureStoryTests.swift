import Foundation
import Testing

@Suite("promisectl and what goes wrong", .tags(.realTime), .serialized, .timeLimit(.minutes(5)))
struct FailureStoryTests {
    @Test func `is told in a sentence, and by the exit code`() async throws {
        try await OperatorWorld.with { world in
            for nickname in ["ada", "adam", "bob"] { try await world.makeUser(nickname) }
            let bad = world.folder + "/bad.token"
            try Data("promised_admin_nonsense\n".utf8).write(to: URL(filePath: bad))
            var story = Transcript(world)
            // Refused (1).
            try await story.run("user", "show", "adaa")
            try await story.run("user", "show", "nobody")
            try await story.json("user", "show", "nobody")
            try await story.run("friend", "add", "bob", "aad")
            try await story.run(
                "user",
                "create",
                "--nickname",
                "ADA",
                "--email",
                "x@y.org",
                "--password",
                "correct horse"
            )
            try await story.run("user", "create", "--nickname", "cai", "--email", "x@y.org", "--password", "short")
            try await story.run("promise", "show", "01a1fe64-efce-7bed-8aed-d2acf0761b68")
            try await story.run("session", "show", "01a1fe64-efce-7bed-8aed-d2acf0761b68")
            try await story.run("backup", world.folder + "/admin.token")
            // Usage (2).
            try await story.run("user", "delete", "bob")
            try await story.run("user", "shwo", "bob")
            try await story.run("user", "list", "--limit", "many")
            try await story.run("stats", "--token-file", world.folder + "/no.token")
            try await story.run("stats", "--url", "gopher://example.org")
            // Unreachable (3).
            for command in ["stats", "doctor", "check"] { try await story.run(command, "--url", "ws://127.0.0.1:1/ws") }
            // Not permitted (4).
            for command in ["stats", "doctor"] { try await story.run(command, "--token-file", bad) }
            try Golden.expect(story.text, matches: "story-failures.txt")
        }
    }
}
