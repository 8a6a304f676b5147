import GRDB

@testable import PromisedStore

extension SQLConnection {
    /// GRDB's connection, for statements that the product never runs.
    var sqlite: Database {
        guard let session = session as? SQLiteSession else { preconditionFailure("The tests run on SQLite") }
        return session.database
    }

    /// The steps of a query's plan.
    func plan(of sql: String) throws -> [String] {
        let statement = try sqlite.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
        // Parameters without values are NULL, which suffices for a plan.
        statement.setUncheckedArguments([])
        return try Row.fetchAll(statement).map { $0["detail"] as String }
    }
}

extension Store {
    /// The driver with its queues.
    var sqlite: SQLiteDriver {
        guard let driver = driver as? SQLiteDriver else { preconditionFailure("The tests run on SQLite") }
        return driver
    }

    /// The steps of a query's plan.
    func plan(of sql: String) async throws -> [String] {
        try await read { db in try db.plan(of: sql) }
    }
}
