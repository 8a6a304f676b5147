package import PromisedDomain
package import PromisedPlaces

/// The outcome of a request to add a favourite.
package enum FavouriteAddition: Hashable, Sendable {
    case added
    /// The user already has it: from the same key with the same content less than 24 h ago, or for the same place.
    case existing(Favourite)
    /// The user used the same key for another request less than 24 h ago; nothing was written.
    case keyReused
    /// The user has ``Favourite/most`` favourites; nothing was written.
    case limitReached
    /// The directory does not have the place; nothing was written.
    case placeMissing
}

extension PlaceStore {
    /// Adds a favourite, once per key and per place of the directory, in one transaction.
    ///
    /// - Parameters:
    ///   - favourite: the favourite with its copy of the place.
    ///   - key: the client's name for this request.
    ///   - contentHash: a hash of the request's content, to distinguish a repetition from a reuse.
    ///   - now: the instant of the request.
    /// - Returns: the outcome. Checks the key first, then whether the user has the place, then whether the directory
    ///   has it, then the limit. A key whose favourite has been removed counts as unused.
    /// - Throws: ``StoreError/broken(_:)`` if the user is unknown or deleted.
    package func addFavourite(
        _ favourite: Favourite,
        of user: UserID,
        key: String,
        contentHash: [UInt8],
        now: Instant
    ) async throws(StoreError) -> FavouriteAddition {
        let use = KeyUse(.favourite, owner: user, key: key, contentHash: contentHash, at: now)
        return try await write { db in
            guard try AccountRecord.isAlive(user, in: db) else {
                throw StoreError.broken("A favourite of a user without an account")
            }
            if let earlier = try FavouriteAddition(use.earlier(in: db), of: user, in: db) { return earlier }
            if let place = favourite.place.placeID {
                if let existing = try FavouriteRecord.fetch(of: place, of: user, from: db) {
                    try use.remember(existing.id, in: db)
                    return .existing(existing)
                }
                guard try PlaceRecord.isPresent(place, in: db) else { return .placeMissing }
            }
            guard try FavouriteRecord.count(of: user, in: db) < Favourite.most else { return .limitReached }
            try FavouriteRecord.insert(favourite, of: user, into: db)
            try use.remember(favourite.id, in: db)
            return .added
        }
    }

    /// Removes a favourite of a user; returns `false` if they have no favourite with this id. Primary key.
    @discardableResult
    package func removeFavourite(_ id: FavouriteID, of user: UserID) async throws(StoreError) -> Bool {
        try await write { db in
            try db.run("DELETE FROM favourite WHERE id = ? AND user_id = ?", [id, user])
            return db.changesCount == 1
        }
    }

    /// A user's favourites, newest first. Index `favourite_by_user`.
    ///
    /// - Parameters:
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func favourites(
        of user: UserID,
        after cursor: FavouriteCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<Favourite, FavouriteCursor> {
        try await read { db in
            let rows = try db.rows(
                FavouriteRecord.page,
                named: [
                    "user": user, "cursorTime": cursor?.createdAt, "cursorID": cursor?.favouriteID, "limit": limit + 1,
                ]
            )
            return Page(
                fetched: try rows.map(FavouriteRecord.favourite),
                limit: limit,
                cursor: FavouriteCursor.init(_:)
            )
        }
    }

    /// The places of the directory among a user's favourites. Index `favourite_by_user`.
    package func favouritePlaces(of user: UserID) async throws(StoreError) -> [PlaceID: FavouriteID] {
        try await read { db in
            let rows = try db.rows(
                "SELECT place_id, id FROM favourite WHERE user_id = ? AND place_id IS NOT NULL",
                [user]
            )
            return Dictionary(
                uniqueKeysWithValues: try rows.map { (try $0.value("place_id"), try $0.value("id")) }
            )
        }
    }
}

extension FavouriteAddition {
    /// The outcome of an earlier use of the key; nil if the key is free.
    fileprivate init?(_ earlier: EarlierUse<Favourite>?, of user: UserID, in db: SQLConnection) throws {
        switch earlier {
        case .same(let id):
            guard let favourite = try FavouriteRecord.fetch(id, of: user, from: db) else { return nil }
            self = .existing(favourite)
        case .other: self = .keyReused
        case nil: return nil
        }
    }
}
