public import PromisedProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reports a phone's positions when the server requests them, and preserves them while the server is unreachable.
///
/// ```swift
/// let reporter = PositionReporter(client: client, fixes: try FixStore(directory: directory))
/// async let reporting: Void = reporter.run()
/// // … for each position of the phone:
/// await reporter.record(fix)
/// ```
/// It reports once in each slot of the server (docs/protocol.md#reporting-slots), stores fixes until the server has
/// settled them, and sends the phone's clocks on each connection and every five minutes. The settings of the client
/// must have the store's names (``ClientSettings/identify(as:)``); run ``run()`` beside ``PromisedClient/run()``.
///
/// The meaning of a refusal of a whole report:
///
/// | refusal | fixes | then |
/// |---|---|---|
/// | `position.outside-window`: nothing is open or settling | all dropped | no reports until the server requests some |
/// | `position.sharing-off` | all dropped | no reports until sharing is on |
/// | `position.not-accepted`, `promise.not-found`, `promise.not-accepted`, `promise.closed` | all dropped | no reports
/// until the server requests some |
/// | `limit.rate`, `server.unavailable` and all others with `LATER` | stay | again after `retryAfterMs`, at least 1 s |
/// | `auth.…` | stay | again on the next connection |
/// | `request.invalid` for one fix | that one dropped | again at once |
/// | any other | those of the report dropped | at the next slot |
public actor PositionReporter {
    /// How many notices may wait to be read; beyond that the oldest are dropped.
    public static let noticeLimit = 256

    /// The outcomes of reports, for one reader; ends with ``run()``.
    public nonisolated let notices: AsyncStream<ReporterNotice>

    let client: PromisedClient
    let instructions = ReportingInstructions()
    let time: any ClientTime
    let promiseID: String?
    let fixes: FixStore
    var machine = ReporterMachine()
    private let noticeContinuation: AsyncStream<ReporterNotice>.Continuation
    private var isRunning = false
    private var areFixesWanted: Bool?

    /// Creates a reporter that is not running yet.
    ///
    /// - Parameters:
    ///   - client: the connection; the app signs it in.
    ///   - fixes: the stored fixes; the reporter takes ownership.
    ///   - promiseID: the only promise to report for; nil: all of the user's that are tracking.
    public init(client: PromisedClient, fixes: sending FixStore, promiseID: String? = nil) {
        self.client = client
        self.fixes = fixes
        self.promiseID = promiseID
        time = client.time
        (notices, noticeContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.noticeLimit))
    }

    /// The number of unsettled fixes.
    public var waitingCount: Int { fixes.count }

    // MARK: - Recording

    /// Records a position as the phone measured it; returns at once.
    ///
    /// While online and instructed to stop, or long before the first slot, positions are useless and ignored (see
    /// ``ReporterNotice/wanted(_:)``). While offline all are recorded, because the server's instructions are unknown.
    ///
    /// - Parameters:
    ///   - fix: it gets its `seq` here, and missing clocks.
    ///   - age: how long ago it was measured; not negative.
    /// - Returns: its `seq`; nil if it was ignored.
    @discardableResult
    public func record(_ fix: WireFix, age: Duration = .zero) -> UInt32? {
        let state = instructions.state
        guard state.connection == nil || state.plan.wantsFixes(at: time.uptime) else { return nil }
        let (seq, dropped, failure) = fixes.append(fix.stamped(by: time, age: age))
        if dropped > 0 { tell(.overflowed(dropped)) }
        if let failure { tell(.storageFailed(failure)) }
        instructions.wakeSignal.signal()
        return seq
    }

    /// Records a position with the phone's date; returns at once.
    ///
    /// As ``record(_:age:)``; a date in the future counts as now.
    /// - Returns: its `seq`; nil if it was ignored.
    @discardableResult
    public func record(_ fix: WireFix, measuredAt date: Date) -> UInt32? {
        record(fix, age: .milliseconds(time.wallMs - date.timeIntervalSince1970 * 1_000))
    }

    // MARK: - Running

    /// Reports until the client ends or the task is cancelled. Call it once; a further call returns at once.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        await client.attach(instructions)
        while !Task.isCancelled, !instructions.state.isOver { await proceed() }
        await client.detach(instructions)
        noticeContinuation.finish()
    }

    /// Does what is due, or waits until something is due or changes.
    private func proceed() async {
        let state = instructions.state
        let now = time.uptime
        tellWhetherFixesAreWanted(state, at: now)
        let next = machine.next(state, hasFixes: fixes.count > 0, at: now)
        if let next, let connection = state.connection, next.at <= now {
            await perform(next.effect, on: connection)
        } else {
            let change = state.plan.wantsFixesFrom.flatMap { $0 > now ? $0 : nil }
            await instructions.wakeSignal.wait(until: [next?.at, change].compactMap { $0 }.min(), on: time)
        }
    }

    private func tellWhetherFixesAreWanted(_ state: ReportingInstructions.State, at now: Duration) {
        guard state.connection != nil else { return }
        let areWanted = state.plan.wantsFixes(at: now)
        guard areWanted != areFixesWanted else { return }
        areFixesWanted = areWanted
        tell(.wanted(areWanted))
    }

    private func perform(_ effect: ReporterMachine.Effect, on connection: Int) async {
        switch effect {
        case .exchangeClocks: await exchangeClocks(on: connection)
        case .report(asks: true): await reportAndAsk(on: connection)
        case .report(asks: false): await reportQuietly(on: connection)
        }
    }

    func tell(_ notice: ReporterNotice) { noticeContinuation.yield(notice) }
}

/// A reporter's notice for the app, to show it and to steer the phone's receiver.
public enum ReporterNotice: Hashable, Sendable {
    /// `true` if fixes are useful now; with `false` the receiver may rest.
    case wanted(Bool)
    /// The server's reply about fixes.
    case reported(WireReported)
    /// The server refused a report; `givenUp` fixes were dropped for it, the others remain pending.
    case refused(WireErrorReply, givenUp: Int)
    /// The queue was full; this number of the oldest fixes was dropped.
    case overflowed(Int)
    /// The queue could not be written to disk; it continues in memory.
    case storageFailed(FixStoreError)
}

extension ClientSettings {
    /// Sets the ids of device and boot from a store; keeps an existing device id.
    public mutating func identify(as fixes: FixStore) {
        deviceID = deviceID ?? fixes.deviceID
        bootID = fixes.bootID
    }
}
