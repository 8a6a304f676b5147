import Foundation
import PromisedClient
import PromisedProtocol
import PromisedTestMarks
import SwiftProtobuf
import Testing

/// A server with a full disk, on a separate small file system.
@Suite("A full disk", .tags(.realTime), .timeLimit(.minutes(3)))
struct FullDiskStoryTests {
    private static let mount = OperatorWorld.temporaryPath()
    private static let disk = Sandbox.disk(at: mount, megabytes: 24)
    private static let isPermitted: Bool = {
        // Created here, because the suite's trait is evaluated before any test runs; the tests remove it.
        try? FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
        return disk.isPermitted
    }()
    private static let rows = 8_000
    /// The free bytes that imports must leave.
    private static let kept = 8 << 20

    @Test(.proves("12.5"), .enabled(if: isPermitted, "this machine does not permit a file system in a namespace"))
    func `rejects only imports, with a clear message, until there is space`() async throws {
        let csv = FileManager.default.temporaryDirectory.appending(path: "promised-\(UUID().uuidString).csv")
        defer {
            // Temporary files: the system removes what stays here.
            try? FileManager.default.removeItem(at: csv)
            try? FileManager.default.removeItem(atPath: Self.mount)
        }
        try Data(Self.places(500).utf8).write(to: csv)
        let source = ["--source", "town", "--category", "park", "--time-zone", "Asia/Seoul"]
        let columns = ["name", "latitude", "longitude", "address"].flatMap { ["--map", "\($0)=\($0)"] }
        let order = ["place", "import", csv.path] + source + columns
        let limits = [
            "limits.request-rate=10000", "limits.request-burst=100000", "files.keep-free=\(Self.kept)",
        ]
        try await OperatorWorld.with(folder: Self.mount + "/data", settings: limits, in: Self.disk) { world in
            try await world.makeUser("ada")
            try await world.output(of: order)
            try Data(Self.places(Self.rows).utf8).write(to: csv)
            let filler = world.folder + "/../filler"
            try Data(count: 18 << 20).write(to: URL(filePath: filler))

            let refused = try await world.run(order)
            #expect(refused.code == 1 && refused.errors.contains("The disk of the server is nearly full"))
            // The earlier places exist, and a search finds them once the index is built.
            let list = ["place", "list", "--limit", "1"]
            while try await !world.output(of: list).contains("Place") { await Task.yield() }
            try await world.meetAlone(as: "ada")
            #expect(try await world.run(order).code == 1)
            try await world.makeUser("bea")

            try FileManager.default.removeItem(atPath: filler)
            let report = try await world.output(of: order)
            #expect(report.contains("refused:    0"), "\(report)")
            #expect(try await world.output(of: ["place", "source", "list"]).contains("\(Self.rows)"))
            #expect(try await world.run(["verify"]).code == 0)
        }
    }

    private static func places(_ count: Int) -> String {
        "name,latitude,longitude,address\n"
            + (0..<count).map { number in
                let (latitude, longitude) = (37 + Double(number % 1_000) / 1_000, 127 + Double(number / 1_000) / 1_000)
                return "Place number \(number) of the town,\(latitude),\(longitude),A road in the middle of the town\n"
            }.joined()
    }
}

extension OperatorWorld {
    /// A user creates a promise, reports a position in its open window, and reads; the position is stored.
    fileprivate func meetAlone(as nickname: String) async throws {
        let id = try await signedIn(as: nickname) { client in
            _ = try await client.hello()
            var request = WireCreatePromise()
            (request.key, request.title, request.place.name) = ("1", "Walk", "The pier")
            (request.place.latitude, request.place.longitude) = (37.5, 127)
            // The window opens a minute before, and a promise needs as much notice.
            request.meetsAt = Google_Protobuf_Timestamp(date: .now + 72)
            let id = try await client.createPromise(request).promise.promiseID
            _ = try await client.subscribe(promiseID: id)
            for await notice in client.notices {
                if case .event(let event) = notice, case .trackingStarted = event.what { break }
            }
            var report = WireReport()
            let fix = WireFix.with {
                ($0.seq, $0.latitude, $0.longitude, $0.accuracyMetres) = (1, 37.5012, 127, 5)
            }
            report.fixes = [fix]
            #expect(try await client.report(report).taken == [1])
            #expect(try await client.getPromise(id).title == "Walk")
            return id
        }
        // Positions are written some seconds later.
        while try await !output(of: ["promise", "export", id, "--csv"]).contains("37.5012") { await Task.yield() }
    }
}
