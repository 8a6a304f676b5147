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
        /// Send these bytes.
        case put(uploadID: String, Range<Int>)
        /// Repeat the same request after a while.
        case wait(Duration)
        case done(WireStoredFile)
        case fail(ClientError)
    }

    /// The most bytes in a chunk.
    static let chunkLimit = 45_000
    /// The most consecutive beginnings without progress.
    static let futileLimit = 5
    /// How long to wait after a refusal without a known duration.
    static let patience = Duration.seconds(1)

    private(set) var step = Step.begin
    /// The number of bytes that the server has confirmed.
    private(set) var offset = 0
    private let size: Int
    private var postponed = Step.begin
    private var farthest = 0
    private var futileCount = 0
    private var isSecondAttempt = false

    init(size: Int) { self.size = size }

    /// Processes the server's answer.
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
        // The server still checks the bytes that arrived over a lost connection.
        guard offset < size else { return awaitFile() }
        if offset > farthest { (farthest, futileCount) = (offset, 0) }
        let length = upload.chunkBytes == 0 ? Self.chunkLimit : min(Int(upload.chunkBytes), Self.chunkLimit)
        step = .put(uploadID: upload.uploadID, offset..<min(offset + length, size))
    }

    /// Processes the failure of the step.
    mutating func failed(_ error: ClientError) {
        switch error {
        // The call has timed out or lost its connection: the server may have the chunk.
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

    /// Ends the wait.
    mutating func waited() { step = postponed }

    /// `true` if the server is at another offset, or has dropped the upload; beginning again returns the offset.
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

    /// Starts again, once, after the server dropped the bytes because they were damaged in transit.
    private mutating func startOver(_ error: ClientError) {
        step = isSecondAttempt ? .fail(error) : .begin
        (isSecondAttempt, offset, farthest, futileCount) = (true, 0, 0, 0)
    }
}
