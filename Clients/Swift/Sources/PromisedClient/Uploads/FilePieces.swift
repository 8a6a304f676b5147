public import PromisedProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The bytes of a file in order, in pieces of at most 131,072 bytes.
///
/// Each piece is requested when it is read, so that positions are not delayed and memory holds one at a time. After a
/// lost connection reading continues at the same byte. It throws ``ClientError``: refused with `file.not-found`, or
/// `corrupted` if the bytes do not have the size or the SHA-256.
public struct FilePieces: AsyncSequence, Sendable {
    let client: PromisedClient
    let fileID: String
    let offset: Int
    let sha256: String?

    /// Reads the pieces.
    public struct Iterator: AsyncIteratorProtocol {
        let file: FilePieces
        /// The size of the whole file; nil before the first piece.
        private var size: Int?
        private var offset: Int
        private var hash: SHA256?

        init(_ file: FilePieces) {
            self.file = file
            offset = file.offset
            hash = file.sha256 == nil || file.offset > 0 ? nil : SHA256()
        }

        /// The next piece; nil after the last.
        public mutating func next() async throws(ClientError) -> Data? { try await next(isolation: nil) }

        /// The next piece; nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> Data? {
            if let size, offset == size { return nil }
            let chunk = try await Self.read(file, from: offset)
            let count = chunk.data.count
            guard let size = Int(exactly: chunk.bytes), self.size ?? size == size, offset + count <= size else {
                throw .corrupted
            }
            // An empty piece before the end would be requested forever.
            guard count > 0 || offset == size else { throw .corrupted }
            self.size = size
            offset += count
            hash?.update(chunk.data)
            if offset == size { try check() }
            return count == 0 ? nil : chunk.data
        }

        private static func read(_ file: FilePieces, from offset: Int) async throws(ClientError) -> WireFileChunk {
            var request = WireReadFile()
            request.fileID = file.fileID
            request.offset = Double(offset)
            guard case .fileChunk(let chunk) = try await file.client.persist(.readFile(request)),
                chunk.offset == request.offset
            else { throw .unexpectedReply }
            return chunk
        }

        private func check() throws(ClientError) {
            guard let hash, let sha256 = file.sha256 else { return }
            if hash.hex() != sha256.lowercased() { throw .corrupted }
        }
    }

    /// Reads from the requested offset.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

/// Readers of files and tracks. Every call throws ``ClientError``.
extension PromisedClient {
    /// The bytes of a file in pieces, for files that exceed the memory, such as an export.
    ///
    /// - Parameters:
    ///   - fileID: the file.
    ///   - offset: less than its size; to continue after the bytes that the app has stored.
    ///   - sha256: the digest of the whole file, to check it; only checked if reading begins at the first byte.
    public nonisolated func pieces(of fileID: String, from offset: Int = 0, sha256: String? = nil) -> FilePieces {
        FilePieces(client: self, fileID: fileID, offset: offset, sha256: sha256)
    }

    /// Reads a whole file, and checks its size and its SHA-256.
    ///
    /// - Parameter file: as a visit, a course or an upload names it.
    /// - Throws: refused with `file.not-found`; `corrupted` if the bytes do not match `file`.
    public nonisolated func read(_ file: WireStoredFile) async throws(ClientError) -> Data {
        var bytes = Data()
        for try await piece in pieces(of: file.fileID, sha256: file.sha256) { bytes += piece }
        guard Double(bytes.count) == file.bytes else { throw .corrupted }
        return bytes
    }

    /// Reads all points of a course, page by page, in the order of the way.
    ///
    /// - Throws: refused with `course.not-found`.
    public nonisolated func readTrack(courseID: String) async throws(ClientError) -> [WireTrackPoint] {
        var request = WireGetTrack()
        request.courseID = courseID
        var points: [WireTrackPoint] = []
        while true {
            guard case .track(let track) = try await persist(.getTrack(request)) else { throw .unexpectedReply }
            points += track.points
            guard !track.cursor.isEmpty else { return points }
            // A cursor without progress would be followed forever.
            guard !request.hasCursor || request.cursor != track.cursor else { throw .unexpectedReply }
            request.cursor = track.cursor
        }
    }
}
