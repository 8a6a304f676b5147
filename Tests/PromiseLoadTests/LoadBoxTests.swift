import Foundation
import Testing

@testable import promise_load

/// The built binaries, as an operator runs them.
@Suite(.tags(.realTime), .timeLimit(.minutes(2))) struct LoadBoxTests {
    /// The folder of the build products.
    private static let products: URL = {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let promised = folder.appendingPathComponent("promised").path
        guard !FileManager.default.isExecutableFile(atPath: promised) else { return folder }
        var root = URL(fileURLWithPath: #filePath)
        while root.path != "/", !FileManager.default.fileExists(atPath: root.path + "/Package.swift") {
            root.deleteLastPathComponent()
        }
        return root.appendingPathComponent(".build/debug")
    }()

    private func load(_ arguments: String...) async throws -> (status: Int32, output: String) {
        let child = try ChildProcess(Self.products.appendingPathComponent("promise-load").path, arguments)
        var lines: [String] = []
        for await line in child.lines { lines.append(line) }
        return (await child.end(), lines.joined(separator: "\n"))
    }

    private func document(_ output: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    }

    @Test(arguments: ["protobuf", "json"])
    func `twenty phones on their own server find no missing or wrong delivery`(codec: String) async throws {
        let run = try await load(
            "--connections",
            "20",
            "--members",
            "5",
            "--period",
            "1s",
            "--duration",
            "3s",
            "--warm-up",
            "1s",
            "--codec",
            codec,
            "--json",
            "--expect",
            "missing==0",
            "--expect",
            "delivered>=160"
        )
        #expect(run.status == 0)
        let document = try document(run.output)
        #expect(document["connected"] as? Int == 20)
        #expect(document["delivered"] as? Int == document["due"] as? Int)
        #expect(document["violations"] as? Int == 0)
        #expect(document["serverCpuSecondsPerMillionDeliveries"] is NSNumber)
    }

    @Test func `two processes share phones that disconnect, cancel and report at random`() async throws {
        let run = try await load(
            "--connections",
            "24",
            "--members",
            "4",
            "--period",
            "1s",
            "--duration",
            "4s",
            "--warm-up",
            "0s",
            "--phase",
            "random",
            "--processes",
            "2",
            "--cut-percent",
            "100",
            "--cancel-per-minute",
            "15",
            "--json"
        )
        #expect(run.status == 0)
        let document = try document(run.output)
        #expect((document["cuts"] as? Int ?? 0) > 0)
        #expect((document["cancellations"] as? Int ?? 0) > 0)
        #expect(document["errors"] as? Int == 0)
        #expect(document["violations"] as? Int == 0)
    }

    @Test(arguments: ["protobuf", "json"])
    func `background users upload, record and export`(codec: String) async throws {
        // A recording sends its first points within ten seconds, of which five are the warm-up.
        let run = try await load(
            "--connections",
            "10",
            "--members",
            "5",
            "--period",
            "1s",
            "--duration",
            "6s",
            "--warm-up",
            "5s",
            "--uploads",
            "2",
            "--recordings",
            "2",
            "--export",
            "1",
            "--photo-bytes",
            "100000",
            "--codec",
            codec,
            "--json",
            "--expect",
            "photosUploaded>=2",
            "--expect",
            "pointsRecorded>=10",
            "--expect",
            "uploadedBytesPerSecond>=50000",
            // Ten photos of nearly that size, and the rest.
            "--expect",
            "exportBytes>=900000",
            "--expect",
            "exportSeconds<=6"
        )
        #expect(run.status == 0)
        let document = try document(run.output)
        #expect(document["missing"] as? Int == 0)
        #expect(document["errors"] as? Int == 0, "\(document["errorCodes"] ?? "")")
        #expect(document["violations"] as? Int == 0)
    }

    @Test func `a failed expectation sets the exit code`() async throws {
        let run = try await load(
            "--connections",
            "2",
            "--members",
            "2",
            "--duration",
            "1s",
            "--warm-up",
            "0s",
            "--expect",
            "connected>=3"
        )
        #expect(run.status == 1)
        #expect(run.output.contains("2 connections, 2 per promise"))
    }

    @Test(arguments: [
        ("--codec xml", 2), ("--expect missing", 2), ("--tokens t", 2), ("--duration 5", 2),
        ("--uploads=-1", 2), ("--uploads 1001", 2), ("--recordings 10001", 2), ("--export 501", 2),
        ("--export 1 --photo-bytes 2000000", 2), ("--photo-bytes 999", 2), ("--photo-bytes 5242881", 2),
        ("--uploads 1 --connections 25", 2), ("--recordings 1 --relay /nowhere", 2),
        ("--server ws://127.0.0.1:1/ws --tokens /nowhere", 3), ("--relay /nowhere", 3),
    ])
    func `an impossible request has its own exit code`(line: String, status: Int) async throws {
        let words = line.split(separator: " ").map(String.init)
        let child = try ChildProcess(Self.products.appendingPathComponent("promise-load").path, words)
        #expect(await child.end() == Int32(status))
    }
}
