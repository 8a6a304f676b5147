import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import PromisedTestSupport

@testable import PromisedStore

extension ImportedPlace {
    /// A place identified by its number, with every field filled.
    static func sample(_ number: Int, name: String? = nil) -> ImportedPlace {
        ImportedPlace(
            ref: "ref-\(number)",
            name: name ?? "책방 \(number)",
            names: [
                DirectoryPlace.Name(language: "en", name: "Books = \(number)"),
                DirectoryPlace.Name(language: "zh-Hant", name: "書店"),
            ],
            coordinate: Coordinate(latitude: Double(number % 80) + 0.25, longitude: -Double(number % 170) - 0.5),
            address: "서울특별시 종로구 \(number)",
            region: RegionCode(text: "KR-11/종로구"),
            categories: [CategoryID(text: "bookshop/used"), CategoryID(text: "cafe")],
            hours: "Mo-Fr 10:00-19:00",
            phone: "+82 2 \(number)",
            website: "https://example.org/\(number)",
            social: "https://social.example/\(number)",
            facts: [DirectoryPlace.Fact(key: "shops", value: "a=b"), DirectoryPlace.Fact(key: "empty", value: "")]
        )
    }

    /// A place with only the required fields.
    static func bare(_ number: Int) -> ImportedPlace {
        ImportedPlace(
            ref: "bare-\(number)",
            name: "Bare",
            coordinate: .meetingPlace,
            categories: [CategoryID(text: "other")]
        )
    }
}

extension PlaceSource {
    /// A source with every field filled.
    static func sample(_ name: String = "books") -> PlaceSource {
        PlaceSource(
            name: name,
            title: "Bookshops",
            publisher: "City",
            licence: "CC-BY-4.0",
            url: "https://data.example",
            date: "2026-01-01",
            timeZone: "Asia/Seoul"
        )
    }
}

extension Store {
    /// Adds a source and brings rows into it.
    @discardableResult
    func fill(
        _ rows: [ImportedPlace],
        source: String = "books",
        at now: Instant = .meeting
    ) async throws -> PlaceChanges {
        try await places.putSource(.sample(source))
        return try await places.putPlaces(rows, source: source, at: now)
    }

    /// The id of a place by its `ref`; also of a removed one.
    func placeID(ref: String) async throws -> PlaceID? {
        try await read { db in try db.row("SELECT id FROM place WHERE ref = ?", [ref])?.value("id") }
    }

    /// All places of the directory, by `ref`.
    func directory() async throws -> [String: ImportedPlace] {
        let ids = try await self.places.readDirectory { _, places in
            var ids: [PlaceID] = []
            try places.forEachPlace { place, _ in ids.append(place.id) }
            return ids
        }
        let places = try await self.places.places(ids).map { ($0.ref, ImportedPlace($0)) }
        return Dictionary(uniqueKeysWithValues: places)
    }

    /// All rows of places, to check that none was written.
    func placeRows() async throws -> [String] {
        try await read { db in
            try db.rows("SELECT quote(id) || revision || quote(removed_at) || updated_at AS row FROM place ORDER BY id")
                .map { try $0.value("row") }
        }
    }
}
