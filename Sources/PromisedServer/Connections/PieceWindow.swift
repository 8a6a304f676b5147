/// Keeps a connection to two unanswered requests for pieces of files, so that files never crowd out positions.
///
/// Frames of a connection are processed one after the other, so a request counts as unanswered when an earlier one is
/// answered only after this one arrived.
struct PieceWindow: Sendable {
    /// The most unanswered requests of a kind.
    static let most = 2

    /// When the last requests were answered, at most ``most``, oldest first.
    private var answers: [ContinuousClock.Instant] = []

    /// `true` if fewer than ``most`` requests were unanswered when the next one arrived.
    func admits(requestAt arrival: ContinuousClock.Instant) -> Bool {
        guard answers.count == PieceWindow.most, let oldest = answers.first else { return true }
        return oldest <= arrival
    }

    /// An admitted request is about to be answered.
    mutating func answered(at instant: ContinuousClock.Instant) {
        if answers.count == PieceWindow.most { answers.removeFirst() }
        answers.append(instant)
    }
}
