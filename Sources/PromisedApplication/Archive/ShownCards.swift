package import PromisedDomain

/// The cards of the people of a promise that is shown, whether it has a live session or not.
package struct ShownCards: Sendable {
    private let read: [UserID: UserCard]
    private let cache: UserCardCache

    /// Cards that were just read; those that changed since come from the cache.
    init(_ read: [UserID: UserCard], newerIn cache: UserCardCache) {
        self.read = read
        self.cache = cache
    }

    /// The card of a user. One who is unknown is shown as deleted.
    @Sendable package func card(_ userID: UserID) -> UserCard {
        cache.newest(userID) ?? read[userID] ?? .tombstone(of: userID)
    }

    /// Runs `body`, during which the cache has these cards, too: announcements take theirs from it.
    func whilePinned(_ body: () -> Void) {
        cache.pin(read.values)
        defer { cache.unpin(read.keys) }
        body()
    }
}
