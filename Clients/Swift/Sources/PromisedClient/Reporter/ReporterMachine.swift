internal import PromisedProtocol

/// The next action of a reporter, and its time. All moments are of ``ClientTime/uptime``.
///
/// On each connection it first exchanges clocks, then empties the queue in reports that request a reply, newest fixes
/// first. After that a report is *quiet*: it holds only new fixes and requests no reply, because the `positions` that
/// come back name its newest fix. Every sixth report requests a reply again, with the whole queue, and so does the next
/// one after a quiet report whose `positions` did not arrive.
struct ReporterMachine: Sendable {
    enum Effect: Hashable, Sendable {
        case exchangeClocks
        /// Send a report, with a reply or quiet.
        case report(asks: Bool)
    }

    /// The most fixes in a report (domain §5).
    static let batchLimit = 200
    /// The most consecutive reports without a reply.
    static let quietLimit = 5
    /// How long a clock exchange is valid.
    static let exchangeInterval = Duration.seconds(300)
    /// How long to wait after a failure without a known duration.
    static let patience = Duration.seconds(5)

    /// The connection of the following state; 0 without one.
    private var connection = 0
    /// The connection on which the clock exchange failed; 0 without one.
    private var failedConnection = 0
    /// The next clock exchange, on either connection.
    private var exchangeAt = Duration.zero
    /// `true` once the server has settled all fixes that were pending when the connection began.
    private(set) var isDrained = false
    /// The newest fix sent on the connection.
    private(set) var sentThrough: UInt32 = 0
    private var quietCount = 0
    /// The fix that the next `positions` must name.
    private var awaitedEcho: UInt32?
    /// The earliest moment of a report, on any connection.
    private var notBefore = Duration.zero
    /// `true` if this connection can carry no more reports.
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
        // Fixes that are pending without a due report are sent once, so that they do not wait forever.
        guard isDrained, let due else { return (.report(asks: true), max(now, notBefore)) }
        let isEchoed = awaitedEcho == nil || awaitedEcho == instructions.echo
        return (.report(asks: !isEchoed || quietCount >= Self.quietLimit), max(due, notBefore))
    }

    // MARK: - Clocks

    /// Records a clock exchange on a connection.
    mutating func exchanged(on present: Int, at now: Duration) {
        if present != connection {
            connection = present
            (isDrained, sentThrough, quietCount, awaitedEcho, awaitsRejoin) = (false, 0, 0, nil, false)
        }
        exchangeAt = now + Self.exchangeInterval
    }

    /// Records a failed clock exchange on a connection; reports on it wait for an exchange.
    mutating func notExchanged(on present: Int, at now: Duration) {
        failedConnection = present
        exchangeAt = now + Self.patience
    }

    // MARK: - Reports

    /// Records a quiet report, with a fix of this number as its newest.
    mutating func sentQuietly(through seq: UInt32) {
        sentThrough = seq
        quietCount += 1
        awaitedEcho = seq
    }

    /// Records the reply to a report.
    ///
    /// - Parameters:
    ///   - seq: the newest fix in it.
    ///   - settled: how many fixes it removed from the queue.
    ///   - remaining: how many fixes of the queue are not newer than `seq`.
    mutating func answered(through seq: UInt32, settled: Int, remaining: Int, at now: Duration) {
        sentThrough = max(sentThrough, seq)
        isDrained = remaining == 0
        (quietCount, awaitedEcho) = (0, nil)
        // A reply that settles nothing must not cause the same report again at once.
        if settled == 0, remaining > 0 { notBefore = now + Self.patience }
    }

    /// Records that a report was not sent: the next one requests a reply, and so finds the reason.
    mutating func notSent() { isDrained = false }

    /// Postpones a report that must be repeated.
    mutating func postpone(by wait: Duration, at now: Duration) {
        isDrained = false
        notBefore = now + wait
    }

    /// Suspends reports until the next connection.
    mutating func waitForNextConnection() { awaitsRejoin = true }
}

/// The effect on the pending fixes of a refusal of a whole report.
enum ReportRefusal: Hashable, Sendable {
    /// They stay; the same report may succeed after a while.
    case retry(after: Duration)
    /// They stay for the next connection.
    case rejoin
    /// All are dropped, and reporting stops until the server or the user changes that. No open or settling window
    /// accepts the fixes measured so far; and fixes measured while this user did not share, or was not a participant,
    /// are private.
    case dropAll
    /// One fix is dropped, by its place in the report; the others are sent again.
    case dropFix(Int)
    /// Those of the report are dropped, and reporting continues: the server cannot accept part of it.
    case skipReport

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
            // A client with an invalid sign-in gets another session, or none: its fixes stay.
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
