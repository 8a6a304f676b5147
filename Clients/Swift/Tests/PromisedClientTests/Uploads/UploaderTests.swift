import Foundation
import PromisedConcurrency
import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import PromisedClient

@Suite(.timeLimit(.minutes(1))) struct UploaderTests {
    /// Ten chunks of the server's size, the last one shorter.
    private static let bytes = Data((0..<95).map { UInt8($0 * 7 % 251) })

    /// Runs a test with a client of a server; the clock does not run.
    private func withServer(
        _ server: UploadServer,
        time: TestTime = TestTime(),
        _ body: @escaping @Sendable (Uploader, ClientWorld) async throws -> Void
    ) async throws {
        var settings = ClientSettings.test
        settings.callTimeout = .beyondAnyTest
        try await withClient(settings, time: time) { world in
            try await withThrowingTaskGroup { group in
                group.addTask { try await server.run(over: world.links) }
                group.addTask { try await body(Uploader(client: world.client), world) }
                // The server serves until the test is over.
                try await group.next()
                group.cancelAll()
            }
        }
    }

    // MARK: - Cuts

    @Test(arguments: 0...10, [UploadServer.Fault.losesReply, .losesRequest])
    func `resumes an upload cut at any request at the server's offset`(
        place: Int,
        fault: UploadServer.Fault
    ) async throws {
        let server = UploadServer(faults: [place: fault])
        let told = Guarded<[Int]>([])
        try await withServer(server) { uploader, _ in
            let file = try await uploader.upload(Self.bytes, as: .photo, key: "k") { progress in
                #expect(progress.size == 95)
                told.withLock { $0.append(progress.sent) }
            }
            #expect(file.fileID == "file-k")
        }
        #expect(server.bytes(of: "k") == Self.bytes)
        // A lost request is repeated, and each byte is accepted once.
        #expect(server.requests.count <= 13)
        #expect(server.offsets.max() == 90)
        let progress = told.withLock { $0 }
        #expect(progress == progress.sorted() && Set(progress).count == progress.count && progress.last == 95)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `the bytes arrive once and in order, however often the connection is lost`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var faults: [Int: UploadServer.Fault] = [:]
        for place in 0..<60 where Int.random(in: 0..<3, using: &generator) == 0 {
            faults[place] = Bool.random(using: &generator) ? .losesReply : .losesRequest
        }
        let server = UploadServer(faults: faults)
        try await withServer(server) { uploader, _ in
            _ = try await uploader.upload(Self.bytes, as: .track, key: "k")
        }
        #expect(server.bytes(of: "k") == Self.bytes, "seed \(seed)")
        let keys = server.requests.compactMap { request in
            if case .beginUpload(let begin) = request { begin.key } else { nil }
        }
        #expect(Set(keys) == ["k"], "seed \(seed)")
    }

    @Test func `after a restart of the app the same key resumes at the server's offset`() async throws {
        let full = WireErrorReply(.fileQuota)
        let server = UploadServer(faults: [5: .refuses(full)])
        try await withServer(server) { uploader, _ in
            await #expect(throws: ClientError.refused(full)) {
                try await uploader.upload(Self.bytes, as: .photo, key: "k")
            }
        }
        #expect(server.offsets == [0, 10, 20, 30, 40])
        try await withServer(server) { uploader, _ in
            _ = try await uploader.upload(Self.bytes, as: .photo, key: "k")
        }
        #expect(server.offsets.dropFirst(5) == [40, 50, 60, 70, 80, 90])
        #expect(server.bytes(of: "k") == Self.bytes)
    }

    @Test func `returns the file of a complete upload without sending a chunk`() async throws {
        let server = UploadServer()
        for _ in 1...2 {
            try await withServer(server) { uploader, _ in
                let file = try await uploader.upload(Self.bytes, as: .photo, key: "k")
                #expect(file.fileID == "file-k")
            }
        }
        #expect(server.offsets.count == 10)
    }

    @Test func `a chunk waits for the reply to the previous one`() async throws {
        try await withClient { world in
            let link = try await world.links.accept()
            async let file = Uploader(client: world.client).upload(Self.bytes, as: .photo, key: "k")
            let upload = WireUpload.with { ($0.uploadID, $0.chunkBytes) = ("u", 50) }
            let begin = try await link.receive()
            #expect(begin.beginUpload.bytes == 95 && begin.beginUpload.kind == .photo)
            #expect(begin.beginUpload.sha256 == SHA256.hex(of: Self.bytes))
            try link.reply(to: begin, .upload(upload))
            let first = try await link.receive()
            #expect(first.putChunk.data == Self.bytes.prefix(50))
            // Another request overtakes the second chunk.
            async let clock = world.client.syncClock()
            let sync = try await link.receive()
            guard case .syncClock? = sync.request else { throw MemoryLink.Unexpected(frame: sync) }
            try link.reply(to: sync, .clock(WireClock()))
            _ = try await clock
            var next = upload
            next.offset = 50
            try link.reply(to: first, .upload(next))
            let second = try await link.receive()
            #expect(second.putChunk.offset == 50 && second.putChunk.data == Self.bytes.dropFirst(50))
            next.file.fileID = "f"
            try link.reply(to: second, .upload(next))
            #expect(try await file.fileID == "f")
        }
    }

    // MARK: - Refusals

    @Test(arguments: 1...10) func `sends damaged bytes a second time`(place: Int) async throws {
        let server = UploadServer(faults: [place: .damages])
        try await withServer(server) { uploader, _ in
            _ = try await uploader.upload(Self.bytes, as: .photo, key: "k")
        }
        #expect(server.bytes(of: "k") == Self.bytes)
        #expect(server.offsets.filter { $0 == 0 }.count == 2)
    }

    @Test func `does not send bytes damaged twice a third time`() async throws {
        let server = UploadServer(faults: [3: .damages, 14: .damages])
        try await withServer(server) { uploader, _ in
            await #expect(throws: ClientError.refused(WireErrorReply(.fileMismatch))) {
                try await uploader.upload(Self.bytes, as: .photo, key: "k")
            }
        }
        #expect(server.offsets.filter { $0 == 0 }.count == 2)
    }

    @Test(arguments: 0...10, [ErrorCode.limitRate, .serverUnavailable, .fileLimit])
    func `retries a busy server at its time`(place: Int, code: ErrorCode) async throws {
        let server = UploadServer(faults: [place: .refuses(WireErrorReply(code, retryAfterMs: 7_000))])
        let time = TestTime()
        try await withServer(server, time: time) { uploader, _ in
            async let file = uploader.upload(Self.bytes, as: .photo, key: "k")
            await time.pass(.seconds(7))
            _ = try await file
        }
        #expect(server.requests.count == 12)
        #expect(server.bytes(of: "k") == Self.bytes)
    }

    @Test(arguments: [0, 1, 10], [ErrorCode.fileQuota, .fileTooLarge, .fileUnsupported, .requestKeyReused])
    func `a permanent refusal ends the upload`(place: Int, code: ErrorCode) async throws {
        let server = UploadServer(faults: [place: .refuses(WireErrorReply(code))])
        try await withServer(server) { uploader, _ in
            await #expect(throws: ClientError.refused(WireErrorReply(code))) {
                try await uploader.upload(Self.bytes, as: .photo, key: "k")
            }
        }
        #expect(server.requests.count == place + 1)
    }

    @Test(arguments: [WireErrorReply(.requestInvalid, field: "offset"), WireErrorReply(.fileNotFound)])
    func `asks for a stale offset again, up to a limit`(error: WireErrorReply) async throws {
        let once = UploadServer(faults: [4: .refuses(error)])
        try await withServer(once) { uploader, _ in
            _ = try await uploader.upload(Self.bytes, as: .photo, key: "k")
        }
        #expect(once.bytes(of: "k") == Self.bytes && once.requests.count == 13)
        let faults = (2..<40).filter { $0.isMultiple(of: 2) }.map { ($0, UploadServer.Fault.refuses(error)) }
        let stubborn = UploadServer(faults: Dictionary(uniqueKeysWithValues: faults))
        try await withServer(stubborn) { uploader, _ in
            await #expect(throws: ClientError.refused(error)) {
                try await uploader.upload(Self.bytes, as: .photo, key: "k")
            }
        }
    }

    @Test func `restarts an upload that has expired on the server`() async throws {
        let server = UploadServer(faults: [5: .refuses(WireErrorReply(.fileQuota))])
        try await withServer(server) { uploader, _ in
            _ = await outcome { () async throws(ClientError) in
                try await uploader.upload(Self.bytes, as: .photo, key: "k")
            }
            server.forget("k")
            _ = try await uploader.upload(Self.bytes, as: .photo, key: "k")
        }
        #expect(server.bytes(of: "k") == Self.bytes)
    }

    @Test func `a cancelled task ends the upload, also while it waits`() async throws {
        let server = UploadServer(faults: [3: .refuses(WireErrorReply(.limitRate, retryAfterMs: 9_000))])
        let time = TestTime()
        try await withServer(server, time: time) { uploader, _ in
            let task = Task { () async throws(ClientError) in
                try await uploader.upload(Self.bytes, as: .photo, key: "k")
            }
            await time.sleeper(for: .seconds(9))
            task.cancel()
            let result = await task.result
            #expect(throws: ClientError.cancelled) { try result.get() }
        }
    }
}
