import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol

/// A user who uploads photos and adds them to visits.
///
/// Does not use `Uploader`, which hashes each photo: all photos here have the same bytes, and the load generator must
/// be cheap.
struct UploadingUser: Sendable {
    /// The number of photos per visit.
    static let photosPerVisit = 5
    /// The number of visits that a user keeps while uploading: including the next photos, about 40 MB of 500.
    static let mostVisits = 3
    /// The largest chunk that the protocol allows.
    private static let chunkBytes = 45_000
    /// The pause after an error before the next attempt.
    private static let patience = Duration.seconds(1)

    private var caller: PacedCaller
    private let place: Coordinate
    private let photo: LoadPhoto
    private let record: BackgroundRecord
    private let start = WireTimestamp(Date())
    /// The key of the current photo, by which a failed upload is resumed.
    private var key = UUID().uuidString
    /// Files without a visit.
    private var files: [String] = []
    private var visits: [String] = []

    init(_ client: PromisedClient, place: Coordinate, photo: LoadPhoto, record: BackgroundRecord) {
        caller = PacedCaller(client)
        self.place = place
        self.photo = photo
        self.record = record
    }

    /// Uploads until a moment, and deletes all photos at the end.
    mutating func work(until end: LoadTime) async {
        while LoadTime.now < end, !Task.isCancelled {
            do throws(ClientError) {
                try await add()
                try await deleteVisits(keeping: Self.mostVisits)
            } catch {
                record.fail("upload", error)
                // Cancelled: the loop ends.
                try? await LoadTime.sleep(until: .now + Self.patience)
            }
        }
        await clear()
    }

    /// Uploads a photo, and creates a visit once there are enough photos. May be repeated after an error.
    ///
    /// - Throws: ``ClientError``.
    mutating func add() async throws(ClientError) {
        if files.count < Self.photosPerVisit {
            files.append(try await upload())
            key = UUID().uuidString
            record.note { $0.photos += 1 }
        }
        if files.count >= Self.photosPerVisit { try await makeVisit() }
    }

    /// Creates a visit with the photos that have none.
    ///
    /// - Throws: ``ClientError``.
    mutating func makeVisit() async throws(ClientError) {
        guard let first = files.first else { return }
        var request = WireCreateVisit()
        // Equal in a repeated request, like all other fields.
        request.key = first
        request.place.name = "Load"
        request.place.latitude = place.latitude
        request.place.longitude = place.longitude
        request.visitedAt = start
        request.photos = files.map { file in
            var choice = WirePhotoChoice()
            choice.fileID = file
            return choice
        }
        guard case .visit(let visit) = try await caller.call(.createVisit(request)) else { throw .unexpectedReply }
        visits.append(visit.visitID)
        files = []
    }

    /// Deletes the oldest visits with their photos.
    ///
    /// - Throws: ``ClientError``.
    mutating func deleteVisits(keeping most: Int) async throws(ClientError) {
        while visits.count > most {
            var request = WireDeleteVisit()
            request.visitID = visits.removeFirst()
            guard case .done = try await caller.call(.deleteVisit(request)) else { throw .unexpectedReply }
        }
    }

    // MARK: - Internals

    /// Deletes all photos, so that the user can upload again in another run.
    private mutating func clear() async {
        do throws(ClientError) {
            // Files are deleted only with their visit.
            try await makeVisit()
            try await deleteVisits(keeping: 0)
        } catch {
            record.fail("upload", error)
        }
    }

    /// Uploads the photo under the current key. Returns its file.
    private mutating func upload() async throws(ClientError) -> String {
        var begin = WireBeginUpload()
        begin.key = key
        begin.kind = .photo
        begin.bytes = Double(photo.bytes.count)
        begin.sha256 = photo.sha256
        var upload = try await reply(to: .beginUpload(begin))
        while !upload.hasFile {
            guard let offset = Int(exactly: upload.offset), photo.bytes.indices.contains(offset) else {
                throw .unexpectedReply
            }
            var put = WirePutChunk()
            put.uploadID = upload.uploadID
            put.offset = upload.offset
            put.data = photo.bytes[offset..<min(offset + Self.chunkBytes, photo.bytes.count)]
            let count = put.data.count
            upload = try await reply(to: .putChunk(put))
            record.note { $0.uploadedBytes += count }
        }
        return upload.file.fileID
    }

    private mutating func reply(to request: WireRequest) async throws(ClientError) -> WireUpload {
        guard case .upload(let upload) = try await caller.call(request) else { throw .unexpectedReply }
        return upload
    }
}
