import Foundation
import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

@Suite(.timeLimit(.minutes(1))) struct FilePiecesTests {
    private static let bytes = Data((0..<95).map { UInt8($0 * 11 % 251) })

    private var file: WireStoredFile {
        WireStoredFile.with { ($0.fileID, $0.bytes, $0.sha256) = ("f", 95, SHA256.hex(of: Self.bytes)) }
    }

    private func withServer(
        _ faults: [Int: UploadServer.Fault] = [:],
        time: TestTime = TestTime(),
        _ body: @escaping @Sendable (PromisedClient, UploadServer) async throws -> Void
    ) async throws {
        let server = UploadServer(faults: faults)
        server.keep(Self.bytes, as: "f")
        var settings = ClientSettings.test
        settings.callTimeout = .beyondAnyTest
        try await withClient(settings, time: time) { world in
            try await withThrowingTaskGroup { group in
                group.addTask { try await server.run(over: world.links) }
                group.addTask { try await body(world.client, server) }
                try await group.next()
                group.cancelAll()
            }
        }
    }

    @Test(arguments: 0...9, [UploadServer.Fault.losesReply, .losesRequest])
    func `reads the same file over a lost connection`(place: Int, fault: UploadServer.Fault) async throws {
        let file = file
        try await withServer([place: fault]) { client, server in
            let bytes = try await client.read(file)
            #expect(bytes == Self.bytes)
            #expect(server.requests.count == 11)
        }
    }

    @Test func `reading continues after the bytes that the app has`() async throws {
        try await withServer { client, _ in
            var rest = Data()
            for try await piece in client.pieces(of: "f", from: 33) { rest += piece }
            #expect(rest == Self.bytes.dropFirst(33))
        }
    }

    @Test func `retries a busy server at its time`() async throws {
        let time = TestTime()
        let file = file
        try await withServer([4: .refuses(WireErrorReply(.limitRate, retryAfterMs: 3_000))], time: time) { client, _ in
            async let bytes = client.read(file)
            await time.pass(.seconds(3))
            let read = try await bytes
            #expect(read == Self.bytes)
        }
    }

    @Test(arguments: [true, false]) func `rejects bytes of another file`(
        isLonger: Bool
    ) async throws {
        var other = file
        if isLonger { other.bytes = 96 } else { other.sha256 = SHA256.hex(of: []) }
        try await withServer { [other] client, _ in
            await #expect(throws: ClientError.corrupted) { try await client.read(other) }
        }
    }

    @Test func `an unknown file is an error`() async throws {
        try await withServer { client, _ in
            await #expect(throws: ClientError.refused(WireErrorReply(.fileNotFound))) {
                try await client.read(.with { $0.fileID = "g" })
            }
        }
    }

    /// Invalid replies of a server to the request for the second piece.
    private static let wrong: [(WireFileChunk, ClientError)] = [
        (.with { ($0.offset, $0.bytes, $0.data) = (2, 5, Data([3])) }, .corrupted),
        (.with { ($0.offset, $0.bytes, $0.data) = (2, 4, Data([3, 4, 5])) }, .corrupted),
        (.with { ($0.offset, $0.bytes) = (2, 4) }, .corrupted),
        (.with { ($0.offset, $0.bytes, $0.data) = (1, 4, Data([3, 4])) }, .unexpectedReply),
    ]

    @Test(arguments: 0..<4) func `a piece that does not match the first ends the reading`(row: Int) async throws {
        let (chunk, expected) = Self.wrong[row]
        try await withClient { world in
            let link = try await world.links.accept()
            async let reading = outcome { () async throws(ClientError) in
                try await world.client.read(.with { $0.fileID = "f" })
            }
            let first = try await link.receive()
            #expect(!first.readFile.hasLimit)
            try link.reply(to: first, .fileChunk(.with { ($0.bytes, $0.data) = (4, Data([1, 2])) }))
            try link.reply(to: try await link.receive(), .fileChunk(chunk))
            #expect(await reading == .failure(expected))
        }
    }

    // MARK: - Tracks

    @Test func `reads a track page by page, also over a lost connection`() async throws {
        try await withClient { world in
            var link = try await world.links.accept()
            async let points = world.client.readTrack(courseID: "c")
            for page in 0..<3 {
                var frame = try await link.receive()
                if page == 1 {
                    link.end(code: 1_006)
                    link = try await world.links.accept()
                    frame = try await link.receive()
                }
                #expect(frame.getTrack.courseID == "c")
                #expect(frame.getTrack.cursor == (page == 0 ? "" : "p\(page)"))
                let track = WireTrack.with {
                    $0.points = [.with { $0.latitude = Double(page) }]
                    $0.cursor = page == 2 ? "" : "p\(page + 1)"
                }
                try link.reply(to: frame, .track(track))
            }
            #expect(try await points.map(\.latitude) == [0, 1, 2])
        }
    }

    @Test func `a page that refers to itself ends the reading`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            async let reading = outcome { () async throws(ClientError) in
                try await world.client.readTrack(courseID: "c")
            }
            for _ in 1...2 {
                try link.reply(to: try await link.receive(), .track(.with { $0.cursor = "p" }))
            }
            #expect(await reading == .failure(.unexpectedReply))
        }
    }
}
