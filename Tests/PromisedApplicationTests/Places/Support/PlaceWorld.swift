import Foundation
import Logging
import PromisedConcurrency
import PromisedDomain
import PromisedEngine
import PromisedPlaces
import PromisedSimulation
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// The use cases for places over a store in a temporary folder, on clocks that a test moves.
struct PlaceWorld {
    /// A Monday, 12:00 in Seoul.
    static let noon = Instant(milliseconds: 1_795_402_800_000)

    let store: Store
    let clock: ManualClock
    let pauses = PauseClock()
    let realTime = RealTimeHand()
    /// `true` while the disk has no room for imports.
    let isDiskFull = Guarded(false)
    let log = LogRecorder()
    let metrics = CountingMetrics()
    let directory: PlaceDirectory
    let places: Places
    let favourites: Favourites
    let imports: PlaceImports
    let administration: PlaceAdministration

    private init(_ store: Store, now: Instant, categories: CategoryTable) {
        self.store = store
        let clock = ManualClock(now: now)
        self.clock = clock
        let logger = log.logger(level: .debug)
        let openings = PlaceOpenings(
            zones: TimeZones(around: now),
            defaultZone: "UTC",
            holidays: HolidayCalendar([CivilDate(year: 2026, month: 12, day: 25)]) ?? .empty
        )
        let directory = PlaceDirectory(
            store: store,
            openings: openings,
            metrics: PlaceMetrics(metrics),
            log: logger,
            pauses: pauses
        )
        self.directory = directory
        places = Places(directory: directory, store: store, categories: categories, clock: clock)
        favourites = Favourites(store: store, openings: openings, clock: clock, random: .system)
        let rules = PlaceRules(categories: categories)
        imports = PlaceImports(
            store: store,
            rules: rules,
            clock: clock,
            random: .system,
            metrics: PlaceImportMetrics(metrics),
            log: logger,
            directory: directory,
            hasRoom: { [isDiskFull] in !isDiskFull.withLock { $0 } },
            realNow: { [realTime] in realTime.now }
        )
        administration = PlaceAdministration(
            directory: directory,
            store: store,
            rules: rules,
            clock: clock,
            random: .system
        )
    }

    /// Runs a test in a world with users 1 to 3 and a ready directory, and checks all invariants of its store in the
    /// end.
    ///
    /// - Parameters:
    ///   - rows: imported before the directory is ready.
    ///   - isStanding: `false` for a directory that is not being built.
    static func run(
        _ rows: [ImportedPlace] = [],
        now: Instant = noon,
        categories: CategoryTable = .builtIn,
        isStanding: Bool = true,
        _ body: @escaping @Sendable (PlaceWorld) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "promised-places-\(UUID())").path
        // A test that failed to create it has nothing to remove.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try await Store.open(directory: folder)
        let world = PlaceWorld(store, now: now, categories: categories)
        for number in UInt64(1)...3 { try await world.signUp(number) }
        if !rows.isEmpty { _ = try await world.importRows(rows) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            if isStanding {
                group.addTask { await world.directory.run() }
                await world.pauses.sleeper()
            }
            try await body(world)
            group.cancelAll()
        }
        #expect(try await store.upkeep.verify() == [])
        try await store.close()
    }

    private func signUp(_ number: UInt64) async throws {
        let account = NewAccount(
            id: .user(number),
            email: "user\(number)@example.org",
            emailKey: "user\(number)@example.org",
            nickname: "User_\(number)",
            nicknameKey: "user_\(number)",
            passwordHash: "hash",
            locale: number == 1 ? "ko-KR" : "en",
            timeZone: "Asia/Seoul",
            createdAt: clock.now
        )
        try #require(try await store.accounts.createUser(account) == .created)
    }

    /// Imports rows in batches of `size`.
    @discardableResult
    func importRows(
        _ rows: [ImportedPlace],
        source: PlaceSource = .market,
        replaces: Bool = false,
        maxRemovedPercent: Int = PlaceImportOrder.usualRemovedPercent,
        isDryRun: Bool = false,
        size: Int = 1_000
    ) async throws -> PlaceImportReport {
        let order = PlaceImportOrder(
            source: source,
            replaces: replaces,
            maxRemovedPercent: maxRemovedPercent,
            isDryRun: isDryRun
        )
        let id = try await imports.begin(order)
        for start in stride(from: 0, to: rows.count, by: size) {
            _ = try await imports.put(Array(rows[start..<min(start + size, rows.count)]), into: id)
        }
        return try await imports.finish(id)
    }

    /// Waits until a change that was announced is in the index.
    func rebuild() async {
        pauses.advance()
        await pauses.sleeper()
    }

    /// The id of the place with a name in the directory.
    func id(_ name: String) async throws -> PlaceID {
        let found = try await administration.find(name, limit: 1)
        return try #require(found.cards.first { $0.listing.name == name }).listing.id
    }
}

extension PlaceSource {
    static let market = PlaceSource(
        name: "markets",
        title: "Markets of the nation",
        publisher: "Ministry",
        licence: "CC BY 4.0",
        timeZone: "Asia/Seoul"
    )
}

extension ImportedPlace {
    /// A place in the middle of Seoul, `metres` north of it.
    static func sample(
        _ name: String,
        ref: String? = nil,
        metres: Double = 0,
        category: String = "market/permanent",
        address: String = "서울특별시 종로구 창경궁로 88",
        hours: String = "",
        phone: String = ""
    ) -> ImportedPlace {
        ImportedPlace(
            ref: ref ?? name,
            name: name,
            coordinate: Coordinate(latitude: 37.57 + metres / 111_195, longitude: 126.9997),
            address: address,
            categories: [CategoryID(text: category)],
            hours: hours,
            phone: phone
        )
    }

    /// Places of a row from south to north, ten metres apart.
    static func row(of count: Int) -> [ImportedPlace] {
        (0..<count).map { .sample("Place \($0)", metres: Double($0) * 10) }
    }
}

extension Coordinate {
    static let seoul = Coordinate(latitude: 37.57, longitude: 126.9997)
}

extension Box {
    static let seoul = Box(south: 37.4, west: 126.8, north: 37.8, east: 127.2)
}
