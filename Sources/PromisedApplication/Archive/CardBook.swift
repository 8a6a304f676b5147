internal import PromisedConcurrency
package import PromisedDomain

/// What others see of the people in live sessions, at hand without waiting.
///
/// A session's people are pinned while it lives, so the book is as large as what is live.
package final class CardBook: Sendable {
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

    /// At most this many changed cards are remembered: far more than change while one promise is read.
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

    /// A card changed: whoever is shown it from now on sees it as it is. Called after the change was stored.
    package func update(_ card: UserCard) {
        book.withLock { book in
            book.entries[card.id]?.card = card
            if book.changed.updateValue(card, forKey: card.id) != nil { book.changeOrder.removeAll { $0 == card.id } }
            book.changeOrder.append(card.id)
            if book.changeOrder.count > CardBook.changeLimit {
                book.changed[book.changeOrder.removeFirst()] = nil
            }
        }
    }

    /// Lets go of the cards that only this promise kept.
    package func release(_ promiseID: PromiseID) {
        book.withLock { book in
            for userID in book.pinned.removeValue(forKey: promiseID) ?? [] {
                book.entries[userID]?.pins -= 1
                if book.entries[userID]?.pins == 0 { book.entries[userID] = nil }
            }
        }
    }

    /// The card of somebody in a live session. Whoever is not is shown as a deleted user, which is what an account that
    /// vanished in this very moment is.
    @Sendable package func card(_ userID: UserID) -> UserCard {
        book.withLock { $0.entries[userID]?.card } ?? .tombstone(of: userID)
    }

    /// How many cards are kept.
    package var count: Int { book.withLock { $0.entries.count } }
}
