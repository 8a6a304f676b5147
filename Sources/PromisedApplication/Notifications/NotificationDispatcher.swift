package import Logging
internal import PromisedDomain
package import PromisedEngine
package import PromisedStore

/// Decides about all notifications, stores them, and tells them; the only one that writes them.
///
/// ```
/// queue ─▶ round: load the users ─▶ machines ─▶ store, one transaction ─▶ connections, phone, waiting callers
///   ▲         │ no storage
///   └─────────┘ again a second later
/// ```
/// A user's state is read for each round and forgotten after it: in memory are only the focuses of connections and the
/// instants at which holds end. One timer waits for the next of these, on the server's clock.
package actor NotificationDispatcher {
    /// The most orders, and the most ended holds, in a round.
    private static let roundLimit = 128
    /// How often expired notifications are deleted.
    private static let lookEvery = TimeSpan.hours(1)

    private let queue: NotificationQueue
    private let store: Store
    private let notifier: any Notifier
    private let phone: any PhonePush
    private let leases: any FocusLeases
    private let clock: any WallClock
    private let log: Logger
    /// The focuses of connections, of users with any.
    private var focuses: [UserID: FocusTable] = [:]
    /// When the next hold of each user with any may end.
    private var wakes: [UserID: Instant] = [:]
    private var nextLook: Instant
    private var isRestored = false
    private var isFailing = false

    /// A dispatcher that does nothing before ``run()``.
    package init(
        queue: NotificationQueue,
        store: Store,
        notifier: any Notifier,
        phone: any PhonePush = NoPhonePush(),
        leases: any FocusLeases,
        clock: any WallClock,
        log: Logger
    ) {
        self.queue = queue
        self.store = store
        self.notifier = notifier
        self.phone = phone
        self.leases = leases
        self.clock = clock
        self.log = log
        nextLook = clock.now
    }

    /// Works until the task is cancelled, then works off what waits and refuses all that comes.
    package func run() async {
        while !Task.isCancelled {
            await queue.wait(until: wakes.values.reduce(nextLook, min))
            guard !Task.isCancelled else { break }
            do throws(StoreError) {
                try await look(at: clock.now)
                try await round(queue.take(NotificationDispatcher.roundLimit), at: clock.now)
                isFailing = false
            } catch {
                await pause(because: error)
            }
        }
        await finish()
    }

    /// Waits for a second of real time. Of failures in a row the first is logged.
    private func pause(because error: StoreError) async {
        if !isFailing { log.error("Notifications cannot be stored", metadata: ["error": "\(error)"]) }
        isFailing = true
        do {
            try await clock.sleep(until: clock.now + .seconds(clock.rate))
        } catch {
            // The dispatcher stops: `run` sees that.
        }
    }

    private func finish() async {
        do throws(StoreError) {
            while case let orders = queue.take(NotificationDispatcher.roundLimit), !orders.isEmpty {
                try await round(orders, at: clock.now)
            }
        } catch {
            log.error("The last notifications could not be stored", metadata: ["error": "\(error)"])
        }
        queue.close()
    }

    // MARK: - Now and then

    /// At first finds the notifications that are held back, then deletes expired ones from time to time.
    private func look(at now: Instant) async throws(StoreError) {
        if !isRestored {
            for (userID, hold) in try await store.notificationHolds() {
                // Connections end with the process, and writing with them.
                wakes[userID] = hold.reason == .writing ? now : hold.until
            }
            isRestored = true
        }
        guard nextLook <= now else { return }
        try await store.deleteNotifications(upTo: now - NotificationInbox.lifetime)
        dropEndedFocuses(at: now)
        nextLook = now + NotificationDispatcher.lookEvery
    }

    /// Drops the focuses of connections whose end nobody has noted.
    private func dropEndedFocuses(at now: Instant) {
        for (userID, var table) in focuses {
            for connection in Array(table.connections) { table.renew(connection, until: end(of: connection)) }
            table.expire(at: now)
            keep(table, of: userID)
        }
    }

    private func end(of connection: FocusTable.Connection) -> Instant? {
        leases.focusEnd(of: SubscriberID(rawValue: connection.number))
    }

    private func keep(_ table: FocusTable, of userID: UserID) { focuses[userID] = table.isEmpty ? nil : table }

    // MARK: - One round

    /// Carries out orders, and the consequences of holds that have ended. If the store is unavailable, nothing has
    /// happened: waiting callers receive the error, the other orders wait again.
    private func round(_ orders: [NotificationOrder], at now: Instant) async throws(StoreError) {
        queue.beginRound()
        defer { queue.endRound() }
        let due = wakes.filter { $0.value <= now }.keys.prefix(NotificationDispatcher.roundLimit)
        var byUser = Dictionary(grouping: orders, by: \.userID)
        for userID in due where byUser[userID] == nil { byUser[userID] = [] }
        for (userID, orders) in byUser where wakes[userID] == nil && orders.allSatisfy(\.isAboutFocus) {
            focus(orders, of: userID, at: now)
            byUser[userID] = nil
        }
        guard !byUser.isEmpty else { return }
        do throws(StoreError) {
            try await decide(byUser, at: now)
        } catch {
            guard error.isTransient else {
                for (userID, orders) in byUser { await decideAlone(userID, orders, at: now) }
                return
            }
            putBack(orders.filter { byUser[$0.userID] != nil }, because: error)
            throw error
        }
    }

    private func putBack(_ orders: [NotificationOrder], because error: StoreError) {
        for order in orders { order.waiter?.resume(returning: .failure(error)) }
        queue.putBack(orders.filter { $0.waiter == nil })
    }

    /// Carries out the orders of one user after those of several have failed together, or gives them up: the rows of
    /// one user must not hold up the notifications of all.
    private func decideAlone(_ userID: UserID, _ orders: [NotificationOrder], at now: Instant) async {
        do throws(StoreError) {
            try await decide([userID: orders], at: now)
        } catch {
            log.error("Notifications were given up", metadata: ["user": "\(userID)", "error": "\(error)"])
            if wakes[userID] != nil { wakes[userID] = now + NotificationDispatcher.lookEvery }
            for order in orders { queue.fail(order, error) }
        }
    }

    /// Only the focuses change: nothing of the user's is held.
    private func focus(_ orders: [NotificationOrder], of userID: UserID, at now: Instant) {
        var table = focuses[userID] ?? FocusTable()
        for order in orders {
            switch order.content {
            case .event(.focus(let connection, let focus)): table.set(focus, of: connection, at: now)
            case .event(.disconnected(let connection)): table.remove(connection)
            case .event, .edit, .timeZone, .dropCauseless: break
            }
            order.waiter?.resume(returning: .success(()))
        }
        keep(table, of: userID)
    }

    private func decide(_ orders: [UserID: [NotificationOrder]], at now: Instant) async throws(StoreError) {
        let states = try await store.notificationStates(of: orders.keys)
        let pairs = orders.flatMap { user, orders in orders.compactMap(\.cause).map { UserPair(user, $0) } }
        let blocks = pairs.isEmpty ? [] : try await store.blocks(among: pairs.flatMap { [$0.first, $0.second] })
        var steps: [NotificationStep] = []
        for (userID, state) in states {
            let mine = orders[userID] ?? []
            var step = NotificationStep(
                of: userID,
                in: state,
                focuses: focuses[userID] ?? FocusTable(),
                leases: leases,
                separated: mine.compactMap(\.separatedFrom),
                at: now
            )
            for order in mine where !isBlocked(order, blocks) { step.carryOut(order) }
            steps.append(step)
        }
        let cards = try await store.cards(of: steps.flatMap { $0.told.compactMap(\.userID) })
        let changes = steps.map(\.changes).filter { !$0.isEmpty }
        // Accounts whose deletion began after their states were read, and notifications whose cause went: nothing of them
        // is stored, so nothing is told.
        let skipped = changes.isEmpty ? SkippedNotifications() : try await store.apply(changes)
        let kept = steps.filter { !skipped.users.contains($0.userID) }
        for step in kept { end(step, cards, without: skipped.notifications) }
        for step in kept { step.answer() }
        for (userID, orders) in orders where states[userID] == nil || skipped.users.contains(userID) {
            forget(userID, orders)
        }
    }

    private func isBlocked(_ order: NotificationOrder, _ blocks: Set<UserPair>) -> Bool {
        order.cause.map { blocks.contains(UserPair(order.userID, $0)) } ?? false
    }

    /// All that a step needs is stored.
    private func end(
        _ step: NotificationStep,
        _ cards: [UserID: UserCard],
        without skipped: Set<NotificationID>
    ) {
        keep(step.focuses, of: step.userID)
        wakes[step.userID] = step.nextWake
        for (kind, decision) in step.decisions { queue.metrics.note(kind, decision) }
        for notification in step.told where !skipped.contains(notification.id) {
            notifier.tell(step.userID, .notification(notification, by: notification.userID.flatMap { cards[$0] }))
        }
        for notification in step.pushed where !skipped.contains(notification.id) {
            phone.push(notification, to: step.userID)
        }
    }

    /// The account is deleted, or about to be.
    private func forget(_ userID: UserID, _ orders: [NotificationOrder]) {
        focuses[userID] = nil
        wakes[userID] = nil
        for order in orders { order.waiter?.resume(returning: .failure(ActError.invalidToken)) }
    }
}
