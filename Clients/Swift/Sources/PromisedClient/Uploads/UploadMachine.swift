internal import PromisedProtocol

/// The next step of an upload.
///
/// ```
///               upload               upload with its file
///  beginning ─────────────▶ putting ──────────────────────▶ done
///      ▲                    │    ▲ │ upload
///      └────────────────────┘    └─┘
///   lost, stale offset, forgotten, wrong digest (once)
/// ```
struct UploadMachine: Sendable {
    enum Step: Hashable, Sendable {
        case begin
        /// Put these bytes.
        case put(uploadID: String, Range<Int>)
        /// Repeat the same request after a while.
        case wait(Duration)
        case done(WireStoredFile)
        case fail(ClientError)
    }

    /// At most this many bytes in a chunk.
    static let chunkLimit = 45_000
    /// At most this many beginnings in a row that bring no byte forward.
    static let futileLimit = 5
    /// How long to wait after a refusal without a known duration.
    static let patience = Duration.seconds(1)

    /// The step that is due.
    private(set) var step = Step.begin
    /// The number of bytes that the server has, as far as it has told.
    private(set) var offset = 0
    private let size: Int
    private var postponed = Step.begin
    private var farthest = 0
    private var futileCount = 0
    private var isSecondAttempt = false

    init(size: Int) { self.size = size }

    /// The server answered.
    mutating func answered(_ upload: WireUpload) {
        if upload.hasFile {
            offset = size
            step = .done(upload.file)
            return
        }
        guard let offset = Int(exactly: upload.offset), (0...size).contains(offset) else {
            step = .fail(.unexpectedReply)
            return
        }
        self.offset = offset
        // The server still checks the bytes that came over a lost connection.
        guard offset < size else { return awaitFile() }
        if offset > farthest { (farthest, futileCount) = (offset, 0) }
        let length = upload.chunkBytes == 0 ? Self.chunkLimit : min(Int(upload.chunkBytes), Self.chunkLimit)
        step = .put(uploadID: upload.uploadID, offset..<min(offset + length, size))
    }

    /// The step failed.
    mutating func failed(_ error: ClientError) {
        switch error {
        // The call has waited for the connection, or for its reply: the server may have the chunk.
        case .disconnected, .timedOut: step = .begin
        case .refused(let reply) where reply.knownCode == .fileMismatch: startOver(error)
        case .refused(let reply) where Retry(reply.retry) == .later:
            postponed = step
            step = .wait(max(.milliseconds(Int64(reply.retryAfterMs)), Self.patience))
        case .refused(let reply) where isStale(reply): beginAgain(error)
        case .refused, .cancelled, .closed, .unexpectedReply, .unencodable, .readTooSlowly, .corrupted:
            step = .fail(error)
        }
    }

    /// The wait is over.
    mutating func waited() { step = postponed }

    /// `true` if the server is elsewhere in the upload, or has forgotten it, and the beginning tells where it is.
    private func isStale(_ error: WireErrorReply) -> Bool {
        guard case .put = step else { return false }
        return error.knownCode == .fileNotFound || error.knownCode == .requestInvalid && error.field == "offset"
    }

    private mutating func awaitFile() {
        beginAgain(.unexpectedReply)
        guard case .begin = step else { return }
        (postponed, step) = (.begin, .wait(Self.patience))
    }

    private mutating func beginAgain(_ error: ClientError) {
        futileCount += 1
        step = futileCount > Self.futileLimit ? .fail(error) : .begin
    }

    /// The server threw the bytes away, because they were damaged on the way: once they are sent again.
    private mutating func startOver(_ error: ClientError) {
        step = isSecondAttempt ? .fail(error) : .begin
        (isSecondAttempt, offset, farthest, futileCount) = (true, 0, 0, 0)
    }
}
