import PromisedDomain
import PromisedPlaces
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct FavouriteTests {
    private static func favourite(_ number: UInt64, at time: Instant = .meeting, of place: PlaceID? = nil) -> Favourite
    {
        Favourite(
            id: FavouriteID(high: 0x7000, low: number),
            label: "Label \(number)",
            place: Place(name: "곳 \(number)", address: "Street", coordinate: .meetingPlace, placeID: place),
            createdAt: time
        )
    }

    @Test func `lists favourites newest first, in pages`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let id = try await store.fill([.sample(1)]).seen[0]
            // Two of the same moment are in the order of their ids.
            let added = [
                Self.favourite(1), Self.favourite(2), Self.favourite(3, at: .meeting + .hours(1), of: id),
                Self.favourite(4, at: .meeting - .hours(1)),
            ]
            for favourite in added { #expect(try await store.add(favourite) == .added) }
            #expect(try await store.add(Self.favourite(5, of: id), of: .user(2)) == .added)
            let expected = [added[2], added[1], added[0], added[3]]
            let first = try await store.places.favourites(of: .user(1), limit: 3)
            #expect(first.items == Array(expected[..<3]) && first.next == FavouriteCursor(added[0]))
            let second = try await store.places.favourites(of: .user(1), after: first.next, limit: 3)
            #expect(second.items == [added[3]] && second.next == nil)
            #expect(try await store.places.favouritePlaces(of: .user(1)) == [id: added[2].id])
            #expect(try await store.places.favourites(of: .user(9), limit: 3).items == [])
        }
    }

    /// The result of a second request with the same key, by its content and the time since the first.
    @Test(arguments: [
        (UInt8(1), TimeSpan.hours(24) - .milliseconds(1), FavouriteAddition.existing(favourite(1))),
        (1, .hours(24), .added),
        (2, .hours(24) - .milliseconds(1), .keyReused),
        (2, .hours(24), .added),
    ])
    func `a key identifies one favourite for a day`(
        hash: UInt8,
        later: TimeSpan,
        expected: FavouriteAddition
    )
        async throws
    {
        try await withStore(users: 1...2) { store async throws in
            #expect(try await store.add(Self.favourite(1), key: "k") == .added)
            #expect(try await store.add(Self.favourite(2), of: .user(2), key: "k") == .added)
            let again = Self.favourite(3)
            #expect(try await store.add(again, key: "k", hash: hash, at: .meeting + later) == expected)
            #expect(
                try await store.places.favourites(of: .user(1), limit: 9).items.count == (expected == .added ? 2 : 1)
            )
        }
    }

    @Test func `rejects a promise's key for a favourite`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.open(.sample(), key: "k")
            let now = Promise.sample().createdAt
            #expect(try await store.add(Self.favourite(1), key: "k", at: now) == .keyReused)
            #expect(try await store.add(Self.favourite(1), key: "f", at: now) == .added)
            let earlier = try await store.promises.earlierCreation(by: .user(1), key: "f", contentHash: [1], now: now)
            #expect(earlier == .keyReused)
        }
    }

    @Test func `a key whose favourite was removed is free again`() async throws {
        try await withStore(users: 1...1) { store async throws in
            #expect(try await store.add(Self.favourite(1), key: "k") == .added)
            #expect(try await store.places.removeFavourite(Self.favourite(1).id, of: .user(1)))
            #expect(try await store.add(Self.favourite(2), key: "k") == .added)
            #expect(try await store.add(Self.favourite(3), key: "k") == .existing(Self.favourite(2)))
        }
    }

    @Test func `stores a place of the directory as a favourite once, also after its removal`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let id = try await store.fill([.sample(1)]).seen[0]
            #expect(try await store.add(Self.favourite(1, of: id)) == .added)
            #expect(try await store.add(Self.favourite(2, of: id)) == .existing(Self.favourite(1, of: id)))
            try await store.places.removePlaces([id], at: .meeting)
            #expect(try await store.add(Self.favourite(3, of: id)) == .existing(Self.favourite(1, of: id)))
            try await store.places.removeFavourite(Self.favourite(1).id, of: .user(1))
            #expect(try await store.add(Self.favourite(4, of: id)) == .placeMissing)
            #expect(try await store.add(Self.favourite(5, of: PlaceID(high: 1, low: 1))) == .placeMissing)
            #expect(try await store.places.favourites(of: .user(1), limit: 9).items == [])
        }
    }

    @Test func `accepts at most five hundred`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let id = try await store.fill([.sample(1)]).seen[0]
            #expect(try await store.add(Self.favourite(1, of: id)) == .added)
            for number in 2...500 { #expect(try await store.add(Self.favourite(UInt64(number))) == .added) }
            #expect(try await store.add(Self.favourite(501)) == .limitReached)
            #expect(try await store.add(Self.favourite(501, of: id)) == .existing(Self.favourite(1, of: id)))
            #expect(try await store.add(Self.favourite(501), of: .user(2)) == .added)
            try await store.places.removeFavourite(Self.favourite(9).id, of: .user(1))
            #expect(try await store.add(Self.favourite(502)) == .added)
        }
    }

    @Test func `only its user removes a favourite, and once`() async throws {
        try await withStore(users: 1...2) { store async throws in
            #expect(try await store.add(Self.favourite(1)) == .added)
            #expect(try await !store.places.removeFavourite(Self.favourite(1).id, of: .user(2)))
            #expect(try await store.places.removeFavourite(Self.favourite(1).id, of: .user(1)))
            #expect(try await !store.places.removeFavourite(Self.favourite(1).id, of: .user(1)))
        }
    }

    @Test(arguments: [true, false])
    func `deletes favourites with the account, also from the files`(hasBegun: Bool) async throws {
        try await withStore(users: 1...2) { store, directory async throws in
            var favourite = Self.favourite(1)
            favourite.label = "Where nobody finds me"
            #expect(try await store.add(favourite) == .added)
            #expect(try await store.add(Self.favourite(2), of: .user(2)) == .added)
            if hasBegun {
                _ = try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            } else {
                try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            }
            #expect(try await store.places.favourites(of: .user(1), limit: 9).items == [])
            #expect(try await store.places.favourites(of: .user(2), limit: 9).items.count == 1)
            #expect(try await store.upkeep.truncateLog())
            #expect(try !directory.contains(Array(favourite.label.utf8)))
            await #expect(throws: StoreError.broken("A favourite of a user without an account")) {
                _ = try await store.add(Self.favourite(3))
            }
        }
    }

    @Test(arguments: [Int64.min, 0, .max]) func `reads a cursor from its text`(milliseconds: Int64) {
        let cursor = FavouriteCursor(
            createdAt: Instant(milliseconds: milliseconds),
            favouriteID: FavouriteID(high: .max, low: 5)
        )
        #expect(FavouriteCursor(cursor.description) == cursor)
        #expect(PromiseCursor(cursor.description) == nil)
    }
}

extension Store {
    fileprivate func add(
        _ favourite: Favourite,
        of user: UserID = .user(1),
        key: String? = nil,
        hash: UInt8 = 1,
        at now: Instant = .meeting
    ) async throws(StoreError) -> FavouriteAddition {
        try await places.addFavourite(
            favourite,
            of: user,
            key: key ?? "\(favourite.id)",
            contentHash: [hash],
            now: now
        )
    }
}
