import Foundation
import PromisedClient
import PromisedDomain
import PromisedProtocol

/// A user who uploads photos and keeps them in visits.
///
/// The uploads are not those of `Uploader`, which hashes each photo: all photos here have the same bytes, and the load
/// must cost the machine little.
struct UploadingUser: Sendable {
    /// Photos of a visit.
    static let photosPerVisit = 5
    /// Visits that a user keeps while uploading: with the next photos about 40 MB of 500.
    static let mostVisits = 3
    /// The largest chunk that the protocol allows.
    private static let chunkBytes = 45_000
    /// Between an error and the next attempt.
    private static let patience = Duration.seconds(1)

    private var caller: PacedCaller
    private let place: Coordinate
    private let photo: LoadPhoto
    private let record: BesideRecord
    private let start = WireTimestamp(Date())
    /// Names the present photo; a failed upload is resumed under the same one.
    private var key = UUID().uuidString
    /// Files that no visit has yet.
    private var files: [String] = []
    private var visits: [String] = []

    /// A user with a running client.
    init(_ client: PromisedClient, place: Coordinate, photo: LoadPhoto, record: BesideRecord) {
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

    /// Uploads a photo, and makes a visit of the last ones if they are enough. May be repeated after an error.
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

    /// Makes a visit of the photos that have none.
    ///
    /// - Throws: ``ClientError``.
    mutating func makeVisit() async throws(ClientError) {
        guard let first = files.first else { return }
        var request = WireCreateVisit()
        // Equal in a repeated request, as all else in it.
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
            // Files are deleted with their visit alone.
            try await makeVisit()
            try await deleteVisits(keeping: 0)
        } catch {
            record.fail("upload", error)
        }
    }

    /// Uploads the photo under the present key. Returns its file.
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
