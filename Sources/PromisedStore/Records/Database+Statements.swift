internal import GRDB

extension Database {
    /// Runs one statement, prepared once per connection.
    func run(_ sql: String, _ values: [(any StoredValue)?] = []) throws {
        try cachedStatement(sql: sql).execute(arguments: StatementArguments(values.map { $0.parameter }))
    }

    /// The same with values by name.
    func run(_ sql: String, named values: [String: (any StoredValue)?]) throws {
        try cachedStatement(sql: sql).execute(arguments: StatementArguments(values.mapValues { $0.parameter }))
    }

    /// All rows of a query, prepared once per connection.
    func rows(_ sql: String, _ values: [(any StoredValue)?] = []) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: StatementArguments(values.map { $0.parameter }))
    }

    /// The same with values by name.
    func rows(_ sql: String, named values: [String: (any StoredValue)?]) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: StatementArguments(values.mapValues { $0.parameter }))
    }

    /// The rows of a query one by one, for those that may not all be wanted; to be read before another query runs.
    func cursor(_ sql: String, _ values: [(any StoredValue)?] = []) throws -> RowCursor {
        try Row.fetchCursor(cachedStatement(sql: sql), arguments: StatementArguments(values.map { $0.parameter }))
    }

    /// The first row of a query.
    func row(_ sql: String, _ values: [(any StoredValue)?] = []) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: StatementArguments(values.map { $0.parameter }))
    }

    /// The one number that a query such as `SELECT count(*)` answers with.
    func number(_ sql: String, named values: [String: (any StoredValue)?]) throws -> Int {
        let arguments = StatementArguments(values.mapValues { $0.parameter })
        return try Int.fetchOne(cachedStatement(sql: sql), arguments: arguments) ?? 0
    }
}

extension Optional where Wrapped == any StoredValue {
    /// The value as GRDB binds it. Asked for in closures: by a key path each value costs several allocations.
    fileprivate var parameter: DatabaseValue { self?.stored ?? .null }
}
