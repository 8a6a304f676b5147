import Foundation
import Logging
import PromisedClient
import PromisedClientTesting
import PromisedConcurrency
import PromisedDomain
import PromisedProtocol
import Testing

@testable import promise_load

@Suite(.tags(.realTime), .timeLimit(.minutes(1))) struct BackgroundUsersTests {
    private static let place = Coordinate(latitude: 37.5, longitude: 127)

    /// Runs a test with a client of a scripted server.
    private func withClient<Value: Sendable>(
        of server: MemoryTransport,
        _ body: (PromisedClient) async throws -> Value
    ) async throws -> Value {
        let address = ServerAddress(host: "127.0.0.1", port: 1)
        let settings = ClientSettings(address: address, codec: .protobuf)
        let client = PromisedClient(settings: settings, transport: server, log: Logger(label: "test"))
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await client.run() }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(client))
            } catch {
                result = .failure(error)
            }
            await client.close()
            return try result.get()
        }
    }

    private func user(_ client: PromisedClient, _ record: BackgroundRecord, bytes: Int) -> UploadingUser {
        UploadingUser(client, place: Self.place, photo: LoadPhoto(count: bytes), record: record)
    }

    // MARK: - Uploads

    @Test func `uploads a photo in chunks and makes a visit of each five`() async throws {
        let shelf = PhotoShelf()
        let start = LoadTime.now
        let record = BackgroundRecord(measured: start..<start + .seconds(60))
        try await withClient(of: shelf.server) { client in
            var user = user(client, record, bytes: 100_000)
            for _ in 0..<6 { try await user.add() }
            #expect(shelf.state.withLock { $0.visits.map(\.count) } == [5])
            try await user.makeVisit()
            try await user.makeVisit()
        }
        let state = shelf.state.withLock { $0 }
        #expect(state.visits.map(\.count) == [5, 1])
        #expect(state.offsets == Array(repeating: [0, 45_000, 90_000], count: 6).flatMap { $0 })
        #expect(Set(state.keys).count == 6)
        #expect(state.sizes == Array(repeating: 100_000, count: 6))
        #expect(record.counts.photos == 6 && record.counts.uploadedBytes == 600_000)
    }

    @Test func `continues a photo at the server's offset after a rejected chunk`() async throws {
        let shelf = PhotoShelf(refusedChunk: 2)
        let start = LoadTime.now
        let record = BackgroundRecord(measured: start..<start)
        try await withClient(of: shelf.server) { client in
            var user = user(client, record, bytes: 100_000)
            await #expect(throws: ClientError.self) { try await user.add() }
            try await user.add()
            try await user.makeVisit()
        }
        let state = shelf.state.withLock { $0 }
        #expect(state.keys.count == 2 && Set(state.keys).count == 1)
        #expect(state.offsets == [0, 45_000, 90_000])
        #expect(state.visits.map(\.count) == [1])
    }

    @Test func `deletes the oldest visits at the limit, and all at the end`() async throws {
        let shelf = PhotoShelf()
        let start = LoadTime.now
        let record = BackgroundRecord(measured: start..<start + .seconds(60))
        try await withClient(of: shelf.server) { client in
            var user = user(client, record, bytes: 1_000)
            for _ in 0..<26 {
                try await user.add()
                try await user.deleteVisits(keeping: UploadingUser.mostVisits)
            }
            #expect(shelf.state.withLock { $0.deleted } == [0, 1])
            // Its time is over.
            await user.work(until: start)
        }
        let state = shelf.state.withLock { $0 }
        #expect(state.visits.map(\.count) == [5, 5, 5, 5, 5, 1])
        #expect(state.mostVisits == 4)
        #expect(state.deleted == Array(0..<6))
        #expect(LoadTime.now - start >= PacedCaller.spacing * (state.requests - 1))
        #expect(record.counts.errors == [:])
    }

    @Test func `a user works until the end, despite errors`() async throws {
        let shelf = PhotoShelf(refusedChunk: 1)
        let end = LoadTime.now + .seconds(5)
        let record = BackgroundRecord(measured: .now..<end)
        try await withClient(of: shelf.server) { client in
            var user = user(client, record, bytes: 1_000)
            await user.work(until: end)
        }
        let state = shelf.state.withLock { $0 }
        #expect(LoadTime.now >= end)
        #expect(record.counts.errors == ["upload.server.unavailable": 1])
        #expect(!state.visits.isEmpty && state.deleted == Array(state.visits.indices))
    }

    // MARK: - The export

    @Test func `polls an export until it is complete`() async throws {
        let asked = Guarded(0)
        let server = MemoryTransport { request in
            guard case .exportMyData = request else { return MemoryTransport.usualAnswer(to: request) }
            let count = asked.withLock { count in
                count += 1
                return count
            }
            var export = WireExport()
            export.state = count < 3 ? .working : .ready
            if count == 3 { export.file.bytes = 524_000_000 }
            return .export(export)
        }
        let start = LoadTime.now
        let record = BackgroundRecord(measured: start..<start + .seconds(30))
        try await withClient(of: server) { client in
            await ExportingUser(client, record: record).work(in: start..<start + .seconds(30))
        }
        let counts = record.counts
        #expect(asked.withLock { $0 } == 3)
        #expect(counts.exportBytes == 524_000_000 && counts.errors == [:])
        #expect((0.5...10).contains(try #require(counts.exportSeconds)))
    }

    @Test(arguments: [(WireExportState.Value.working, "unfinished"), (.tooEarly, "too-early")])
    func `reports an export that is not complete in time as an error`(
        state: WireExportState.Value,
        code: String
    ) async throws {
        let server = MemoryTransport { request in
            guard case .exportMyData = request else { return MemoryTransport.usualAnswer(to: request) }
            var export = WireExport()
            export.state = state
            return .export(export)
        }
        let start = LoadTime.now
        let record = BackgroundRecord(measured: start..<start + .seconds(1))
        try await withClient(of: server) { client in
            await ExportingUser(client, record: record).work(in: start..<start + .seconds(1))
        }
        #expect(record.counts.errors == ["export.\(code)": 1])
        #expect(record.counts.exportSeconds == nil)
    }

    // MARK: - Recordings

    @Test func `a recorded way has a point a second, numbered across all batches`() async throws {
        let start = LoadTime.now
        let record = BackgroundRecord(measured: start..<start)
        let points = try await withClient(of: MemoryTransport()) { client in
            let user = RecordingUser(client, place: Self.place, record: record)
            return (1...12).flatMap { user.points(of: $0, until: start + .seconds(5 * $0)) }
        }
        #expect(points.map(\.seq) == Array(1...60))
        for (point, next) in zip(points, points.dropFirst()) {
            #expect(abs(next.uptimeMs - point.uptimeMs - 1_000) < 0.01)
            let way = Coordinate(latitude: point.latitude, longitude: point.longitude)
                .distanceMetres(to: Coordinate(latitude: next.latitude, longitude: next.longitude))
            #expect(abs(way - 1.4) < 0.02)
        }
        #expect(abs((points.last?.uptimeMs ?? 0) - Double((start + .seconds(60)).microseconds) / 1_000) < 0.01)
    }
}

/// A server in memory that accepts photos and visits.
private final class PhotoShelf: Sendable {
    struct State: Sendable {
        /// The chunk to reject, from 1; nil for none.
        var refusedChunk: Int?
        var requests = 0
        /// The keys and sizes of the announced photos, and the offsets of the accepted chunks, in order.
        var keys: [String] = []
        var sizes: [Int] = []
        var offsets: [Int] = []
        /// The received bytes of the current photo.
        var taken = 0
        /// The files of each visit, in order, and the numbers of the deleted ones.
        var visits: [[String]] = []
        var deleted: [Int] = []
        var mostVisits = 0
    }

    let state: Guarded<State>
    let server: MemoryTransport

    init(refusedChunk: Int? = nil) {
        let state = Guarded(State(refusedChunk: refusedChunk))
        self.state = state
        server = MemoryTransport { request in state.withLock { $0.answer(to: request) } }
    }
}

extension PhotoShelf.State {
    mutating func answer(to request: WireRequest) -> WireContent? {
        requests += 1
        switch request {
        case .beginUpload(let begin):
            if keys.last != begin.key { taken = 0 }
            keys.append(begin.key)
            sizes.append(Int(begin.bytes))
            return .upload(upload)
        case .putChunk(let chunk): return take(chunk)
        case .createVisit(let visit):
            visits.append(visit.photos.map(\.fileID))
            mostVisits = max(mostVisits, visits.count - deleted.count)
            var reply = WireVisit()
            reply.visitID = "\(visits.count - 1)"
            return .visit(reply)
        case .deleteVisit(let delete):
            deleted.append(Int(delete.visitID) ?? -1)
            return .done(WireDone())
        default: return MemoryTransport.usualAnswer(to: request)
        }
    }

    private mutating func take(_ chunk: WirePutChunk) -> WireContent {
        if offsets.count + 1 == refusedChunk {
            refusedChunk = nil
            var refusal = WireErrorReply()
            refusal.code = "server.unavailable"
            return .error(refusal)
        }
        offsets.append(Int(chunk.offset))
        taken += chunk.data.count
        return .upload(upload)
    }

    /// The current upload, with its file if all bytes have arrived.
    private var upload: WireUpload {
        var reply = WireUpload()
        reply.uploadID = "upload"
        reply.offset = Double(taken)
        if taken == sizes.last { reply.file.fileID = keys.last ?? "" }
        return reply
    }
}
