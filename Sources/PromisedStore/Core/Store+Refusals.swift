internal import PromisedDomain

extension Store {
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
}
