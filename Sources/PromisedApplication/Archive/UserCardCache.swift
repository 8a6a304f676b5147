internal import PromisedConcurrency
package import PromisedDomain

/// The cards of the people in live sessions, available without waiting.
///
/// A session's people are pinned while it lives, so the cache is as large as the live sessions. A promise that is shown
/// without a session has its cards in ``ShownCards``.
package final class UserCardCache: Sendable {
    private struct Entry: Sendable {
        var card: UserCard
        var pins: Int
    }

    private struct Book: Sendable {
        var entries: [UserID: Entry] = [:]
        /// The people of the promises that are pinned.
        var pinned: [PromiseID: Set<UserID>] = [:]
        /// The most recently changed cards by user, and their users, oldest first: a card that was read before its
        /// change may be pinned after it.
        var changed: [UserID: UserCard] = [:]
        var changeOrder: [UserID] = []

        /// Pins a card. One that is pinned already includes every change.
        mutating func pin(_ card: UserCard) {
            entries[card.id, default: Entry(card: changed[card.id] ?? card, pins: 0)].pins += 1
        }

        mutating func unpin(_ userID: UserID) {
            entries[userID]?.pins -= 1
            if entries[userID]?.pins == 0 { entries[userID] = nil }
        }
    }

    /// The most changed cards that are stored: far more than change during one read of a promise.
    private static let changeLimit = 256

    private let book = Guarded(Book())

    package init() {}

    /// Pins the cards of people in a promise until it is released.
    package func pin(_ cards: some Sequence<UserCard>, for promiseID: PromiseID) {
        book.withLock { book in
            for card in cards where book.pinned[promiseID, default: []].insert(card.id).inserted { book.pin(card) }
        }
    }

    /// Pins cards until ``unpin(_:)``.
    func pin(_ cards: some Sequence<UserCard>) { book.withLock { book in for card in cards { book.pin(card) } } }

    /// Unpins cards of ``pin(_:)``, and drops those without another use.
    func unpin(_ users: some Sequence<UserID>) { book.withLock { book in for user in users { book.unpin(user) } } }

    /// Replaces a changed card. Call it after the change was stored.
    package func update(_ card: UserCard) {
        book.withLock { book in
            book.entries[card.id]?.card = card
            if book.changed.updateValue(card, forKey: card.id) != nil { book.changeOrder.removeAll { $0 == card.id } }
            book.changeOrder.append(card.id)
            if book.changeOrder.count > UserCardCache.changeLimit { book.changed[book.changeOrder.removeFirst()] = nil }
        }
    }

    /// Drops the cards that only this promise used.
    package func release(_ promiseID: PromiseID) {
        book.withLock { book in
            for userID in book.pinned.removeValue(forKey: promiseID) ?? [] { book.unpin(userID) }
        }
    }

    /// The card of a user in a live session. Any other user is shown as deleted, which is correct for an account
    /// deleted at this moment.
    @Sendable package func card(_ userID: UserID) -> UserCard {
        book.withLock { $0.entries[userID]?.card } ?? .tombstone(of: userID)
    }

    /// The cached cards of these users.
    func known(_ users: [UserID]) -> [UserID: UserCard] {
        book.withLock { book in
            Dictionary(users.compactMap { book.entries[$0]?.card }.map { ($0.id, $0) }) { first, _ in first }
        }
    }

    /// The cached or recently changed card of a user; nil if there is neither. It is no older than one that was just
    /// read.
    func newest(_ userID: UserID) -> UserCard? {
        book.withLock { $0.entries[userID]?.card ?? $0.changed[userID] }
    }

    package var count: Int { book.withLock { $0.entries.count } }
}
