internal import PromisedProtocol

/// When to report, as instructed by the server (docs/protocol.md#reporting-slots): by promise, because each has its own
/// slot.
///
/// A promise's order is its slot, an individual pace of this user, or to stop:
///
/// | message | its effect |
/// |---|---|
/// | `subscribed` | the slot, or stop; it ends a pace, because the server sends the current state to a new subscriber |
/// | `positions` | the slot, unless a pace or a stop is in force |
/// | `pace` | that pace until the next one, or stop |
/// | `reported` | the slot, unless a pace is in force; or stop |
/// | `trackingStarted`, sharing switched on | report now |
/// | `trackingEnded`, `cancelled`, `resultFinal`, left, removed, sharing switched off | stop |
///
/// A reporter without instructions reports at once; the reply contains them. All moments are of ``ClientTime/uptime``.
struct ReportingPlan: Hashable, Sendable {
    enum Order: Hashable, Sendable {
        case report(due: Duration, every: Duration, isPaced: Bool)
        case stop
    }

    /// How long before a due report its fixes are useful.
    static let lead = Duration.seconds(90)
    /// The key of instructions without a promise.
    private static let all = ""

    /// The reporting interval in a slot, from the server's `welcome`.
    var interval = Duration.seconds(5)
    private(set) var orders: [String: Order] = [:]

    /// The next report; `zero`, that is at once, without instructions; nil: do not report.
    var due: Duration? {
        if orders.isEmpty { return .zero }
        return orders.values.compactMap(\.due).min()
    }

    /// `true` if fixes measured now are useful for the next report.
    func wantsFixes(at now: Duration) -> Bool { wantsFixesFrom.map { $0 <= now } ?? false }

    /// From when on fixes are useful; nil: never.
    var wantsFixesFrom: Duration? { due.map { max($0 - Self.lead, .zero) } }

    // MARK: - The server's instructions

    mutating func subscribed(_ promise: String, nextReportMs: UInt32, at now: Duration) {
        set(slot(nextReportMs, at: now), for: promise)
    }

    mutating func positions(_ promise: String, nextReportMs: UInt32, at now: Duration) {
        switch orders[promise] {
        case .stop, .report(_, _, isPaced: true): return
        case .report, nil: set(slot(nextReportMs, at: now), for: promise)
        }
    }

    mutating func pace(_ promise: String, nextReportMs: UInt32, at now: Duration) {
        let wait = Duration.milliseconds(Int64(nextReportMs))
        set(nextReportMs == 0 ? .stop : .report(due: now + wait, every: wait, isPaced: true), for: promise)
    }

    /// Applies the reply to a report of one promise, or with nil of all that are tracking: then it concerns the
    /// nearest.
    mutating func reported(_ promise: String?, nextReportMs: UInt32, at now: Duration) {
        guard nextReportMs > 0 else { return stop(promise, at: now) }
        guard !orders.values.contains(where: \.isPaced) else { return }
        let nearest = orders.filter { isNear($0.value, at: now) }.min { isBefore($0.value, $1.value) }
        set(slot(nextReportMs, at: now), for: promise ?? nearest?.key ?? Self.all)
    }

    /// Makes the next report due now, unless it is near.
    mutating func start(_ promise: String, at now: Duration) {
        if let order = orders[promise], isNear(order, at: now) { return }
        set(.report(due: now, every: interval, isPaced: false), for: promise)
    }

    mutating func stop(_ promise: String) { set(.stop, for: promise) }

    /// Sets the order of a promise, which replaces the one without a promise.
    private mutating func set(_ order: Order, for promise: String) {
        if promise != Self.all { orders[Self.all] = nil }
        orders[promise] = order
    }

    /// Stops reporting for one promise, or with nil for all that are due; later ones stay planned.
    mutating func stop(_ promise: String?, at now: Duration) {
        if let promise { return stop(promise) }
        for (key, order) in orders where isNear(order, at: now) { orders[key] = .stop }
        if orders.isEmpty { orders[Self.all] = .stop }
    }

    // MARK: - Reports

    /// Records a sent report: one that was due, or nearly due, is next due an interval later unless the server
    /// instructs otherwise.
    mutating func sent(at now: Duration) {
        for (key, order) in orders {
            guard case .report(let due, let interval, let isPaced) = order, due <= now + interval / 4 else { continue }
            // Keeps the slot while reports are punctual.
            let next = due + interval > now ? due + interval : now + interval
            orders[key] = .report(due: next, every: interval, isPaced: isPaced)
        }
    }

    private func slot(_ nextReportMs: UInt32, at now: Duration) -> Order {
        guard nextReportMs > 0 else { return .stop }
        return .report(due: now + .milliseconds(Int64(nextReportMs)), every: interval, isPaced: false)
    }

    private func isNear(_ order: Order, at now: Duration) -> Bool { order.due.map { $0 <= now + Self.lead } ?? false }

    private func isBefore(_ left: Order, _ right: Order) -> Bool {
        guard let left = left.due, let right = right.due else { return left.due != nil }
        return left < right
    }
}

extension ReportingPlan.Order {
    /// The next report; nil: none is due.
    var due: Duration? {
        guard case .report(let due, _, _) = self else { return nil }
        return due
    }

    /// `true` if the server has set a pace for this user.
    var isPaced: Bool {
        guard case .report(_, _, let isPaced) = self else { return false }
        return isPaced
    }
}

extension ReportingPlan {
    /// Follows an event's reporting instruction. `userID` is the reporting user; empty if unknown.
    mutating func heard(_ event: WireEvent, of userID: String, at now: Duration) {
        let promise = event.promiseID
        switch event.what {
        case .positions(let positions): self.positions(promise, nextReportMs: positions.nextReportMs, at: now)
        case .pace(let pace): self.pace(promise, nextReportMs: pace.nextReportMs, at: now)
        case .trackingStarted: start(promise, at: now)
        case .trackingEnded, .cancelled, .resultFinal: stop(promise)
        case .sharingChanged(let change) where change.userID == userID: sharing(promise, on: change.on, at: now)
        case .left(let left) where left.user.userID == userID: stop(promise)
        case .removed(let removed) where removed.user.userID == userID: stop(promise)
        default: break
        }
    }

    /// Records that the user shows or hides their position.
    mutating func sharing(_ promise: String, on: Bool, at now: Duration) {
        if on { start(promise, at: now) } else { stop(promise) }
    }
}
