import Foundation
import PromisedTestMarks
import Testing

/// The part of `replay --json` that the tests read.
struct ReplayResult: Decodable, Equatable {
    struct Row: Decodable, Equatable {
        struct User: Decodable, Equatable { let nickname: String }
        let user: User
        let outcome: String
        let rank: Int?
        /// Nil without an arrival.
        let creditedAt: String?
    }

    let finalAt: String
    let rows: [Row]

    /// Credited instants in seconds since 1970, ascending.
    var credited: [Double] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return rows.compactMap { $0.creditedAt.flatMap { try? style.parse($0) }?.timeIntervalSince1970 }.sorted()
    }

    var spread: Double { (credited.last ?? 0) - (credited.first ?? 0) }
}

@Suite("The built binary replays", .tags(.alone), .timeLimit(.minutes(5)))
struct ReplayBoxTests {
    private static let arguments = [
        "replay", "--tracks", Binary.tracks, "--place", "51.22970,-1.33885", "--meets-at", "2019-11-29T13:39:10Z",
        "--json",
    ]
    private static let missing: Comment = "the recorded tracks are not beside the repository"
    /// 2019-11-29T13:40:12Z and 13:40:19Z.
    private static let arrivals = 1_575_034_812.0...1_575_034_819.0

    private static let riders = 7
    private static let road = Road()

    private func replay(_ more: [String]) async throws -> ReplayResult {
        let ride = await Self.road.ride()
        defer { ride.finish() }
        let run = try BinaryRun(Self.arguments + more)
        var told = ""
        var confirmed = 0
        for await line in run.errors {
            told += line + "\n"
            if line.contains(" confirmed ") { confirmed += 1 }
            if confirmed == Self.riders { ride.finish() }
        }
        let output = await run.wholeOutput()
        let code = await run.exitCode()
        try #require(code == 0 && output.count == 1, "\(told)")
        // After the lines about files and participants there is only the meetup.
        let strays = told.split(separator: "\n").dropFirst(2).filter { !$0.contains(#/^\d\d:\d\d:\d\d  /#) }
        #expect(strays.isEmpty)
        return try JSONDecoder().decode(ReplayResult.self, from: Data(output.joined().utf8))
    }

    @Test(.enabled(if: Binary.hasTracks, missing))
    func `replays a wider circle in time, first-fix eleven seconds apart, and staggered in order`() async throws {
        // A fix is dated by the least delayed report of its device: at 600 times the speed a busy machine's
        // millisecond is half a second of the result. This rule reads one fix of each device, without averaging.
        async let simple = replay(["--radius", "100", "--rule", "first-fix", "--speed", "200"])
        async let wide = replay(["--radius", "150"])
        async let staggered = replay(["--radius", "100", "--stagger", "60s"])
        #expect((8.5...14).contains(try await simple.spread))
        #expect(try await wide.rows.map(\.outcome) == Array(repeating: "ON_TIME", count: 7))
        let ranked = try await staggered.rows
        #expect(ranked.map(\.rank) == [1, 2, 3, 4, 5, 6, 7])
        #expect(ranked.map(\.user.nickname) == ranked.map(\.user.nickname).sorted())
    }

    @Test(.proves("6.16"), .enabled(if: Binary.hasTracks, missing), arguments: ["json", "protobuf"])
    func `seven devices on one bicycle arrive together`(codec: String) async throws {
        let result = try await replay(["--radius", "100", "--codec", codec])
        #expect(result.rows.map(\.rank) == Array(repeating: 1, count: 7))
        #expect(result.rows.map(\.outcome) == Array(repeating: "LATE", count: 7))
        #expect(result.credited.allSatisfy(Self.arrivals.contains))
        #expect(result.spread <= 4.5)
    }

    @Test(.proves("8.2"), .enabled(if: Binary.hasTracks, missing))
    func `a killed and restarted server ends with the same result`() async throws {
        let result = try await throughServer(killedAt: " arrived ", count: 2) { now in now }
        #expect(result.rows.map(\.rank) == Array(repeating: 1, count: 7))
        #expect(result.rows.map(\.outcome) == Array(repeating: "LATE", count: 7))
        #expect(result.credited.allSatisfy(Self.arrivals.contains))
        #expect(result.spread <= 4.5)
    }

    @Test(.proves("8.2"), .enabled(if: Binary.hasTracks, missing))
    func `a server that was down when the window ended writes the result when it starts`() async throws {
        // 2019-11-29T18:00:00Z is an hour after the end of settling.
        let after = Date(timeIntervalSince1970: 1_575_050_400)
        let result = try await throughServer(killedAt: " confirmed ", count: 7) { _ in after }
        #expect(result.finalAt == "2019-11-29T16:54:10Z")
        #expect(result.rows.map(\.outcome) == Array(repeating: "LATE", count: 7))
        #expect(result.spread <= 4.5)
    }

    /// Replays through a server process that is killed after `count` lines with a word, and restarted.
    private func throughServer(
        killedAt word: String,
        count: Int,
        restartingAt clock: (Date) -> Date
    ) async throws -> ReplayResult {
        let ride = await Self.road.ride()
        defer { ride.finish() }
        return try await withTemporaryFolder { folder in
            let rate = 600.0
            // 2019-11-29T13:09:10Z is the opening; twelve real seconds before it there is time to set up.
            let start = Date(timeIntervalSince1970: 1_575_032_950 - 12 * rate)
            let begun = Date.now
            var server = try await ServerProcess.start(data: folder, rate: rate, clock: start)
            let replay = try BinaryRun(
                Self.arguments + ["--radius", "100", "--server", "ws://127.0.0.1:\(server.port)/ws"]
            )
            var (matched, confirmed) = (0, 0)
            for await line in replay.errors {
                if line.contains(" confirmed ") { confirmed += 1 }
                if confirmed == Self.riders { ride.finish() }
                guard line.contains(word) else { continue }
                matched += 1
                guard matched == count else { continue }
                server.run.kill()
                _ = await server.run.exitCode()
                let now = start.addingTimeInterval(Date.now.timeIntervalSince(begun) * rate)
                server = try await ServerProcess.start(data: folder, port: server.port, rate: rate, clock: clock(now))
            }
            let output = await replay.wholeOutput()
            try #require(await replay.exitCode() == 0)
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)
            return try JSONDecoder().decode(ReplayResult.self, from: Data(output.joined().utf8))
        }
    }
}

/// Lets one replay at a time ride: two at once would delay each other's reports. The next one rides while the previous
/// one waits for its result.
private actor Road {
    private var last: AsyncStream<Never>?

    /// Waits for the end of the previous rides and begins one, which ends when the continuation is finished.
    func ride() async -> AsyncStream<Never>.Continuation {
        let (end, ride) = AsyncStream.makeStream(of: Never.self)
        let before = last
        last = end
        if let before { for await _ in before {} }
        return ride
    }
}
