import Crypto
import Foundation
import PromisedClient
import PromisedProtocol
import SwiftProtobuf

/// Bytes that a test uploads.
struct UploadSample {
    var kind: WireFileKind.Value
    var bytes: Data

    /// A picture of 3 × 2 pixels with its position in a text.
    static let picture = UploadSample(kind: .photo, bytes: Data(base64Encoded: base64) ?? Data())
    /// The position as text in the picture.
    static let position = Data("37.566535, 126.977969".utf8)

    private static let base64 = """
        iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAIHRFWHRDb21tZW50AGF0IDM3LjU2NjUzNSwgMTI2Ljk3Nzk2Occxr44AAAAbSU\
        RBVHicYzjBwHDChuFEBZBisDlhY3OiwgYAQbQGzb4MPBEAAAAASUVORK5CYII=
        """

    /// A GPX file with the given number of points, about 40 bytes each.
    static func track(points: Int) -> UploadSample {
        let points = (0..<points).map { "<trkpt lat=\"37.5\($0 + 10_000)\" lon=\"127.0\"/>" }
        let text = "<gpx version=\"1.1\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>"
        return UploadSample(kind: .track, bytes: Data(text.utf8))
    }

    func announcement(key: String = UUID().uuidString) -> WireBeginUpload {
        .with {
            $0.key = key
            $0.kind = kind
            $0.bytes = Double(bytes.count)
            $0.sha256 = SHA256.hash(data: bytes).map { String(format: "%02x", $0) }.joined()
        }
    }
}

extension Person {
    /// Uploads a file as a client does.
    func upload(_ sample: UploadSample, key: String = UUID().uuidString) async throws -> WireStoredFile {
        guard case .upload(var upload) = try await client.call(.beginUpload(sample.announcement(key: key))) else {
            throw ClientError.unexpectedReply
        }
        while !upload.hasFile {
            let rest = sample.bytes.dropFirst(Int(upload.offset)).prefix(Int(upload.chunkBytes))
            upload = try await client.putChunk(uploadID: upload.uploadID, offset: upload.offset, data: Data(rest))
        }
        return upload.file
    }

    /// Reads a complete file in pieces of `limit` bytes.
    func read(_ fileID: String, limit: Int32? = nil) async throws -> Data {
        var data = Data()
        while true {
            let chunk = try await client.readFile(fileID: fileID, offset: Double(data.count), limit: limit)
            data += chunk.data
            if chunk.data.isEmpty || Double(data.count) == chunk.bytes { return data }
        }
    }
}
