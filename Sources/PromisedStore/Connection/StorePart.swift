internal import PromisedDomain

/// The functions of one feature, over the store's driver.
///
/// Each part has a protocol such as ``HasAccounts`` for a store that has it. A use case names the parts that it needs:
/// `store: some HasAccounts & HasCourses`.
protocol StorePart: Sendable {
    var driver: any StoreDriver { get }
}

extension StorePart {
    /// Runs `body` on the last committed state, possibly after other reads on the same connection: keep it short.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await driver.read(body) }

    /// Runs a long `body` on the last committed state, after other long reads.
    func readAtLength<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await driver.readAtLength(body) }

    /// Runs `body` in a savepoint of the next transaction; returns when the transaction is synced.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await driver.write(body) }

    /// Runs a long `body` in its own transaction, alternating with shared ones; returns when it is synced.
    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value { try await driver.writeAlone(body) }

    /// Runs `body` like ``write(_:)``; a ``Refusal`` that it throws becomes the result, with nothing written.
    func writeUnlessRefused<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Result<Value, Refusal> {
        try await write { db in
            try db.run("SAVEPOINT decision")
            do {
                let value = try body(db)
                try db.run("RELEASE decision")
                return .success(value)
            } catch let refusal as Refusal {
                try db.run("ROLLBACK TO decision")
                try db.run("RELEASE decision")
                return .failure(refusal)
            }
        }
    }

    /// Writes for each of many items, few of them in each transaction.
    func write<Item: Sendable>(
        forEach items: [Item],
        _ body: @escaping @Sendable (Item, SQLConnection) throws -> Void
    ) async throws(StoreError) {
        let most = 16
        for start in stride(from: 0, to: items.count, by: most) {
            let part = Array(items[start..<min(start + most, items.count)])
            try await write { db in for item in part { try body(item, db) } }
        }
    }
}
