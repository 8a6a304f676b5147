internal import PromisedProtocol

/// How a request ended: a label of metrics.
enum RequestOutcome: String, CaseIterable, Sendable {
    /// It was answered.
    case done
    /// The rules say no, or the request is wrong.
    case refused
    /// There were too many.
    case limited
    /// The server failed.
    case failed

    /// The outcome that an error is.
    init(_ code: ErrorCode) {
        self =
            if code == .limitRate || code == .limitAttempts {
                .limited
            } else if code == .serverUnavailable || code == .serverInternal {
                .failed
            } else {
                .refused
            }
    }
}
