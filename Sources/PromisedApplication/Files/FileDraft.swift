internal import PromisedConcurrency

/// The bytes of an upload or a draft, read piece by piece on the caller's thread.
package struct UploadBytes: Sendable {
    /// Fills a whole buffer with the bytes from an offset on, all of which must exist.
    package typealias Read =
        @Sendable (
            _ offset: Int,
            _ buffer: UnsafeMutableRawBufferPointer
        ) throws(FileStorageError) -> Void

    package let count: Int
    let read: Read

    /// Bytes that are read on demand.
    package init(count: Int, read: @escaping Read) {
        self.count = count
        self.read = read
    }

    package init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { offset, buffer in
            bytes.withUnsafeBytes { buffer.copyBytes(from: $0[offset..<offset + buffer.count]) }
        }
    }

    /// At most `most` bytes starting at `offset`.
    func bytes(at offset: Int, most: Int) throws(FileStorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(most, count - offset))
        var failure: FileStorageError?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(FileStorageError) { try read(offset, buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// A file that is written piece by piece. Unless it is kept, it is deleted once it is no longer referenced.
package struct FileDraft: Sendable {
    /// Writes bytes at an offset, on the caller's thread.
    package typealias Write =
        @Sendable (_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws(FileStorageError) -> Void
    /// Turns the written bytes into a file, which survives a power failure once the call returns.
    package typealias Keep = @Sendable () async throws(FileStorageError) -> Void

    let write: Write
    let keep: Keep
    private let read: UploadBytes.Read

    /// A draft with custom storage.
    package init(write: @escaping Write, read: @escaping UploadBytes.Read, keep: @escaping Keep) {
        self.write = write
        self.read = read
        self.keep = keep
    }

    /// A draft in memory, written sequentially.
    ///
    /// - Parameter keep: called with all bytes when the draft is kept.
    package static func inMemory(
        keep: @escaping @Sendable ([UInt8]) async throws(FileStorageError) -> Void
    ) -> FileDraft {
        let written = Guarded<[UInt8]>([])
        return FileDraft(
            write: { bytes, offset in written.withLock { $0 = Array($0.prefix(offset)) + bytes } },
            read: { offset, buffer throws(FileStorageError) in
                try UploadBytes(written.withLock { $0 }).read(offset, buffer)
            },
            keep: { () async throws(FileStorageError) in try await keep(written.withLock { $0 }) }
        )
    }

    /// The first `count` written bytes.
    func bytes(count: Int) -> UploadBytes { UploadBytes(count: count, read: read) }
}
