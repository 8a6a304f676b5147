public import PromisedProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Uploads photos and tracks in chunks, and resumes where the server stopped.
///
/// ```swift
/// let file = try await Uploader(client: client).upload(jpeg, as: .photo, key: key)
/// ```
/// One chunk is in transit at a time, so that positions are not delayed. Scale photos down before: the server stores
/// them as they are, without their metadata, and makes no thumbnails.
public struct Uploader: Sendable {
    /// The progress of an upload.
    public struct Progress: Hashable, Sendable {
        /// The number of bytes that the server has.
        public let sent: Int
        /// The size in bytes.
        public let size: Int
    }

    private let client: PromisedClient

    /// Creates an uploader over a running client.
    public init(client: PromisedClient) { self.client = client }

    /// Uploads a file. Returns it as the server stores it.
    ///
    /// While offline it waits for the connection, and when the server is busy (`limit.rate`) for the requested time;
    /// until the task is cancelled. Bytes that were damaged in transit (`file.mismatch`) are sent a second time.
    ///
    /// - Parameters:
    ///   - bytes: at most 5 MiB for a photo, 16 MiB for a track.
    ///   - kind: PHOTO or TRACK.
    ///   - key: 1 to 64 characters. Store it with the file: after a restart of the app the same call with the same key
    ///     resumes the upload. Another file needs another key, even with equal bytes.
    ///   - progress: called in order, first with the bytes that the server already has, finally with all.
    /// - Throws: ``ClientError``; refused with `file.too-large`, `file.unsupported`, `file.quota`, `file.mismatch`,
    ///   `request.invalid` or `request.key-reused`.
    public func upload(
        _ bytes: Data,
        as kind: WireFileKind.Value,
        key: String,
        progress: @Sendable (Progress) -> Void = { _ in }
    ) async throws(ClientError) -> WireStoredFile {
        let begin = WireBeginUpload(bytes, kind, key: key)
        var machine = UploadMachine(size: bytes.count)
        var told = -1
        while true {
            switch machine.step {
            case .begin: try await perform(.beginUpload(begin), &machine)
            case .put(let uploadID, let range):
                try await perform(.putChunk(WirePutChunk(uploadID, bytes, range)), &machine)
            case .wait(let span):
                try await client.pause(for: span)
                machine.waited()
                continue
            case .done(let file):
                if told != bytes.count { progress(Progress(sent: bytes.count, size: bytes.count)) }
                return file
            case .fail(let error): throw error
            }
            guard case .put = machine.step, machine.offset != told else { continue }
            told = machine.offset
            progress(Progress(sent: told, size: bytes.count))
        }
    }

    private func perform(_ request: WireRequest, _ machine: inout UploadMachine) async throws(ClientError) {
        do throws(ClientError) {
            guard case .upload(let upload) = try await client.call(request) else { throw .unexpectedReply }
            machine.answered(upload)
        } catch {
            machine.failed(error)
        }
    }
}

extension WireBeginUpload {
    fileprivate init(_ bytes: Data, _ kind: WireFileKind.Value, key: String) {
        self.init()
        self.key = key
        self.kind = kind
        self.bytes = Double(bytes.count)
        sha256 = SHA256.hex(of: bytes)
    }
}

extension WirePutChunk {
    fileprivate init(_ uploadID: String, _ bytes: Data, _ range: Range<Int>) {
        self.init()
        self.uploadID = uploadID
        offset = Double(range.lowerBound)
        data = bytes.dropFirst(range.lowerBound).prefix(range.count)
    }
}

extension PromisedClient {
    /// Waits on the client's clock.
    ///
    /// - Throws: `cancelled`.
    func pause(for span: Duration) async throws(ClientError) {
        do {
            try await time.sleep(until: time.uptime + span)
        } catch {
            throw .cancelled
        }
    }

    /// Sends an idempotent request until it is answered: over lost connections, and as often as the server asks to
    /// retry.
    ///
    /// - Throws: ``ClientError``, but neither `disconnected` nor `timedOut`.
    func persist(_ request: WireRequest) async throws(ClientError) -> WireContent {
        while true {
            do throws(ClientError) {
                return try await call(request)
            } catch .disconnected {
                continue
            } catch .timedOut {
                continue
            } catch .refused(let reply) where Retry(reply.retry) == .later {
                try await pause(for: max(.milliseconds(Int64(reply.retryAfterMs)), UploadMachine.patience))
            }
        }
    }
}
