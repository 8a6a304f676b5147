internal import Foundation
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedProtocol
internal import PromisedWire

/// The requests about files (docs/courses.md#files).
struct FileRequests: Sendable {
    let files: Files

    func begin(_ request: WireBeginUpload, from caller: Caller) async throws -> Answer<WireContent> {
        let upload = try await files.uploads.begin(try Upload.Announcement(request), of: caller.userID)
        return .reply(.upload(WireUpload(upload.upload, file: upload.file)))
    }

    func put(_ request: WirePutChunk, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try UploadID(wire: request.uploadID, field: "uploadId")
        let offset = try offset(request.offset)
        guard (1...Upload.chunkBytes).contains(request.data.count) else {
            throw RequestError(.requestInvalid, field: "data")
        }
        let upload = try await files.uploads.put([UInt8](request.data), at: offset, into: id, of: caller.userID)
        return .reply(.upload(WireUpload(upload.upload, file: upload.file)))
    }

    func read(_ request: WireReadFile, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try FileID(wire: request.fileID, field: "fileId")
        let offset = try offset(request.offset)
        let limit = request.hasLimit ? Int(request.limit) : StoredFile.mostRead
        guard limit > 0 else { throw RequestError(.requestInvalid, field: "limit") }
        let (file, bytes) = try await files.read(id, from: offset, limit: limit, by: caller.userID)
        return .reply(.fileChunk(WireFileChunk(Data(bytes), of: file, at: offset)))
    }

    private func offset(_ offset: Double) throws(RequestError) -> Int64 {
        guard offset >= 0, let offset = Int64(exactly: offset) else {
            throw RequestError(.requestInvalid, field: "offset")
        }
        return offset
    }
}
