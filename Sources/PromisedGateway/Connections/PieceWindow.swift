/// Limits a connection's unanswered requests of a kind: for pieces of files, so that they never crowd out positions;
/// for rows and pieces of imports, because the rate limit does not count them.
///
/// Frames of a connection are processed one after the other, so a request counts as unanswered when an earlier one is
/// answered only after this one arrived.
struct PieceWindow: Sendable {
    /// The most unanswered requests; 1 or more.
    let most: Int
    /// When the last requests were answered, at most ``most`` instants, oldest first.
    private var answers: [ContinuousClock.Instant] = []

    init(most: Int) { self.most = most }

    /// `true` if fewer than ``most`` requests were unanswered when the next one arrived.
    func admits(requestAt arrival: ContinuousClock.Instant) -> Bool {
        guard answers.count == most, let oldest = answers.first else { return true }
        return oldest <= arrival
    }

    /// Records that an admitted request is about to be answered.
    mutating func answered(at instant: ContinuousClock.Instant) {
        if answers.count == most { answers.removeFirst() }
        answers.append(instant)
    }
}

/// The windows of a connection: for pieces of uploads, of files being read, and of imports.
struct PieceWindows: Sendable {
    enum Kind: Sendable {
        case upload
        case download
        case rows
    }

    private var uploads = PieceWindow(most: 2)
    private var downloads = PieceWindow(most: 2)
    private var rows = PieceWindow(most: 4)

    subscript(kind: Kind) -> PieceWindow {
        get {
            switch kind {
            case .upload: uploads
            case .download: downloads
            case .rows: rows
            }
        }
        set {
            switch kind {
            case .upload: uploads = newValue
            case .download: downloads = newValue
            case .rows: rows = newValue
            }
        }
    }
}
