import Foundation
import PromisedClient
import PromisedConcurrency
import PromisedProtocol
import PromisedWire
import SwiftProtobuf
import Testing

@testable import promisectl

@Suite("A backup under load", .tags(.realTime), .timeLimit(.minutes(3)))
struct BackupStoryTests {
    /// All changes that the server has acknowledged so far.
    private struct Ledger: Sendable {
        var nicknames: Set<String> = []
        var fixes: Set<UInt32> = []
        /// There are no further writers.
        var isClosed = false
    }

    private static let limits = [
        "limits.request-rate=10000", "limits.request-burst=100000", "throttle.sign-ups=100000",
        // Disables the thinning, so that the server stores every acknowledged fix.
        "limits.fix-rate=1000", "limits.fix-burst=100000", "limits.fix-spacing=0s",
    ]

    @Test func `contains every write acknowledged before its start`() async throws {
        let folder = OperatorWorld.temporaryPath()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (copy, restored) = (folder + "/copy", folder + "/restored")
        var before = Ledger()
        var promise = ""
        try await OperatorWorld.with(settings: Self.limits) { world in
            promise = try await openPromise(world)
            before = try await backUp(world, to: copy, while: promise)
            try FileManager.default.copyItem(atPath: world.tokenFile, toPath: folder + "/token")
        }
        for command in [["restore", copy, "--data", restored], ["verify", "--data", restored]] {
            let outcome = await OperatorWorld.outcome(of: try ToolRun(.promised, command))
            #expect(outcome.code == 0, "\(outcome.errors)")
        }
        try await OperatorWorld.with(folder: restored) { world in
            let token = ["--token-file", folder + "/token"]
            let users = try await world.output(of: ["user", "list", "--jsonl"] + token).split(separator: "\n")
            let nicknames = try users.map { try WireAdminUser(jsonString: String($0)).user.nickname }
            #expect(before.nicknames.isSubset(of: nicknames))
            let csv = try await world.output(of: ["promise", "export", promise, "--csv"] + token)
            let fixes = csv.split(whereSeparator: \.isNewline).dropFirst().map {
                UInt32($0.split(separator: ",")[3]) ?? 0
            }
            #expect(before.fixes.isSubset(of: fixes))
        }
    }

    /// A promise whose window has just opened.
    private func openPromise(_ world: OperatorWorld) async throws -> String {
        try await world.makeUser("ada")
        let meets = Date.now.addingTimeInterval(63).formatted(.iso8601)
        let made = try await world.output(of: [
            "promise", "create", "--owner", "ada", "--title", "Lunch", "--at", meets, "--place", "52.52,13.405",
            "--place-name", "Café", "--json",
        ])
        let id = try WirePromiseReply(jsonString: made).promise.promiseID
        let watch = try world.start(["promise", "watch", id])
        for await line in watch.output where line.hasSuffix("tracking started") { watch.signal(SIGTERM) }
        #expect(await watch.exitCode() == 143)
        return id
    }

    /// Makes a backup while people sign up and report.
    ///
    /// - Returns: the changes that had been acknowledged when it began.
    private func backUp(_ world: OperatorWorld, to path: String, while promise: String) async throws -> Ledger {
        let ledger = Guarded(Ledger())
        // The number acknowledged within some seconds.
        let (news, told) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .unbounded)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.signUp(at: world, ledger, told) }
            group.addTask { try await self.report(to: world, promise, ledger, told) }
            for await _ in news where ledger.withLock({ $0.nicknames.count >= 20 && $0.fixes.count >= 100 }) { break }
            let before = ledger.withLock { $0 }
            let made = try await world.output(of: ["backup", path, "--json"])
            #expect(try WireAdminBackup(jsonString: made).bytes > 0)
            let after = ledger.withLock { ledger in
                ledger.isClosed = true
                return ledger
            }
            // A sign-up may take longer than such a small backup, a report does not.
            #expect(after.fixes.count > before.fixes.count)
            try await group.waitForAll()
            return before
        }
    }

    private func signUp(
        at world: OperatorWorld,
        _ ledger: Guarded<Ledger>,
        _ told: AsyncStream<Void>.Continuation
    ) async throws {
        var number = 0
        while !ledger.withLock({ $0.isClosed }) {
            number += 1
            let nickname = "guest\(number)"
            _ = try await world.connected { client in
                try await client.signUp(
                    email: "\(nickname)@example.org",
                    password: "correct horse",
                    nickname: nickname
                )
            }
            ledger.withLock { _ = $0.nicknames.insert(nickname) }
            told.yield()
        }
    }

    private func report(
        to world: OperatorWorld,
        _ promise: String,
        _ ledger: Guarded<Ledger>,
        _ told: AsyncStream<Void>.Continuation
    ) async throws {
        try await world.signedIn(as: "ada") { client in
            var number: UInt32 = 0
            while !ledger.withLock({ $0.isClosed }) {
                number += 1
                let taken = try await client.report(Self.report(number, to: promise)).taken
                ledger.withLock { $0.fixes.formUnion(taken) }
                told.yield()
            }
        }
    }

    /// One fix, a kilometre from the place.
    private static func report(_ number: UInt32, to promise: String) -> WireReport {
        var report = WireReport()
        report.promiseID = promise
        let fix = WireFix.with {
            $0.seq = number
            $0.latitude = 52.53
            $0.longitude = 13.405
            $0.accuracyMetres = 5
        }
        report.fixes = [fix]
        return report
    }
}
