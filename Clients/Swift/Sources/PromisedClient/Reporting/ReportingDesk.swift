internal import PromisedConcurrency
internal import PromisedProtocol

/// The server's instructions for a reporter, as received by the client: the newest counts, and nothing is queued.
final class ReportingDesk: Sendable {
    struct State: Sendable {
        var plan = ReportingPlan()
        /// The connection that is online and signed in; nil if there is none.
        var connection: Int?
        var userID = ""
        /// The `seq` of this user's fix in the latest `positions`.
        var echo: UInt32?
        /// `true` once the client has ended.
        var isOver = false
    }

    /// Rung whenever something changed.
    let bell = Bell()
    private let guarded = Guarded(State())

    /// The current state.
    var state: State { guarded.withLock { $0 } }

    /// Changes the plan.
    func update(_ change: @Sendable (inout ReportingPlan) -> Void) {
        guarded.withLock { change(&$0.plan) }
        bell.ring()
    }

    /// - Parameter interval: how often the server wants reports; nil if it did not say.
    func ready(connection: Int, userID: String, interval: Duration?) {
        guarded.withLock { state in
            if state.connection != connection { state.echo = nil }
            if let interval { state.plan.interval = interval }
            state.connection = connection
            state.userID = userID
        }
        bell.ring()
    }

    func lost() {
        guarded.withLock { $0.connection = nil }
        bell.ring()
    }

    func end() {
        guarded.withLock { state in
            state.connection = nil
            state.isOver = true
        }
        bell.ring()
    }

    func subscribed(_ promiseID: String, nextReportMs: UInt32, at now: Duration) {
        update { $0.subscribed(promiseID, nextReportMs: nextReportMs, at: now) }
    }

    func sharing(_ promiseID: String, on: Bool, at now: Duration) {
        update { $0.sharing(promiseID, on: on, at: now) }
    }

    func heard(_ event: WireEvent, at now: Duration) {
        guarded.withLock { state in
            state.plan.heard(event, of: state.userID, at: now)
            guard case .positions(let positions) = event.what else { return }
            state.echo = positions.positions.last { $0.userID == state.userID }?.seq ?? state.echo
        }
        bell.ring()
    }
}

/// The desks of all reporters.
struct ReportingDesks: Sendable {
    private var desks: [ReportingDesk] = []
    /// How often the server wants reports, from its last `welcome`.
    private var interval: Duration?

    /// - Parameter connection: the one that is online and signed in; nil if there is none.
    mutating func attach(_ desk: ReportingDesk, connection: Int?, userID: String) {
        desks.append(desk)
        if let connection { desk.ready(connection: connection, userID: userID, interval: interval) }
    }

    mutating func detach(_ desk: ReportingDesk) { desks.removeAll { $0 === desk } }

    /// Takes the advice of a `welcome`.
    mutating func take(_ welcome: WireWelcome) {
        if welcome.reportIntervalMs > 0 { interval = .milliseconds(Int64(welcome.reportIntervalMs)) }
    }

    /// The connection is online and signed in.
    func ready(connection: Int, userID: String) {
        for desk in desks { desk.ready(connection: connection, userID: userID, interval: interval) }
    }

    func lost() {
        for desk in desks { desk.lost() }
    }

    func subscribed(_ promiseID: String, nextReportMs: UInt32, at now: Duration) {
        for desk in desks { desk.subscribed(promiseID, nextReportMs: nextReportMs, at: now) }
    }

    func sharing(_ promiseID: String, on: Bool, at now: Duration) {
        for desk in desks { desk.sharing(promiseID, on: on, at: now) }
    }

    func heard(_ event: WireEvent, at now: Duration) {
        for desk in desks { desk.heard(event, at: now) }
    }

    /// The client has ended.
    mutating func end() {
        for desk in desks { desk.end() }
        desks = []
    }
}
