import Foundation
import PromisedConcurrency
import PromisedProtocol

@testable import PromisedClient

/// The server's side of uploads and files: accepts chunks in order, keeps the received bytes across lost connections,
/// and reads files.
final class UploadServer: Sendable {
    /// The server's fault instead of an answer.
    enum Fault: Hashable, Sendable {
        /// The request is performed, and its reply is lost.
        case losesReply
        /// The connection ends before the request arrives.
        case losesRequest
        case refuses(WireErrorReply)
        /// A byte is damaged on the way.
        case damages
    }

    private struct State: Sendable {
        var announced: [String: WireBeginUpload] = [:]
        var bytes: [String: Data] = [:]
        var files: [String: WireStoredFile] = [:]
        var requests: [WireRequest] = []
        var faults: [Int: Fault] = [:]
    }

    private let state = Guarded(State())
    private let chunkBytes: Int

    /// Chunks have any size.
    ///
    /// - Parameter faults: by the number of the request, from 0.
    init(chunkBytes: Int = 10, faults: [Int: Fault] = [:]) {
        self.chunkBytes = chunkBytes
        state.withLock { $0.faults = faults }
    }

    /// All requests so far but `hello`.
    var requests: [WireRequest] { state.withLock { $0.requests } }
    /// The offsets of the chunks so far.
    var offsets: [Double] {
        requests.compactMap { request in
            if case .putChunk(let chunk) = request { chunk.offset } else { nil }
        }
    }
    /// The bytes of a finished upload.
    func bytes(of key: String) -> Data? { state.withLock { $0.files[key] == nil ? nil : $0.bytes[key] } }

    /// A readable file.
    func keep(_ bytes: Data, as fileID: String) { state.withLock { $0.bytes[fileID] = bytes } }

    /// Drops an open upload, as after an hour.
    func forget(_ key: String) {
        state.withLock { state in
            (state.announced[key], state.bytes[key]) = (nil, nil)
        }
    }

    /// Serves the links of a client until there are no more.
    func run(over links: MemoryLinks) async throws {
        while true {
            let link = try await links.accept()
            while let frame = try await link.receive(orEnd: ()) {
                guard let request = frame.request else { continue }
                let (fault, answer) = take(request)
                switch fault {
                case .losesReply?, .losesRequest?: link.end(code: 1_006)
                case .refuses?, .damages?, nil: try link.reply(to: frame, answer)
                }
                if fault == .losesReply || fault == .losesRequest { break }
            }
        }
    }

    private func take(_ request: WireRequest) -> (Fault?, WireContent) {
        state.withLock { state in
            let fault = state.faults[state.requests.count]
            state.requests.append(request)
            switch fault {
            case .losesRequest?: return (fault, .done(WireDone()))
            case .refuses(let error)?: return (fault, .error(error))
            case .losesReply?, .damages?, nil: return (fault, answer(request, &state, isDamaged: fault == .damages))
            }
        }
    }

    private func answer(_ request: WireRequest, _ state: inout State, isDamaged: Bool) -> WireContent {
        switch request {
        case .beginUpload(let begin):
            state.announced[begin.key] = begin
            if state.bytes[begin.key] == nil { state.bytes[begin.key] = Data() }
            return .upload(upload(begin.key, state))
        case .putChunk(let chunk): return put(chunk, &state, isDamaged: isDamaged)
        case .readFile(let request): return read(request, state)
        default: return .done(WireDone())
        }
    }

    private func put(_ chunk: WirePutChunk, _ state: inout State, isDamaged: Bool) -> WireContent {
        guard let begin = state.announced[chunk.uploadID], let bytes = state.bytes[chunk.uploadID] else {
            return .error(WireErrorReply(.fileNotFound))
        }
        guard chunk.offset == Double(bytes.count), chunk.data.count <= chunkBytes else {
            return .error(WireErrorReply(.requestInvalid, field: "offset"))
        }
        var data = chunk.data
        if isDamaged { data[data.startIndex] ^= 1 }
        state.bytes[chunk.uploadID] = bytes + data
        guard Double(bytes.count + data.count) == begin.bytes else { return .upload(upload(begin.key, state)) }
        guard SHA256.hex(of: bytes + data) == begin.sha256 else {
            state.bytes[chunk.uploadID] = Data()
            return .error(WireErrorReply(.fileMismatch))
        }
        var file = WireStoredFile()
        (file.fileID, file.bytes, file.sha256) = ("file-\(begin.key)", begin.bytes, begin.sha256)
        state.files[begin.key] = file
        return .upload(upload(begin.key, state))
    }

    private func upload(_ key: String, _ state: State) -> WireUpload {
        var upload = WireUpload()
        upload.uploadID = key
        upload.offset = Double(state.bytes[key]?.count ?? 0)
        upload.chunkBytes = UInt32(chunkBytes)
        if let file = state.files[key] { upload.file = file }
        return upload
    }

    private func read(_ request: WireReadFile, _ state: State) -> WireContent {
        guard let bytes = state.bytes[request.fileID] else { return .error(WireErrorReply(.fileNotFound)) }
        var chunk = WireFileChunk()
        chunk.fileID = request.fileID
        chunk.offset = request.offset
        chunk.bytes = Double(bytes.count)
        chunk.data = bytes.dropFirst(Int(request.offset)).prefix(chunkBytes)
        return .fileChunk(chunk)
    }
}

extension MemoryLink {
    /// The client's next frame; nil after the last.
    func receive(orEnd: Void) async throws -> WireClientFrame? {
        do {
            return try await receive()
        } catch is Mailbox<[UInt8]>.Ended {
            return nil
        }
    }
}
