import Foundation
import Testing

@Suite("Failures of promisectl", .tags(.realTime), .serialized, .timeLimit(.minutes(5)))
struct FailureStoryTests {
    @Test func `have a sentence and an exit code`() async throws {
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
            try await story.run("stats", "--url", "ws://no.such.host.invalid/ws")
            let mute = try MuteListener()
            try await story.run("stats", "--url", "ws://127.0.0.1:\(mute.port)/ws")
            mute.close()
            // Not permitted (4).
            for command in ["stats", "doctor"] { try await story.run(command, "--token-file", bad) }
            try Golden.expect(story.text, matches: "story-failures.txt")
        }
    }
}

/// A port on which the system accepts connections without any data.
private struct MuteListener {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, count) = (descriptor, size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, count) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        try #require(isListening)
        port = UInt16(bigEndian: address.sin_port)
    }

    func close() { _ = Foundation.close(descriptor) }
}
