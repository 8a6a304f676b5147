package import PromisedDomain

/// The cards of a shown promise's people, with or without a live session.
package struct ShownCards: Sendable {
    private let read: [UserID: UserCard]
    private let cache: UserCardCache

    /// Creates cards from those just read; the cache supplies those that changed since.
    init(_ read: [UserID: UserCard], newerIn cache: UserCardCache) {
        self.read = read
        self.cache = cache
    }

    /// The card of a user. An unknown user is shown as deleted.
    @Sendable package func card(_ userID: UserID) -> UserCard {
        cache.newest(userID) ?? read[userID] ?? .tombstone(of: userID)
    }

    /// Runs `body` with these cards in the cache, from which announcements read them.
    func whilePinned(_ body: () -> Void) {
        cache.pin(read.values)
        defer { cache.unpin(read.keys) }
        body()
    }
}
