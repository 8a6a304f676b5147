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
        /// The last cards that changed, by user, and their users, oldest first: a card that was read before it changed
        /// may be pinned only afterwards.
        var changed: [UserID: UserCard] = [:]
        var changeOrder: [UserID] = []

        /// A card that is pinned already has seen every change.
        mutating func pin(_ card: UserCard) {
            entries[card.id, default: Entry(card: changed[card.id] ?? card, pins: 0)].pins += 1
        }

        mutating func unpin(_ userID: UserID) {
            entries[userID]?.pins -= 1
            if entries[userID]?.pins == 0 { entries[userID] = nil }
        }
    }

    /// At most this many changed cards are kept: far more than change while one promise is read.
    private static let changeLimit = 256

    private let book = Guarded(Book())

    /// An empty book.
    package init() {}

    /// Keeps the cards of people in a promise until it is released.
    package func pin(_ cards: some Sequence<UserCard>, for promiseID: PromiseID) {
        book.withLock { book in
            for card in cards where book.pinned[promiseID, default: []].insert(card.id).inserted { book.pin(card) }
        }
    }

    /// Keeps cards until ``unpin(_:)``.
    func pin(_ cards: some Sequence<UserCard>) { book.withLock { book in for card in cards { book.pin(card) } } }

    /// Drops cards of ``pin(_:)`` that nothing else needs.
    func unpin(_ users: some Sequence<UserID>) { book.withLock { book in for user in users { book.unpin(user) } } }

    /// A card changed: it is shown with its new content from now on. Called after the change was stored.
    package func update(_ card: UserCard) {
        book.withLock { book in
            book.entries[card.id]?.card = card
            if book.changed.updateValue(card, forKey: card.id) != nil { book.changeOrder.removeAll { $0 == card.id } }
            book.changeOrder.append(card.id)
            if book.changeOrder.count > UserCardCache.changeLimit { book.changed[book.changeOrder.removeFirst()] = nil }
        }
    }

    /// Drops the cards that only this promise needed.
    package func release(_ promiseID: PromiseID) {
        book.withLock { book in
            for userID in book.pinned.removeValue(forKey: promiseID) ?? [] { book.unpin(userID) }
        }
    }

    /// The card of a user in a live session. Any other user is shown as a deleted one, which is correct for an account
    /// deleted at this moment.
    @Sendable package func card(_ userID: UserID) -> UserCard {
        book.withLock { $0.entries[userID]?.card } ?? .tombstone(of: userID)
    }

    /// The kept cards of these users.
    func known(_ users: [UserID]) -> [UserID: UserCard] {
        book.withLock { book in
            Dictionary(users.compactMap { book.entries[$0]?.card }.map { ($0.id, $0) }) { first, _ in first }
        }
    }

    /// The card of a user that is kept, or to which it was changed; nil if neither is known. It is no older than one that was
    /// just read.
    func newest(_ userID: UserID) -> UserCard? {
        book.withLock { $0.entries[userID]?.card ?? $0.changed[userID] }
    }

    /// How many cards are kept.
    package var count: Int { book.withLock { $0.entries.count } }
}
