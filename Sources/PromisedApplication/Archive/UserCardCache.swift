internal import PromisedConcurrency
package import PromisedDomain

/// The cards of the people in live sessions, available without waiting.
///
/// A session's people are pinned while it lives, so the cache is as large as the live sessions.
package final class UserCardCache: Sendable {
    private struct Entry: Sendable {
        var card: UserCard
        var pins: Int
    }

    private struct Book: Sendable {
        var entries: [UserID: Entry] = [:]
        var pinned: [PromiseID: Set<UserID>] = [:]
        /// The last cards that changed, by user, and their users, oldest first: a card that was read before it changed
        /// may be pinned only afterwards.
        var changed: [UserID: UserCard] = [:]
        var changeOrder: [UserID] = []
    }

    /// At most this many changed cards are kept: far more than change while one promise is read.
    private static let changeLimit = 256

    private let book = Guarded(Book())

    /// An empty book.
    package init() {}

    /// Keeps the cards of people in a promise until it is released.
    package func pin(_ cards: some Sequence<UserCard>, for promiseID: PromiseID) {
        book.withLock { book in
            for card in cards {
                let isNew = book.pinned[promiseID, default: []].insert(card.id).inserted
                let pins = (book.entries[card.id]?.pins ?? 0) + (isNew ? 1 : 0)
                book.entries[card.id] = Entry(card: book.changed[card.id] ?? card, pins: pins)
            }
        }
    }

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
            for userID in book.pinned.removeValue(forKey: promiseID) ?? [] {
                book.entries[userID]?.pins -= 1
                if book.entries[userID]?.pins == 0 { book.entries[userID] = nil }
            }
        }
    }

    /// The card of a user in a live session. Any other user is shown as a deleted one, which is correct for an account
    /// deleted at this moment.
    @Sendable package func card(_ userID: UserID) -> UserCard {
        book.withLock { $0.entries[userID]?.card } ?? .tombstone(of: userID)
    }

    /// How many cards are kept.
    package var count: Int { book.withLock { $0.entries.count } }
}
