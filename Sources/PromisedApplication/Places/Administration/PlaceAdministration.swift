internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedPlaces
package import PromisedStore

/// Administrators' work on single places and sources. Imports are ``PlaceImports``.
package struct PlaceAdministration: Sendable {
    /// The default source of places created by hand; it is created with the first of them.
    package static let ownSource = "own"
    /// How long a removed place keeps its row if it is not referenced, on the server's clock.
    package static let tombstoneRetention = TimeSpan.days(30)
    /// The number of places deleted per transaction of the clean-up.
    private static let sweepBatch = 1_000

    private let directory: PlaceDirectory
    private let store: PlaceStore
    private let rules: PlaceRules
    private let clock: any WallClock
    private let random: RandomSource

    package init(
        directory: PlaceDirectory,
        store: some HasPlaces,
        rules: PlaceRules,
        clock: any WallClock,
        random: RandomSource
    ) {
        self.directory = directory
        self.store = store.places
        self.rules = rules
        self.clock = clock
        self.random = random
    }

    // MARK: - Reading

    /// All sources by name, with their numbers of places, including empty ones.
    package func listSources() async throws -> [CountedSource] { try await store.placeSources() }

    /// A page of places.
    ///
    /// - Parameters:
    ///   - text: matched like a user's search, best matches first; nil or empty for all places, ascending by id.
    ///   - limit: the most places on the page, at least 1.
    /// - Throws: `TextProblem`, `invalid` with the field, `unavailable`.
    package func find(
        _ text: String?,
        filter: PlaceFilter = PlaceFilter(),
        after cursor: PlaceCursor? = nil,
        limit: Int
    ) async throws -> PlaceCards {
        try PlaceChoice(filter).check()
        let query = try text.flatMap { $0.isEmpty ? nil : try PlaceQuery(typed: $0) }
        let (openings, instant) = (directory.openings, filter.openAt ?? clock.now)
        return try await directory.ask(query == nil ? .list : .search) { state in
            let opening = { openings.state(of: $0, at: instant) }
            let index = state.index
            let page =
                if let query {
                    index.search(
                        PlaceIndex.Search(query, filter: filter, opening: opening),
                        limit: limit,
                        after: cursor
                    )
                } else {
                    index.places(passing: filter, limit: limit, after: cursor, opening: opening)
                }
            var maker = PlaceCardMaker(openings, at: instant, favourites: [:])
            return maker.cards(page, of: state)
        }
    }

    /// Everything about a place, removed or not. Throws `placeNotFound`, `unavailable`.
    package func show(_ id: PlaceID) async throws -> PlaceDetails {
        try directory.details(of: try await place(id), at: clock.now, favourites: [:])
    }

    // MARK: - Writing

    /// Adds a place.
    ///
    /// - Parameters:
    ///   - place: an empty `ref` is replaced by the id.
    ///   - source: an existing source, or ``ownSource``.
    ///   - audit: written in the same transaction, with the place as its subject.
    /// - Throws: `invalid` with the field; `unavailable` until the directory is loaded.
    package func create(
        _ place: ImportedPlace,
        in source: String = ownSource,
        audit: AuditEntry?
    ) async throws -> PlaceDetails {
        _ = try directory.standing()
        var generator = random
        let now = clock.now
        let id = PlaceID(at: now, using: &generator)
        var place = place
        if place.ref.isEmpty { place.ref = "\(id)" }
        let named = PlaceSource(name: source, timeZone: "")
        let made = DirectoryPlace(try checked(place), id: id, of: named, revision: 0, updatedAt: now)
        var outcome = try await store.createPlace(made, audit: audit)
        if outcome == .sourceMissing, source == PlaceAdministration.ownSource {
            try await store.putSource(named)
            outcome = try await store.createPlace(made, audit: audit)
        }
        return try await shown(try created(outcome, source))
    }

    /// Replaces everything of a place except its `ref`; the next import of its source may overwrite the edit.
    ///
    /// - Parameter audit: written in the same transaction if an administrator edits it.
    /// - Throws: `placeNotFound`, `invalid` with the field; `unavailable` until the directory is loaded.
    package func edit(_ id: PlaceID, to place: ImportedPlace, audit: AuditEntry?) async throws -> PlaceDetails {
        _ = try directory.standing()
        var place = place
        if place.ref.isEmpty { place.ref = "\(id)" }
        place = try checked(place)
        let known = try await self.place(id)
        place.ref = known.ref
        let source = PlaceSource(name: known.listing.source, timeZone: known.listing.hours.timeZone)
        let edited = DirectoryPlace(place, id: id, of: source, revision: 0, updatedAt: clock.now)
        guard try await store.editPlace(edited, audit: audit) else { throw PlaceAdministration.unknown }
        return try await shown(id)
    }

    /// Removes a place; favourites and promises keep their copies. Throws `placeNotFound`.
    package func remove(_ id: PlaceID, audit: AuditEntry?) async throws {
        guard try await store.removePlace(id, at: clock.now, audit: audit) else { throw PlaceAdministration.unknown }
        directory.directoryChanged()
    }

    /// Deletes the rows of places that were removed more than ``tombstoneRetention`` ago and are not referenced by a
    /// favourite or promise. Called periodically.
    ///
    /// - Returns: how many were deleted.
    @discardableResult
    package func sweep() async throws(StoreError) -> Int {
        let instant = clock.now - PlaceAdministration.tombstoneRetention
        var swept = 0
        while true {
            let deleted = try await store.sweepPlaces(
                removedBefore: instant,
                limit: PlaceAdministration.sweepBatch
            )
            swept += deleted
            if deleted < PlaceAdministration.sweepBatch { return swept }
        }
    }

    // MARK: - Parts

    private static let unknown = ApplicationError.refused(.placeNotFound, field: "placeId")

    private func place(_ id: PlaceID) async throws -> DirectoryPlace {
        guard let place = try await store.places([id]).first else { throw PlaceAdministration.unknown }
        return place
    }

    /// The details after a change; the index shows the change later.
    private func shown(_ id: PlaceID) async throws -> PlaceDetails {
        directory.directoryChanged()
        return try await show(id)
    }

    private func checked(_ place: ImportedPlace) throws(ApplicationError) -> ImportedPlace {
        do throws(PlaceRowProblem) {
            return try rules.cleaned(place)
        } catch {
            throw .refused(.invalid(field: error.field), message: error.message)
        }
    }

    private func created(_ outcome: PlaceCreation, _ source: String) throws(ApplicationError) -> PlaceID {
        switch outcome {
        case .created(let id): return id
        case .refTaken(let id):
            let message = "The source \(source) has a place with this ref: edit \(id), or choose another ref."
            throw .refused(.invalid(field: "ref"), message: message)
        case .sourceMissing:
            let message = "No source is named \(source): import it, or use \(PlaceAdministration.ownSource)."
            throw .refused(.invalid(field: "source"), message: message)
        }
    }
}
