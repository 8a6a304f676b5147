internal import PromisedConcurrency
internal import PromisedProtocol

/// The server's latest instructions for a reporter, as received by the client; not queued.
final class ReportingInstructions: Sendable {
    struct State: Sendable {
        var plan = ReportingPlan()
        /// The connection that is online and signed in; nil without one.
        var connection: Int?
        var userID = ""
        /// The `seq` of this user's fix in the latest `positions`.
        var echo: UInt32?
        /// `true` once the client has ended.
        var isOver = false
    }

    /// Signalled at every change.
    let wakeSignal = WakeSignal()
    private let guarded = Guarded(State())

    var state: State { guarded.withLock { $0 } }

    func update(_ change: @Sendable (inout ReportingPlan) -> Void) {
        guarded.withLock { change(&$0.plan) }
        wakeSignal.signal()
    }

    /// - Parameter interval: the server's reporting interval; nil if unknown.
    func ready(connection: Int, userID: String, interval: Duration?) {
        guarded.withLock { state in
            if state.connection != connection { state.echo = nil }
            if let interval { state.plan.interval = interval }
            state.connection = connection
            state.userID = userID
        }
        wakeSignal.signal()
    }

    func lost() {
        guarded.withLock { $0.connection = nil }
        wakeSignal.signal()
    }

    func end() {
        guarded.withLock { state in
            state.connection = nil
            state.isOver = true
        }
        wakeSignal.signal()
    }

    func subscribed(_ promiseID: String, nextReportMs: UInt32, at now: Duration) {
        update { $0.subscribed(promiseID, nextReportMs: nextReportMs, at: now) }
    }

    func sharing(_ promiseID: String, on: Bool, at now: Duration) { update { $0.sharing(promiseID, on: on, at: now) } }

    func heard(_ event: WireEvent, at now: Duration) {
        guarded.withLock { state in
            state.plan.heard(event, of: state.userID, at: now)
            guard case .positions(let positions) = event.what else { return }
            state.echo = positions.positions.last { $0.userID == state.userID }?.seq ?? state.echo
        }
        wakeSignal.signal()
    }
}

struct ReporterTable: Sendable {
    private var reporters: [ReportingInstructions] = []
    /// The server's reporting interval, from its last `welcome`.
    private var interval: Duration?

    /// - Parameter connection: the one that is online and signed in; nil without one.
    mutating func attach(_ instructions: ReportingInstructions, connection: Int?, userID: String) {
        reporters.append(instructions)
        if let connection { instructions.ready(connection: connection, userID: userID, interval: interval) }
    }

    mutating func detach(_ instructions: ReportingInstructions) { reporters.removeAll { $0 === instructions } }

    mutating func take(_ welcome: WireWelcome) {
        if welcome.reportIntervalMs > 0 { interval = .milliseconds(Int64(welcome.reportIntervalMs)) }
    }

    /// Records that the connection is online and signed in.
    func ready(connection: Int, userID: String) {
        for instructions in reporters { instructions.ready(connection: connection, userID: userID, interval: interval) }
    }

    func lost() {
        for instructions in reporters { instructions.lost() }
    }

    func subscribed(_ promiseID: String, nextReportMs: UInt32, at now: Duration) {
        for instructions in reporters { instructions.subscribed(promiseID, nextReportMs: nextReportMs, at: now) }
    }

    func sharing(_ promiseID: String, on: Bool, at now: Duration) {
        for instructions in reporters { instructions.sharing(promiseID, on: on, at: now) }
    }

    func heard(_ event: WireEvent, at now: Duration) {
        for instructions in reporters { instructions.heard(event, at: now) }
    }

    mutating func end() {
        for instructions in reporters { instructions.end() }
        reporters = []
    }
}
