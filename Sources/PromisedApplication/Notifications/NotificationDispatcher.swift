package import Logging
internal import PromisedDomain
package import PromisedEngine
package import PromisedStore

/// Decides about all notifications, stores them, and sends them; the only writer of notifications.
///
/// ```
/// queue ─▶ round: load the users ─▶ machines ─▶ store, one transaction ─▶ connections, phone, waiting callers
///   ▲         │ no storage
///   └─────────┘ again a second later
/// ```
/// A user's state is read for each round and dropped after it: only the focuses of connections and the ends of holds
/// stay in memory. One timer waits for the next of these, on the server's clock.
package actor NotificationDispatcher {
    /// The most orders, and the most ended holds, per round.
    private static let roundLimit = 128
    /// How often expired notifications are deleted.
    private static let lookEvery = TimeSpan.hours(1)

    private let queue: NotificationQueue
    private let store: (accounts: AccountStore, friendships: FriendshipStore, notifications: NotificationStore)
    private let news: any News
    private let phone: any PhonePush
    private let leases: any FocusLeases
    private let clock: any WallClock
    private let log: Logger
    /// The focuses of connections, for users who have any.
    private var focuses: [UserID: FocusTable] = [:]
    /// When the next hold ends, for users who have any.
    private var wakes: [UserID: Instant] = [:]
    private var nextLook: Instant
    private var isRestored = false
    private var isFailing = false

    /// A dispatcher, which is idle until ``run()``.
    package init(
        queue: NotificationQueue,
        store: some HasAccounts & HasFriendships & HasNotifications,
        news: any News,
        phone: any PhonePush = NoPhonePush(),
        leases: any FocusLeases,
        clock: any WallClock,
        log: Logger
    ) {
        self.queue = queue
        self.store = (store.accounts, store.friendships, store.notifications)
        self.news = news
        self.phone = phone
        self.leases = leases
        self.clock = clock
        self.log = log
        nextLook = clock.now
    }

    /// Works until the task is cancelled, then finishes the queued orders and rejects new ones.
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

    /// Waits for a second of real time. Logs only the first of consecutive failures.
    private func pause(because error: StoreError) async {
        if !isFailing { log.error("Notifications cannot be stored", metadata: ["error": "\(error)"]) }
        isFailing = true
        do {
            try await clock.sleep(until: clock.now + .seconds(clock.rate))
        } catch {
            // The dispatcher stops: `run` detects that.
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

    /// Finds the held notifications at the start, then deletes expired ones periodically.
    private func look(at now: Instant) async throws(StoreError) {
        if !isRestored {
            for (userID, hold) in try await store.notifications.notificationHolds() {
                // Connections end with the process, so no user is still writing.
                wakes[userID] = hold.reason == .writing ? now : hold.until
            }
            isRestored = true
        }
        guard nextLook <= now else { return }
        try await store.notifications.deleteNotifications(upTo: now - NotificationInbox.lifetime)
        dropEndedFocuses(at: now)
        nextLook = now + NotificationDispatcher.lookEvery
    }

    /// Drops the focuses of connections whose end was not reported.
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

    /// Carries out orders, and the consequences of ended holds. If the store is unavailable, has no effect: waiting
    /// callers receive the error, and the other orders are queued again.
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

    /// Carries out one user's orders after a round with several users has failed, or drops them: damaged rows of one
    /// user must not block the notifications of all.
    private func decideAlone(_ userID: UserID, _ orders: [NotificationOrder], at now: Instant) async {
        do throws(StoreError) {
            try await decide([userID: orders], at: now)
        } catch {
            log.error("Notifications were given up", metadata: ["user": "\(userID)", "error": "\(error)"])
            if wakes[userID] != nil { wakes[userID] = now + NotificationDispatcher.lookEvery }
            for order in orders { queue.fail(order, error) }
        }
    }

    /// Updates only the focuses, if the user has no held notifications.
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
        let states = try await store.notifications.notificationStates(of: orders.keys)
        let pairs = orders.flatMap { user, orders in orders.compactMap(\.cause).map { UserPair(user, $0) } }
        let blocks =
            pairs.isEmpty ? [] : try await store.friendships.blocks(among: pairs.flatMap { [$0.first, $0.second] })
        var steps: [NotificationStep] = []
        for (userID, state) in states {
            let mine = orders[userID] ?? []
            var step = NotificationStep(
                of: userID,
                in: state,
                focuses: focuses[userID] ?? FocusTable(),
                leases: leases,
                newBlocks: mine.compactMap(\.newlyBlocked),
                at: now
            )
            for order in mine where !isBlocked(order, blocks) { step.carryOut(order) }
            steps.append(step)
        }
        let cards = try await store.accounts.cards(of: steps.flatMap { $0.told.compactMap(\.userID) })
        let told = steps.flatMap { step in step.told.map { (user: step.userID, notification: $0) } }
        let names = try await store.notifications.names(of: told)
        let changes = steps.map(\.changes).filter { !$0.isEmpty }
        // Accounts whose deletion began after their state was read, and notifications whose cause no longer exists, are
        // not stored, so they are not sent.
        let skipped = changes.isEmpty ? SkippedNotifications() : try await store.notifications.apply(changes)
        let kept = steps.filter { !skipped.users.contains($0.userID) }
        for step in kept { end(step, cards, names, without: skipped.notifications) }
        for step in kept { step.answer() }
        for (userID, orders) in orders where states[userID] == nil || skipped.users.contains(userID) {
            forget(userID, orders)
        }
    }

    private func isBlocked(_ order: NotificationOrder, _ blocks: Set<UserPair>) -> Bool {
        order.cause.map { blocks.contains(UserPair(order.userID, $0)) } ?? false
    }

    /// Finishes a step whose changes are stored.
    private func end(
        _ step: NotificationStep,
        _ cards: [UserID: UserCard],
        _ names: [NotificationID: NotificationNames],
        without skipped: Set<NotificationID>
    ) {
        keep(step.focuses, of: step.userID)
        wakes[step.userID] = step.nextWake
        for (kind, decision) in step.decisions { queue.metrics.note(kind, decision) }
        for notification in step.told where !skipped.contains(notification.id) {
            let card = notification.userID.flatMap { cards[$0] }
            let names = names[notification.id] ?? NotificationNames()
            news.tell(.notification(notification, names, by: card), to: .user(step.userID))
        }
        for notification in step.pushed where !skipped.contains(notification.id) {
            phone.push(notification, to: step.userID)
        }
    }

    /// Drops the orders of a user whose account is deleted or being deleted.
    private func forget(_ userID: UserID, _ orders: [NotificationOrder]) {
        focuses[userID] = nil
        wakes[userID] = nil
        for order in orders { order.waiter?.resume(returning: .failure(ApplicationError.invalidToken)) }
    }
}
