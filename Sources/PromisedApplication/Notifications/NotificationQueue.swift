package import CoreMetrics
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedEngine

/// Events of users' notifications, in order, until the ``NotificationDispatcher`` takes them.
///
/// Callable from anywhere; of the package's calls, only ``roundEnd()`` waits. Bounded: beyond ``capacity``, new events
/// are dropped and counted, and requests are refused for a second.
package final class NotificationQueue: Sendable {
    private struct State {
        var orders: [NotificationOrder] = []
        var isClosed = false
        /// The task that wakes the waiting dispatcher.
        var sleeper: Task<Void, Never>?
        /// `true` while the dispatcher makes decisions from the state that it has read.
        var isInRound = false
        /// The callers that wait for the end of the round.
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The most queued orders.
    static let capacity = 50_000

    private let clock: any WallClock
    private let state = Guarded(State())
    let metrics: NotificationMetrics

    /// - Parameter metrics: creates the counters of notifications; by default none.
    package init(clock: any WallClock, metrics: any MetricsFactory = NOOPMetricsHandler.instance) {
        self.clock = clock
        self.metrics = NotificationMetrics(metrics)
    }

    // MARK: - What arises

    /// Reports an event of which users should be notified, unless a block separates them from its cause.
    ///
    /// - Parameters:
    ///   - users: the users to notify; not the one who causes it.
    ///   - other: the user who causes it, if any.
    ///   - instant: when it happens; nil for now. A repetition with the same topic, cause and instant is the same
    ///     notification, so an event that may be repeated after a restart must not be dated now.
    ///   - isOnce: `true` if a user gets at most one notification of this kind and subject, ever.
    package func raise(
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
            submit(NotificationOrder(userID: user, content: .event(.raised(notification))))
        }
    }

    /// Reports a durable event of a promise, with the session's state after it, for ``Announcer/note(_:in:)``.
    package func note(_ event: NumberedEvent, in view: SessionView) {
        let promise = view.promise
        switch event.event {
        case .invited(let user):
            let topic = NotificationTopic.invited(promise.id, meetsAt: promise.meetsAt)
            raise(topic, for: [user], causedBy: promise.ownerID, at: event.at)
        case .trackingStarted:
            let accepted = view.members.lazy.map(\.participant).filter { $0.membership == .accepted }.map(\.userID)
            raise(.trackingStarted(promise.id), for: accepted, at: event.at, isOnce: true)
        case .resultFinal:
            raise(.resultFinal(promise.id), for: view.result?.rows.map(\.userID) ?? [], at: event.at, isOnce: true)
        case .joined, .declined, .left, .removed, .handedOver, .edited, .cancelled, .meetingTime, .late, .trackingEnded,
            .arrived, .arrivalConfirmed, .arrivalRetracted, .rankingRevised, .excused, .viewLinkCreated,
            .viewLinkRevoked:
            break
        }
    }

    // MARK: - What changes

    /// Reports that a block between two users was stored.
    package func blockCreated(between one: UserID, and other: UserID) {
        submit(NotificationOrder(userID: one, content: .event(.blockCreated(with: other))))
        submit(NotificationOrder(userID: other, content: .event(.blockCreated(with: one))))
    }

    /// Waits for the end of the round in progress, if any. It may have read the store before the caller's last write;
    /// the next round reads that write.
    package func roundEnd() async {
        await withCheckedContinuation { waiter in
            let isInRound = state.withLock { state in
                if state.isInRound { state.waiters.append(waiter) }
                return state.isInRound
            }
            if !isInRound { waiter.resume() }
        }
    }

    /// Reports that a user's new time zone was stored.
    package func timeZoneChanged(of userID: UserID) {
        submit(NotificationOrder(userID: userID, content: .timeZone))
    }

    /// Reports the end of a connection. Needed only for a connection that has set a focus; without this call, the focus
    /// ends with its lease.
    package func connectionEnded(_ connection: SubscriberID, of userID: UserID) {
        let connection = FocusTable.Connection(number: connection.rawValue)
        submit(NotificationOrder(userID: userID, content: .event(.disconnected(connection))))
    }

    /// Waits until an event has been applied and stored. Throws `unavailable`, the store's errors, and the rules'
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
        if !isTaken { fail(order, ApplicationError.unavailable(retryAfter: .seconds(1))) }
        sleeper?.cancel()
    }

    /// Drops an order: resumes its waiting caller with the error, or counts it.
    func fail(_ order: NotificationOrder, _ error: any Error) {
        if let waiter = order.waiter { waiter.resume(returning: .failure(error)) } else { metrics.noteDropped() }
    }

    // MARK: - For the dispatcher

    /// Waits until there is an order, the clock reaches `instant`, or the task is cancelled.
    func wait(until instant: Instant) async {
        let sleeper = state.withLock { state -> Task<Void, Never>? in
            guard state.orders.isEmpty else { return nil }
            // Cancelled by `submit`, by the cancellation below, or ended by the clock; awaited right here.
            let sleeper = Task { [clock] in
                do {
                    try await clock.sleep(until: instant)
                } catch {
                    // There is an order, or the dispatcher stops: the dispatcher checks which.
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

    /// Removes and returns the first orders, at most `limit`.
    func take(_ limit: Int) -> [NotificationOrder] {
        state.withLock { state in
            let taken = Array(state.orders.prefix(limit))
            state.orders.removeFirst(taken.count)
            return taken
        }
    }

    /// Call this when a round begins, before it reads anything.
    func beginRound() { state.withLock { $0.isInRound = true } }

    /// Call this when the round has sent its notifications.
    func endRound() {
        let waiters = state.withLock { state in
            state.isInRound = false
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Requeues orders before all others.
    func putBack(_ orders: [NotificationOrder]) { state.withLock { $0.orders.insert(contentsOf: orders, at: 0) } }

    /// Rejects queued and future orders.
    func close() {
        let rest = state.withLock { state in
            state.isClosed = true
            defer { state.orders = [] }
            return state.orders
        }
        for order in rest { fail(order, ApplicationError.unavailable(retryAfter: .seconds(1))) }
    }
}
