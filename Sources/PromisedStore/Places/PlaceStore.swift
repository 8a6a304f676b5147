package import PromisedDomain
package import PromisedPlaces

/// The directory of places with its sources, and favourites.
package struct PlaceStore: StorePart {
    let driver: any StoreDriver

    /// The version of the directory, which increases with every change to its places and sources. Primary key.
    package func directoryVersion() async throws(StoreError) -> Int {
        try await read { db in try DirectoryVersion.current(in: db) }
    }

    /// Reads the whole directory as of one moment; other reads and writes proceed meanwhile, but the log grows until
    /// the call ends.
    ///
    /// - Parameter body: receives the version and the places; runs on a thread of the store.
    /// - Throws: the ``StoreError`` that `body` throws; ``StoreError/broken(_:)`` for any other error.
    package func readDirectory<Value: Sendable>(
        _ body: @escaping @Sendable (_ version: Int, _ places: DirectoryReader) throws -> Value
    ) async throws(StoreError) -> Value {
        try await readAtLength { db in try body(DirectoryVersion.current(in: db), DirectoryReader(db)) }
    }

    /// The places with these ids, including removed ones, in the order of the ids; skips unknown ids. Index
    /// `place_by_id`.
    ///
    /// - Parameter ids: at most a page of ids.
    package func places(_ ids: [PlaceID]) async throws(StoreError) -> [DirectoryPlace] {
        try await read { db in
            let sources = try PlaceSourceRecord.all(from: db)
            return try ids.compactMap { try PlaceRecord.fetch($0, sources: sources, from: db) }
        }
    }

    /// The sources of the directory with their numbers of places, by name; without removed ones.
    package func placeSources() async throws(StoreError) -> [CountedSource] {
        try await read { db in
            try db.rows("SELECT * FROM place_source WHERE removed_at IS NULL ORDER BY name").map { row in
                let record = try PlaceSourceRecord(row)
                return CountedSource(record.source, count: record.placeCount)
            }
        }
    }

    /// The source with a name, including a removed one whose row remains; nil if there is none.
    package func placeSource(named name: String) async throws(StoreError) -> PlaceSource? {
        try await read { db in try PlaceSourceRecord.fetch(name, from: db)?.source }
    }
}

package protocol HasPlaces: Sendable {
    var places: PlaceStore { get }
}
