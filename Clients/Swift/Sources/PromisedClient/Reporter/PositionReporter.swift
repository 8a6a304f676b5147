public import PromisedProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reports a phone's positions when the server wants them, and loses none while it cannot be reached.
///
/// ```swift
/// let reporter = PositionReporter(client: client, fixes: try FixStore(directory: directory))
/// async let reporting: Void = reporter.run()
/// // … for each position of the phone:
/// await reporter.record(fix)
/// ```
/// It reports once in each slot the server names (docs/protocol.md#reporting-slots), keeps what the server has said no
/// word on, and tells the server the phone's clocks on each connection and every five minutes. The settings of the
/// client must have the store's names (``ClientSettings/identify(as:)``); somebody must run ``run()`` beside
/// ``PromisedClient/run()``.
///
/// What a refusal of a whole report means:
///
/// | refusal | fixes | then |
/// |---|---|---|
/// | `position.outside-window`: nothing is open or settling | all go | no reports until the server wants some |
/// | `position.sharing-off` | all go | no reports until sharing is on |
/// | `position.not-accepted`, `promise.not-found`, `promise.not-accepted`, `promise.closed` | all go | no reports until the server wants some |
/// | `limit.rate`, `server.unavailable` and all others that say later | stay | again after `retryAfterMs`, at least 1 s |
/// | `auth.…` | stay | again on the next connection |
/// | `request.invalid` for one fix | that one goes | again at once |
/// | any other | those of the report go | at the next slot |
public actor PositionReporter {
    /// How many notices may wait to be read; beyond that the oldest go.
    public static let noticeLimit = 256

    /// What became of reports, for one reader; ends with ``run()``.
    public nonisolated let notices: AsyncStream<ReporterNotice>

    let client: PromisedClient
    let desk = ReportingDesk()
    let time: any ClientTime
    let promiseID: String?
    let fixes: FixStore
    var machine = ReporterMachine()
    private let noticeContinuation: AsyncStream<ReporterNotice>.Continuation
    private var isRunning = false
    private var areFixesWanted: Bool?

    /// A reporter that does not run yet.
    ///
    /// - Parameters:
    ///   - client: the connection, signed in by somebody.
    ///   - fixes: what waits from before; it belongs to the reporter from here on.
    ///   - promiseID: the only promise to report for; nil: all of the user's that are tracking.
    public init(client: PromisedClient, fixes: sending FixStore, promiseID: String? = nil) {
        self.client = client
        self.fixes = fixes
        self.promiseID = promiseID
        time = client.time
        (notices, noticeContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.noticeLimit))
    }

    /// How many fixes wait for the server's word.
    public var waitingCount: Int { fixes.count }

    // MARK: - Recording

    /// Takes a position as the phone measured it; returns at once.
    ///
    /// While online and told to stop, or long before the first slot, positions are of no use and are not taken (see
    /// ``ReporterNotice/wanted(_:)``). While offline all are, as nobody knows what the server wants.
    ///
    /// - Parameters:
    ///   - fix: its `seq` is given here, and so are the clocks it does not have.
    ///   - age: how long ago it was measured; not negative.
    /// - Returns: its `seq`; nil when it was not taken.
    @discardableResult
    public func record(_ fix: WireFix, age: Duration = .zero) -> UInt32? {
        let state = desk.state
        guard state.connection == nil || state.plan.wantsFixes(at: time.uptime) else { return nil }
        let (seq, dropped, failure) = fixes.append(stamped(fix, age: max(age, .zero)))
        if dropped > 0 { tell(.overflowed(dropped)) }
        if let failure { tell(.storageFailed(failure)) }
        desk.bell.ring()
        return seq
    }

    /// Takes a position with the date that the phone gave it; returns at once.
    ///
    /// As ``record(_:age:)``; a date in the future counts as now.
    /// - Returns: its `seq`; nil when it was not taken.
    @discardableResult
    public func record(_ fix: WireFix, measuredAt date: Date) -> UInt32? {
        record(fix, age: .milliseconds(time.wallMs - date.timeIntervalSince1970 * 1_000))
    }

    private func stamped(_ fix: WireFix, age: Duration) -> WireFix {
        var fix = fix
        if !fix.hasUptimeMs { fix.uptimeMs = (time.uptime - age).inMilliseconds }
        // A time that JSON cannot write would hold up all the others.
        if fix.hasRecordedAt, let reading = WireTimestamp(readingMs: fix.recordedAt.readingMs) {
            fix.recordedAt = reading
        } else if let reading = WireTimestamp(readingMs: time.wallMs - age.inMilliseconds) {
            fix.recordedAt = reading
        } else {
            fix.clearRecordedAt()
        }
        return fix
    }

    // MARK: - Running

    /// Reports until the client is over or the task is cancelled. Called once; a further call returns at once.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        await client.attach(desk)
        while !Task.isCancelled, !desk.state.isOver { await proceed() }
        await client.detach(desk)
        noticeContinuation.finish()
    }

    /// Does what is due, or waits until something is or changes.
    private func proceed() async {
        let state = desk.state
        let now = time.uptime
        tellWhetherFixesAreWanted(state, at: now)
        let next = machine.next(state, hasFixes: fixes.count > 0, at: now)
        if let next, let connection = state.connection, next.at <= now {
            await perform(next.deed, on: connection)
        } else {
            let change = state.plan.wantsFixesFrom.flatMap { $0 > now ? $0 : nil }
            await desk.bell.wait(until: [next?.at, change].compactMap { $0 }.min(), on: time)
        }
    }

    private func tellWhetherFixesAreWanted(_ state: ReportingDesk.State, at now: Duration) {
        guard state.connection != nil else { return }
        let areWanted = state.plan.wantsFixes(at: now)
        guard areWanted != areFixesWanted else { return }
        areFixesWanted = areWanted
        tell(.wanted(areWanted))
    }

    private func perform(_ deed: ReporterMachine.Deed, on connection: Int) async {
        switch deed {
        case .exchangeClocks: await exchangeClocks(on: connection)
        case .report(asks: true): await reportAndAsk(on: connection)
        case .report(asks: false): await reportQuietly(on: connection)
        }
    }

    func tell(_ notice: ReporterNotice) { noticeContinuation.yield(notice) }
}

/// What a reporter tells the app, to show it and to steer the phone's receiver.
public enum ReporterNotice: Hashable, Sendable {
    /// Whether fixes are of use now: with no, the receiver may rest.
    case wanted(Bool)
    /// The server said what became of fixes.
    case reported(WireReported)
    /// The server refused a report; so many fixes were given up for it, the others wait.
    case refused(WireErrorReply, givenUp: Int)
    /// The queue was full; so many of the oldest fixes went.
    case overflowed(Int)
    /// The queue could not be written to disk; it goes on in memory.
    case storageFailed(FixStoreError)
}

extension ClientSettings {
    /// Takes the names of device and boot from a store; a device that was named already keeps its name.
    public mutating func identify(as fixes: FixStore) {
        deviceID = deviceID ?? fixes.deviceID
        bootID = fixes.bootID
    }
}
