internal import PromisedConcurrency

/// The bytes of an upload or a draft, which are read piece by piece on the caller's thread.
package struct UploadBytes: Sendable {
    /// Fills all of a buffer with the bytes from an offset on; both lie within them.
    package typealias Read =
        @Sendable (
            _ offset: Int,
            _ buffer: UnsafeMutableRawBufferPointer
        ) throws(FileVaultError) -> Void

    /// The number of bytes.
    package let count: Int
    let read: Read

    /// Bytes of a place that is read on demand.
    package init(count: Int, read: @escaping Read) {
        self.count = count
        self.read = read
    }

    /// Bytes in memory.
    package init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { offset, buffer in
            bytes.withUnsafeBytes { buffer.copyBytes(from: $0[offset..<offset + buffer.count]) }
        }
    }

    /// At most `most` bytes from `offset` on.
    func bytes(at offset: Int, most: Int) throws(FileVaultError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(most, count - offset))
        var failure: FileVaultError?
        bytes.withUnsafeMutableBytes { buffer in
            do throws(FileVaultError) { try read(offset, buffer) } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}

/// A file that is being written piece by piece. One that is not kept is gone when nothing refers to it.
package struct FileDraft: Sendable {
    /// Writes bytes at an offset, on the caller's thread.
    package typealias Write = @Sendable (_ bytes: UnsafeRawBufferPointer, _ offset: Int) throws(FileVaultError) -> Void
    /// Makes a file of all that was written; after it has returned, that survives a loss of power.
    package typealias Keep = @Sendable () async throws(FileVaultError) -> Void

    let write: Write
    let keep: Keep
    private let read: UploadBytes.Read

    /// A draft in a place that is written on demand.
    package init(write: @escaping Write, read: @escaping UploadBytes.Read, keep: @escaping Keep) {
        self.write = write
        self.read = read
        self.keep = keep
    }

    /// A draft in memory, written from its start to its end.
    ///
    /// - Parameter keep: gets all bytes once the draft is kept.
    package static func inMemory(
        keep: @escaping @Sendable ([UInt8]) async throws(FileVaultError) -> Void
    ) -> FileDraft {
        let written = Guarded<[UInt8]>([])
        return FileDraft(
            write: { bytes, offset in written.withLock { $0 = Array($0.prefix(offset)) + bytes } },
            read: { offset, buffer throws(FileVaultError) in
                try UploadBytes(written.withLock { $0 }).read(offset, buffer)
            },
            keep: { () async throws(FileVaultError) in try await keep(written.withLock { $0 }) }
        )
    }

    /// The first `count` bytes that were written.
    func bytes(count: Int) -> UploadBytes { UploadBytes(count: count, read: read) }
}
