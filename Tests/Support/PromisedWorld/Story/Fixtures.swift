internal import PromisedAccess
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedPlaces
internal import PromisedStore

/// The people of all stories: friends of each other, each with a unique name. And the places of their directory, all at
/// one position.
enum Fixtures {
    /// Images by the number of people; making one takes longer than most stories.
    private static let images = Guarded<[Int: DatabaseImage]>([:])

    static func user(_ person: Int) -> UserID {
        UserID(high: 0x7000, low: 0x8000_0000_0000_0000 | UInt64(person + 1))
    }

    /// A text that all personal data of a person contains.
    static func token(_ person: Int) -> String { "zq\(person)qz" }

    static func token(_ userID: UserID) -> String { token(Int(userID.low & 0xFFFF) - 1) }

    static let source = "own"

    /// A place that only an import adds, as in its file.
    static func imported(_ number: Int) -> ImportedPlace {
        let (latitude, longitude) = (Story.place.latitude, Story.place.longitude + Double(number) / 100)
        return ImportedPlace(
            ref: "imported-\(number)",
            name: "Imported \(number)",
            coordinate: Coordinate(latitude: latitude, longitude: longitude),
            categories: [CategoryID(text: "park")],
            hours: "24/7"
        )
    }

    static func place(_ number: Int) -> PlaceID { PlaceID(high: 0x7001, low: 0x8000_0000_0000_0000 | UInt64(number)) }

    /// A place of the directory as described by the operator: always open, or closed on Saturdays, when all stories
    /// take place.
    ///
    /// - Parameter number: makes its name unique.
    static func listing(_ place: Int, isClosed: Bool, number: Int64 = 0) -> ImportedPlace {
        ImportedPlace(
            ref: "\(place)",
            name: "Place \(place) \(number)",
            coordinate: Story.place,
            categories: [CategoryID(text: "cafe")],
            hours: isClosed ? "Mo-Su 00:00-24:00; Sa off" : "24/7"
        )
    }

    /// A database with the first people, to be copied.
    static func image(of people: Int) throws -> DatabaseImage {
        if let known = images.withLock({ $0[people] }) { return known }
        let store = try SimulatedStore()
        try Waiting.run { try await fill(store.store, people) }
        let image = try store.close()
        images.withLock { $0[people] = image }
        return image
    }

    private static func fill(_ store: Store, _ people: Int) async throws {
        let now = Story.beginning - .days(1)
        for person in 0..<people {
            let token = token(person)
            let subject = user(person).description
            let account = NewExternalAccount(
                id: user(person),
                subject: subject,
                subjectKey: SubjectKey(Passports.key).hash(subject),
                issuedAt: now,
                nicknames: [ChosenNickname(text: token, key: token)],
                timeZone: "UTC",
                createdAt: now
            )
            _ = try await store.accounts.createExternalUser(account)
        }
        let source = PlaceSource(name: Fixtures.source, timeZone: "UTC")
        try await store.places.putSource(source)
        for place in 0..<ErrandMaker.places {
            let listing = listing(place, isClosed: place == 1)
            let made = DirectoryPlace(listing, id: Fixtures.place(place), of: source, revision: 0, updatedAt: now)
            _ = try await store.places.createPlace(made)
        }
        for person in 0..<people {
            for other in 0..<person {
                let outcome = try await store.friendships.changeFriendship(
                    between: user(other),
                    and: user(person),
                    at: now
                ) {
                    friendship,
                    _ in
                    friendship.state = .friends
                }
                _ = try outcome.get()
            }
        }
    }
}

/// Runs asynchronous work of a world from synchronous code, until it ends.
enum Waiting {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = Guarded<Result<Value, any Error>?>(nil)
        let task = Task {
            let result: Result<Value, any Error>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(error)
            }
            outcome.withLock { $0 = result }
        }
        defer { task.cancel() }
        while outcome.withLock({ $0 == nil }) {
            guard WorldExecutor.shared.runOne({ _ in 0 }) else { preconditionFailure("The work waits for something") }
        }
        guard let result = outcome.withLock({ $0 }) else { preconditionFailure("The work has ended") }
        return try result.get()
    }
}
