package import CoreMetrics
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedEngine

/// Events of users' notifications, in order, until the ``NotificationDispatcher`` takes them.
///
/// All calls may come from anywhere, and of the package's none waits but ``roundEnd()``. Bounded: beyond ``capacity`` what arises is dropped and counted, and
/// requests are refused for a second.
package final class NotificationQueue: Sendable {
    private struct State {
        var orders: [NotificationOrder] = []
        var isClosed = false
        /// Runs while the dispatcher waits.
        var sleeper: Task<Void, Never>?
        /// `true` while the dispatcher decides by what it has read.
        var isInRound = false
        /// The callers who wait for the end of the round.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The most orders that wait.
    static let capacity = 50_000

    private let clock: any WallClock
    private let state = Guarded(State())
    let metrics: NotificationMetrics

    /// An empty queue.
    ///
    /// - Parameter metrics: makes the counters of notifications; none by default.
    package init(clock: any WallClock, metrics: any MetricsFactory = NOOPMetricsHandler.instance) {
        self.clock = clock
        self.metrics = NotificationMetrics(metrics)
    }

    // MARK: - What arises

    /// Something happens that users should be told, unless a block stands between them and the one who causes it.
    ///
    /// - Parameters:
    ///   - users: the users to tell; not the one who causes it.
    ///   - other: the user who causes it, if any.
    ///   - instant: when it happens; nil for now. A repeat with the same topic, cause and instant is the same
    ///     notification, so one that may be repeated after a restart must not be dated now.
    ///   - isOnce: `true` if it happens to a user at most once with this kind and subject, whenever.
    package func arose(
        _ topic: NotificationTopic,
        for users: some Sequence<UserID>,
        causedBy other: UserID? = nil,
        at instant: Instant? = nil,
        isOnce: Bool = false
    ) {
        let at = instant ?? clock.now
        let occasion = isOnce ? 0 : UInt64(bitPattern: at.milliseconds)
        for user in users where user != other {
            let id = NotificationID(of: topic, causedBy: other, for: user, occasion: occasion)
            let notification = UserNotification(id: id, at: at, topic: topic, userID: other)
            submit(NotificationOrder(userID: user, content: .event(.arose(notification))))
        }
    }

    /// Notes a durable event of a promise, with its session as it stands after it, for ``Announcer/note(_:in:)``.
    package func note(_ event: NumberedEvent, in view: SessionView) {
        let promise = view.promise
        switch event.event {
        case .invited(let user):
            let topic = NotificationTopic.invited(promise.id, meetsAt: promise.meetsAt)
            arose(topic, for: [user], causedBy: promise.ownerID, at: event.at)
        case .trackingStarted:
            let accepted = view.members.lazy.map(\.participant).filter { $0.membership == .accepted }.map(\.userID)
            arose(.trackingStarted(promise.id), for: accepted, at: event.at, isOnce: true)
        case .resultFinal:
            arose(.resultFinal(promise.id), for: view.result?.rows.map(\.userID) ?? [], at: event.at, isOnce: true)
        case .joined, .declined, .left, .removed, .handedOver, .edited, .cancelled, .meetingTime, .late, .trackingEnded,
            .arrived, .arrivalConfirmed, .arrivalRetracted, .rankingRevised, .excused, .viewLinkCreated,
            .viewLinkRevoked:
            break
        }
    }

    // MARK: - What changes

    /// A block was stored between two users.
    package func separated(_ one: UserID, _ other: UserID) {
        submit(NotificationOrder(userID: one, content: .event(.separated(from: other))))
        submit(NotificationOrder(userID: other, content: .event(.separated(from: one))))
    }

    /// Waits for the end of the round in progress, if there is one. It may have read the store before something that the
    /// caller has stored; the next one reads it.
    package func roundEnd() async {
        await withCheckedContinuation { waiter in
            let isInRound = state.withLock { state in
                if state.isInRound { state.waiters.append(waiter) }
                return state.isInRound
            }
            if !isInRound { waiter.resume() }
        }
    }

    /// Another time zone of a user was stored.
    package func timeZoneChanged(of userID: UserID) {
        submit(NotificationOrder(userID: userID, content: .timeZone))
    }

    /// A connection ended. Needed only for one that has set a focus; without this call, the focus ends by its lease.
    package func connectionEnded(_ connection: SubscriberID, of userID: UserID) {
        let connection = FocusTable.Connection(number: connection.rawValue)
        submit(NotificationOrder(userID: userID, content: .event(.disconnected(connection))))
    }

    /// Waits until an event has been carried out and stored. Throws `unavailable`, the store's errors, and the rules'
    /// refusals.
    func perform(_ content: NotificationOrder.Content, of userID: UserID) async throws {
        try await withCheckedContinuation { waiter in
            submit(NotificationOrder(userID: userID, content: content, waiter: waiter))
        }.get()
    }

    private func submit(_ order: NotificationOrder) {
        let (isTaken, sleeper) = state.withLock { state in
            let hasRoom = !state.isClosed && state.orders.count < NotificationQueue.capacity
            if hasRoom { state.orders.append(order) }
            return (hasRoom, state.sleeper)
        }
        if !isTaken { fail(order, ActError.unavailable(retryAfter: .seconds(1))) }
        sleeper?.cancel()
    }

    /// Gives an order up: tells the caller who waits, or counts it.
    func fail(_ order: NotificationOrder, _ error: any Error) {
        if let waiter = order.waiter { waiter.resume(returning: .failure(error)) } else { metrics.noteDropped() }
    }

    // MARK: - For the dispatcher

    /// Waits until there is an order, the clock shows `instant`, or the task is cancelled.
    func wait(until instant: Instant) async {
        let sleeper = state.withLock { state -> Task<Void, Never>? in
            guard state.orders.isEmpty else { return nil }
            // Ended by `submit`, by the cancellation below, or by the clock; awaited right here.
            let sleeper = Task { [clock] in
                do {
                    try await clock.sleep(until: instant)
                } catch {
                    // There is an order, or the dispatcher stops: it looks which.
                }
            }
            state.sleeper = sleeper
            return sleeper
        }
        guard let sleeper else { return }
        await withTaskCancellationHandler {
            await sleeper.value
        } onCancel: {
            sleeper.cancel()
        }
        state.withLock { $0.sleeper = nil }
    }

    /// The first orders, at most `limit`.
    func take(_ limit: Int) -> [NotificationOrder] {
        state.withLock { state in
            let taken = Array(state.orders.prefix(limit))
            state.orders.removeFirst(taken.count)
            return taken
        }
    }

    /// A round begins, before it reads anything.
    func beginRound() { state.withLock { $0.isInRound = true } }

    /// The round has told all that it tells.
    func endRound() {
        let waiters = state.withLock { state in
            state.isInRound = false
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Puts orders that were taken back in front of the others.
    func putBack(_ orders: [NotificationOrder]) { state.withLock { $0.orders.insert(contentsOf: orders, at: 0) } }

    /// Refuses what waits and all that comes.
    func close() {
        let rest = state.withLock { state in
            state.isClosed = true
            defer { state.orders = [] }
            return state.orders
        }
        for order in rest { fail(order, ActError.unavailable(retryAfter: .seconds(1))) }
    }
}
