internal import PromisedProtocol

/// The next action of a reporter, and its time. All moments are of ``ClientTime/uptime``.
///
/// On each connection it first exchanges clocks, then empties the queue in reports that ask for a reply, newest fixes
/// first. After that a report is *quiet*: it holds only new fixes and asks for no reply, because the `positions` that
/// come back name its newest fix. Every sixth report asks again, with all that is still in the queue, and so does the
/// next one after a quiet report whose `positions` did not come.
struct ReporterMachine: Sendable {
    enum Effect: Hashable, Sendable {
        case exchangeClocks
        /// With a reply, or quiet.
        case report(asks: Bool)
    }

    /// At most this many fixes in a report (domain §5).
    static let batchLimit = 200
    /// At most this many reports in a row that ask for no reply.
    static let quietLimit = 5
    /// How long a clock exchange is valid.
    static let exchangeInterval = Duration.seconds(300)
    /// How long to wait after a failure without a known duration.
    static let patience = Duration.seconds(5)

    /// The connection of the following state; 0 for none.
    private var connection = 0
    /// The connection on which clocks could not be exchanged; 0 for none.
    private var failedConnection = 0
    /// The next exchange of clocks, on either of the two.
    private var exchangeAt = Duration.zero
    /// `true` once the server has settled all fixes that waited when the connection began.
    private(set) var isDrained = false
    /// The newest fix sent on the connection.
    private(set) var sentThrough: UInt32 = 0
    private var quietCount = 0
    /// The fix that the next `positions` must name.
    private var awaitedEcho: UInt32?
    /// No report before this moment, on any connection.
    private var notBefore = Duration.zero
    /// `true` if this connection cannot be used for reports any more.
    private var awaitsRejoin = false

    /// The next effect and its moment; nil if there is nothing to do.
    func next(
        _ instructions: ReportingInstructions.State,
        hasFixes: Bool,
        at now: Duration
    ) -> (effect: Effect, at: Duration)? {
        guard let present = instructions.connection else { return nil }
        guard present == connection else { return (.exchangeClocks, present == failedConnection ? exchangeAt : now) }
        guard hasFixes, !awaitsRejoin, let report = nextReport(instructions, at: now), report.at < exchangeAt else {
            return (.exchangeClocks, exchangeAt)
        }
        return report
    }

    private func nextReport(
        _ instructions: ReportingInstructions.State,
        at now: Duration
    ) -> (effect: Effect, at: Duration)? {
        let due = instructions.plan.wantsFixes(at: now) ? instructions.plan.due : nil
        // Fixes that wait without a due report are sent once, so that they do not wait for ever.
        guard isDrained, let due else { return (.report(asks: true), max(now, notBefore)) }
        let isEchoed = awaitedEcho == nil || awaitedEcho == instructions.echo
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
    ///   - remaining: how many fixes of the queue are not newer than that.
    mutating func answered(through seq: UInt32, settled: Int, remaining: Int, at now: Duration) {
        sentThrough = max(sentThrough, seq)
        isDrained = remaining == 0
        (quietCount, awaitedEcho) = (0, nil)
        // A reply that settles nothing is no reason to send the same again at once.
        if settled == 0, remaining > 0 { notBefore = now + Self.patience }
    }

    /// A report was not sent: the next one asks for a reply, and learns why.
    mutating func notSent() { isDrained = false }

    /// A report must be repeated.
    mutating func postpone(by wait: Duration, at now: Duration) {
        isDrained = false
        notBefore = now + wait
    }

    /// The connection cannot be used for reports.
    mutating func waitForNextConnection() { awaitsRejoin = true }
}

/// The meaning of a refusal of a whole report for the waiting fixes.
enum ReportRefusal: Hashable, Sendable {
    /// They wait; the same report may succeed after a while.
    case retry(after: Duration)
    /// They wait for the next connection.
    case rejoin
    /// All are dropped, and reporting stops until the server or the user changes that. No open or settling window
    /// accepts the fixes measured so far; and fixes measured while this user did not share, or was not a participant,
    /// are private.
    case dropAll
    /// One fix is dropped, by its place in the report; the others are sent again.
    case dropFix(Int)
    /// Those of the report are dropped, and reporting continues: the server cannot accept something in it.
    case skipReport

    /// The meaning of a refusal.
    init(_ error: WireErrorReply) {
        switch error.knownCode {
        case .positionOutsideWindow, .positionSharingOff, .positionNotAccepted, .promiseNotFound, .promiseNotAccepted,
            .promiseClosed:
            self = .dropAll
        case .requestInvalid, .positionInvalid:
            self = Self.place(in: error.field, of: "fixes").map { .dropFix($0) } ?? .skipReport
        default:
            switch Retry(error.retry) ?? .never {
            case .later: self = .retry(after: max(.milliseconds(Int64(error.retryAfterMs)), .seconds(1)))
            case .afterRejoin: self = .rejoin
            // A client with the wrong sign-in gets another session, or none: fixes are not dropped for that.
            case .never: self = error.code.hasPrefix("auth.") ? .rejoin : .skipReport
            }
        }
    }

    /// The number in `fixes[3].latitude`, for the list `fixes`.
    static func place(in field: String, of list: String) -> Int? {
        guard field.hasPrefix(list + "[") else { return nil }
        return Int(field.dropFirst(list.count + 1).prefix { $0.isNumber })
    }
}
