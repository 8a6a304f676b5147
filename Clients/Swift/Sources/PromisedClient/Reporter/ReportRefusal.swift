internal import PromisedProtocol

/// What a refusal of a whole report means for the fixes that wait.
enum ReportRefusal: Hashable, Sendable {
    /// They wait; the same report may succeed after a while.
    case retry(after: Duration)
    /// They wait for the next connection.
    case rejoin
    /// All are given up, and reporting stops until the server or the user says otherwise. No window that is open or
    /// settling takes what was measured so far; and what was measured while this user did not share, or had no part, is
    /// nobody's business.
    case dropAll
    /// One fix is given up, by its place in the report; the others go again.
    case dropFix(Int)
    /// Those of the report are given up, and reporting goes on: something in it cannot be taken.
    case skipReport

    /// The meaning of a refusal.
    init(_ error: WireErrorReply) {
        switch error.knownCode {
        case .positionOutsideWindow, .positionSharingOff, .positionNotAccepted, .promiseNotFound, .promiseNotAccepted,
            .promiseClosed:
            self = .dropAll
        case .requestInvalid, .positionInvalid:
            self = Self.place(in: error.field).map { .dropFix($0) } ?? .skipReport
        default:
            switch Retry(error.retry) ?? .never {
            case .later: self = .retry(after: max(.milliseconds(Int64(error.retryAfterMs)), .seconds(1)))
            case .afterRejoin: self = .rejoin
            // Who is not signed in as they should be gets another session, or none: fixes do not go for that.
            case .never: self = error.code.hasPrefix("auth.") ? .rejoin : .skipReport
            }
        }
    }

    /// The number in `fixes[3].latitude`.
    private static func place(in field: String) -> Int? {
        guard field.hasPrefix("fixes[") else { return nil }
        return Int(field.dropFirst("fixes[".count).prefix { $0.isNumber })
    }
}
