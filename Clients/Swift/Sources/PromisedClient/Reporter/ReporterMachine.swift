internal import PromisedProtocol

/// What a reporter does next, and when. All moments are of ``ClientTime/uptime``.
///
/// On each connection it first exchanges clocks, then empties the queue in reports that ask for a reply, newest fixes
/// first. After that a report is *quiet*: it holds only what is new and asks for nothing, as the `positions` that come
/// back name its newest fix. Every sixth report asks again, with all that is still in the queue, and so does the next
/// one after a quiet report whose `positions` did not come.
struct ReporterMachine: Sendable {
    enum Deed: Hashable, Sendable {
        case exchangeClocks
        /// With a reply, or quiet.
        case report(asks: Bool)
    }

    /// At most this many fixes in a report (domain §5).
    static let batchLimit = 200
    /// At most this many reports in a row that ask for no reply.
    static let quietLimit = 5
    /// How long a clock exchange is good for.
    static let exchangeInterval = Duration.seconds(300)
    /// How long to wait after something failed for no known time.
    static let patience = Duration.seconds(5)

    /// The connection that what follows is about; 0 for none.
    private var connection = 0
    /// The connection on which clocks could not be exchanged; 0 for none.
    private var failedConnection = 0
    /// The next exchange of clocks, on one of the two.
    private var exchangeAt = Duration.zero
    /// Whether the server has said its word on all that waited when the connection began.
    private(set) var isDrained = false
    /// The newest fix that went out on the connection.
    private(set) var sentThrough: UInt32 = 0
    private var quietCount = 0
    /// The fix that `positions` are to name.
    private var awaitedEcho: UInt32?
    /// No report before this moment, on any connection.
    private var notBefore = Duration.zero
    /// No report on this connection any more.
    private var awaitsRejoin = false

    /// The next deed and its moment; nil while there is nothing to wait for.
    func next(_ desk: ReportingDesk.State, hasFixes: Bool, at now: Duration) -> (deed: Deed, at: Duration)? {
        guard let present = desk.connection else { return nil }
        guard present == connection else {
            return (.exchangeClocks, present == failedConnection ? exchangeAt : now)
        }
        guard hasFixes, !awaitsRejoin, let report = nextReport(desk, at: now), report.at < exchangeAt else {
            return (.exchangeClocks, exchangeAt)
        }
        return report
    }

    private func nextReport(_ desk: ReportingDesk.State, at now: Duration) -> (deed: Deed, at: Duration)? {
        let due = desk.plan.wantsFixes(at: now) ? desk.plan.due : nil
        // What waits when there is nothing to report goes out once, so that it does not wait for ever.
        guard isDrained, let due else { return (.report(asks: true), max(now, notBefore)) }
        let isEchoed = awaitedEcho == nil || awaitedEcho == desk.echo
        return (.report(asks: !isEchoed || quietCount >= Self.quietLimit), max(due, notBefore))
    }

    // MARK: - Clocks

    /// Clocks were exchanged on a connection.
    mutating func exchanged(on present: Int, at now: Duration) {
        if present != connection {
            connection = present
            (isDrained, sentThrough, quietCount, awaitedEcho, awaitsRejoin) = (false, 0, 0, nil, false)
        }
        exchangeAt = now + Self.exchangeInterval
    }

    /// Clocks could not be exchanged on a connection; nothing is reported on it before they are.
    mutating func notExchanged(on present: Int, at now: Duration) {
        failedConnection = present
        exchangeAt = now + Self.patience
    }

    // MARK: - Reports

    /// A quiet report went out, with a fix of this number as its newest.
    mutating func sentQuietly(through seq: UInt32) {
        sentThrough = seq
        quietCount += 1
        awaitedEcho = seq
    }

    /// A report was answered.
    ///
    /// - Parameters:
    ///   - seq: the newest fix in it.
    ///   - settled: how many fixes left the queue for it.
    ///   - remaining: how many of the queue are not newer than that.
    mutating func answered(through seq: UInt32, settled: Int, remaining: Int, at now: Duration) {
        sentThrough = max(sentThrough, seq)
        isDrained = remaining == 0
        (quietCount, awaitedEcho) = (0, nil)
        // A reply that names nothing that was sent is no reason to send it again at once.
        if settled == 0, remaining > 0 { notBefore = now + Self.patience }
    }

    /// A report did not go out: the next one asks, and learns why.
    mutating func notSent() { isDrained = false }

    /// A report is to be repeated.
    mutating func postpone(by wait: Duration, at now: Duration) {
        isDrained = false
        notBefore = now + wait
    }

    /// The connection is no good for reports.
    mutating func waitForNextConnection() { awaitsRejoin = true }
}

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
