import Foundation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The log of a complete meetup contains no private data.
@Suite("The built binary's log", .tags(.realTime), .serialized, .timeLimit(.minutes(3)))
struct LogBoxTests {
    private static let missing: Comment = "the recorded tracks are not beside the repository"

    /// Private data: a number with four decimals or more, an address, a JSON web token, a password.
    private static let secrets: [String: String] = [
        "a coordinate": #"\d\.\d{4,}"#, "an e-mail": #"[\w.+-]+@[\w-]+\.\w+"#, "a token": #"eyJ[\w-]{10,}"#,
        "a long secret": #"[A-Za-z0-9_-]{43,}"#, "a password": "(?i)password",
    ]

    @Test(
        .defends("telling-logs"),
        .enabled(if: BuildPace.isOrdinary, "the thread sanitizer's build is too slow"),
        .enabled(if: Binary.hasTracks, missing)
    )
    func `a whole replay logs no coordinate, token or e-mail, also at debug`() async throws {
        try await withTemporaryFolder { folder in
            let start = Date(timeIntervalSince1970: 1_575_032_950 - 12 * 600)
            let server = try await ServerProcess.start(
                data: folder,
                rate: 600,
                clock: start,
                settings: ["log.level=debug"]
            )
            let replay = try BinaryRun([
                "replay", "--tracks", Binary.tracks, "--place", "51.22970,-1.33885", "--radius", "100",
                "--meets-at", "2019-11-29T13:39:10Z", "--json", "--server", "ws://127.0.0.1:\(server.port)/ws",
            ])
            _ = await replay.wholeOutput()
            #expect(await replay.exitCode() == 0)
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)
            // The data folder is not private, but its name looks like a secret.
            let lines = await server.run.errors.reduce(into: [String]()) { lines, line in
                lines.append(line.replacing(folder, with: "data"))
            }
            #expect(!lines.isEmpty)
            for (what, pattern) in Self.secrets {
                let found = lines.filter { $0.range(of: pattern, options: .regularExpression) != nil }
                #expect(found.isEmpty, "\(what)")
            }
        }
    }
}
