internal import GRDB
package import PromisedStore

/// The committed content of an ended ``SimulatedStore``: the disk contents of a dead process. At most one store at a
/// time may continue with it.
package struct DatabaseImage: Sendable {
    let queue: DatabaseQueue

    /// A copy for another store.
    package func copy() throws(StoreError) -> DatabaseImage {
        do {
            let copy = try InlineDatabase.bare()
            try queue.backup(to: copy)
            return DatabaseImage(queue: copy)
        } catch {
            throw StoreError(error)
        }
    }
}

/// A store in memory, for simulations: it runs all work on the calling thread, and only its image survives it.
package struct SimulatedStore: Sendable {
    package let store: Store
    private let database: InlineDatabase

    /// A store that continues with an image, or starts empty without one. It reuses the image's connection with its
    /// prepared statements, which cost more to prepare than a whole story costs to run.
    ///
    /// - Parameters:
    ///   - disk: schedules the work and injects faults.
    ///   - onCommit: called for every transaction of the group commit; must return at once.
    package init(
        _ image: DatabaseImage? = nil,
        disk: SimulatedDisk = SimulatedDisk(),
        onCommit: @escaping @Sendable (CommitReport) -> Void = { _ in }
    ) throws(StoreError) {
        do {
            database = try InlineDatabase(image, disk: disk)
        } catch {
            throw StoreError(error)
        }
        store = Store(MemoryDriver(on: database, isNew: image == nil, onCommit: onCommit))
    }

    /// The committed rows of a query, each value as text: blobs in hexadecimal, NULL as an empty text. Don't call this
    /// inside a transaction.
    package func rows(_ sql: String) throws(StoreError) -> [[String]] {
        do {
            return try database.queue.unsafeRead { db in
                try Row.fetchAll(db.cachedStatement(sql: sql)).map { $0.databaseValues.map(SimulatedStore.text) }
            }
        } catch {
            throw StoreError(error)
        }
    }

    /// Ends all use of the store, in whatever state; later calls throw. Don't call this inside a transaction.
    ///
    /// - Returns: the committed content.
    @discardableResult package func close() throws(StoreError) -> DatabaseImage {
        do {
            return DatabaseImage(queue: try database.end())
        } catch {
            throw StoreError(error)
        }
    }

    private static func text(_ value: DatabaseValue) -> String {
        switch value.storage {
        case .null: ""
        case .int64(let number): String(number)
        case .double(let number): String(number)
        case .string(let text): text
        case .blob(let bytes): bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
    }
}
