internal import PromisedConcurrency
internal import PromisedJournal

/// The uploads and exports that this server is writing, and the digests of the bytes received so far.
final class OpenUploads: Sendable {
    private struct State {
        var busy: Set<UploadID> = []
        var digests: [UploadID: UploadDigest] = [:]
    }

    /// The most digests in memory, of 200 bytes each; others are recomputed at the end of their uploads.
    private static let mostDigests = 4_096

    private let state = Guarded(State())

    /// Reserves an upload for one writer, so that two connections cannot write to it at once. Returns `false` if it is
    /// reserved; ends with ``leave(_:)``.
    func enter(_ id: UploadID) -> Bool { state.withLock { $0.busy.insert(id).inserted } }

    func leave(_ id: UploadID) { state.withLock { _ = $0.busy.remove(id) } }

    func isBusy(_ id: UploadID) -> Bool { state.withLock { $0.busy.contains(id) } }

    /// The digest of the chunks received since the start of the server.
    func digest(of id: UploadID) -> UploadDigest? { state.withLock { $0.digests[id] } }

    /// The digest including a chunk, which is cached; nil if the cached digest lacks bytes before the chunk.
    func takeDigest(of id: UploadID, adding bytes: [UInt8], at offset: Int64) -> UploadDigest? {
        let known = state.withLock { state in
            let known = state.digests.removeValue(forKey: id)
            return offset == 0 ? UploadDigest() : known
        }
        guard var digest = known, digest.count == offset else { return nil }
        digest.add(bytes)
        state.withLock { [digest] state in
            if state.digests.count >= Self.mostDigests { state.digests.remove(at: state.digests.startIndex) }
            state.digests[id] = digest
        }
        return digest
    }

    func forgetDigest(of id: UploadID) { state.withLock { $0.digests[id] = nil } }
}
