/// The care of the database: copies, checks, sizes.
package struct StoreUpkeep: StorePart {
    let driver: any StoreDriver

    /// Writes and syncs a mark, to check that durable writes work. Throws ``StoreError/unavailable(code:)``,
    /// ``StoreError/closed``.
    package func checkWritable() async throws(StoreError) {
        try await write { db in
            try db.run(
                """
                INSERT INTO meta (key, value) VALUES ('writable-checks', '1')
                ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1
                """
            )
        }
    }

    /// Empties the log, which removes deleted data from it; returns `true` if no reader blocked it.
    package func truncateLog() async throws(StoreError) -> Bool { try await driver.truncateLog() }

    /// `true` if the log must be emptied because of deletions since the last call.
    package func takeErasures() -> Bool { driver.takeErasures() }

    /// The schema change made when the store was opened.
    package var schemaChange: SchemaChange { driver.schemaChange }

    /// How many writes wait for the current transaction to end.
    package var waitingWrites: Int { get async { await driver.waitingWrites } }

    /// The size of the write-ahead log in bytes.
    package var logBytes: Int { driver.logBytes }

    /// The size of the database in bytes, including its log.
    package var fileBytes: Int { driver.fileBytes }

    /// The durations of the last transactions, from the call to the end of the sync, oldest first; at most 512.
    package var commitTimes: [Duration] { get async { await driver.commitTimes } }
}

/// A store whose database can be copied and checked.
package protocol HasUpkeep: Sendable {
    var upkeep: StoreUpkeep { get }
}
