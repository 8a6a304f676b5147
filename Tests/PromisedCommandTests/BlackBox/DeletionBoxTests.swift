import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedStore
import PromisedTestMarks
import SwiftProtobuf
import Testing

/// An account whose server, the built binary, dies while it is being deleted.
@Suite("The built binary erases deleted accounts", .tags(.realTime), .timeLimit(.minutes(4)))
struct DeletionBoxTests {
    /// When the server dies, in milliseconds after the reply to the deletion.
    private static let moments = [0, 1, 5, 20, 60, 150, 400]
    private static let password = "correct horse Ada"
    private static let email = "nobody.finds@example.org"
    private static let place = WirePlace.with {
        ($0.name, $0.address) = ("A pier nobody finds", "Street of nobody")
        ($0.latitude, $0.longitude) = (37.556_123_456_789, 126.972_345_678_912)
    }

    /// The bytes that must not be found: texts of promises, visits, courses, files and the account, and the place.
    private static var traces: [Data] {
        let texts = [
            email, place.name, place.address, "A title nobody finds", "A note nobody finds", "A memo nobody finds",
            "A companion nobody finds", "A way nobody finds", "Bytes nobody finds",
        ]
        let numbers = [place.latitude, place.longitude].map { degrees in
            withUnsafeBytes(of: degrees.bitPattern.bigEndian) { Data($0) }
        }
        return texts.map { Data($0.utf8) } + numbers
    }

    @Test(.proves("2.22"), .defends("remains-in-files"))
    func `a server killed during a deletion erases all files within a minute of its start`() async throws {
        try await withTemporaryFolder { folder in
            try await Self.fill(folder + "/made")
            for trace in Self.traces { #expect(try !Self.files(below: folder + "/made", with: [trace]).isEmpty) }
            var unfinished: [Int] = []
            for moment in Self.moments {
                let data = "\(folder)/\(moment)"
                try FileManager.default.copyItem(atPath: folder + "/made", toPath: data)
                try await Self.delete(in: data, killedAfter: .milliseconds(moment))
                if try await Self.isErasing(data) { unfinished.append(moment) }
            }
            // At least once the server died in the middle.
            #expect(unfinished.contains(0), "\(unfinished)")
            try await Self.expectNothing(in: Self.moments.map { "\(folder)/\($0)" })
            for moment in Self.moments {
                let verified = try await BinaryRun(["verify", "--data", "\(folder)/\(moment)"]).wholeOutput()
                #expect(verified == ["no violations"], "killed after \(moment) ms")
            }
        }
    }

    // MARK: - Parts

    private static func start(_ data: String) async throws -> ServerProcess {
        try await ServerProcess.start(data: data, settings: ["limits.request-burst=100000"])
    }

    /// Creates the account and kills the server; the erasure takes more than one transaction.
    private static func fill(_ data: String) async throws {
        let server = try await start(data)
        try await server.withClient { client in
            _ = try await client.signUp(email: email, password: password, nickname: "Ada")
            let now = try await client.hello().serverTime.date
            for number in 0..<8 {
                let request = WireCreatePromise.with {
                    ($0.key, $0.title, $0.note) = ("\(number)", "A title nobody finds", "A note nobody finds")
                    $0.place = place
                    $0.meetsAt = Google_Protobuf_Timestamp(date: now + 7_200 * Double(2 * number + 1))
                }
                _ = try await client.createPromise(request)
            }
            for number in 0..<12 {
                let file = try await Uploader(client: client).upload(way(number), as: .track, key: "way \(number)")
                let made = try await client.importCourse(key: "course \(number)", fileID: file.fileID)
                #expect(made.courses.first?.title.hasPrefix("A way nobody finds") == true)
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in 0..<8 {
                    group.addTask {
                        for number in 0..<200 {
                            let request = WireCreateVisit.with {
                                ($0.key, $0.title) = ("\(part) \(number)", "A title nobody finds")
                                $0.memo = "A memo nobody finds" + String(repeating: ".", count: number)
                                ($0.place, $0.visitedAt) = (place, Google_Protobuf_Timestamp(date: now))
                                $0.companions = [.with { $0.name = "A companion nobody finds" }]
                            }
                            _ = try await client.createVisit(request)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        await kill(server)
    }

    /// A file of a way to the north of 60 points.
    private static func way(_ number: Int) -> Data {
        let begin = Date.now - 86_400
        let points = (0..<60).map { index in
            let latitude = 37.5 + Double(index) * 20 / 111_195
            let time = (begin + Double(5 * index)).formatted(.iso8601)
            return "<trkpt lat=\"\(latitude)\" lon=\"127\"><time>\(time)</time></trkpt>"
        }
        let track = "<name>A way nobody finds</name><desc>Bytes nobody finds \(number)</desc>"
        let gpx = "<trk>\(track)<trkseg>\(points.joined())</trkseg></trk>"
        return Data("<gpx version=\"1.1\" creator=\"test\">\(gpx)</gpx>".utf8)
    }

    private static func delete(in data: String, killedAfter span: Duration) async throws {
        let server = try await start(data)
        try await server.withClient { client in
            _ = try await client.signIn(email: email, password: password)
            _ = try await client.hello()
            try await client.deleteAccount(password: password)
            let death = ContinuousClock.now + span
            if span > .zero { try await ContinuousClock().sleep(until: death) }
            server.run.kill()
        }
        _ = await server.run.exitCode()
    }

    private static func kill(_ server: ServerProcess) async {
        server.run.kill()
        _ = await server.run.exitCode()
    }

    /// Returns `true` if the files of a dead server have an unfinished deletion. Reads a copy.
    private static func isErasing(_ data: String) async throws -> Bool {
        try FileManager.default.copyItem(atPath: data, toPath: data + "-copy")
        let store = try await Store.openExisting(directory: data + "-copy")
        let unfinished = try await store.deletions.unfinishedErasures()
        try await store.close()
        return !unfinished.isEmpty
    }

    /// Starts a server on each folder, and searches the folders until the traces are gone, for at most a minute.
    private static func expectNothing(in folders: [String]) async throws {
        var servers: [ServerProcess] = []
        for folder in folders { servers.append(try await start(folder)) }
        let deadline = ContinuousClock.now + .seconds(60)
        var left = folders
        while !left.isEmpty, ContinuousClock.now < deadline {
            left = try left.filter { folder in try !files(below: folder, with: traces).isEmpty }
            await Task.yield()
        }
        for folder in left {
            #expect(try files(below: folder, with: traces) == [], "\(folder.split(separator: "/").last ?? "")")
        }
        for server in servers {
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)
        }
    }

    /// The files below a folder that have one of these bytes. A server may delete some of them meanwhile.
    private static func files(below folder: String, with traces: [Data]) throws -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        try #require(paths.contains("promised.sqlite"))
        return paths.filter { path in
            guard let content = FileManager.default.contents(atPath: "\(folder)/\(path)") else { return false }
            return traces.contains { content.range(of: $0) != nil }
        }
    }
}
