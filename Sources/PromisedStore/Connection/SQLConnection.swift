/// A connection to the database, valid during the call that got it.
///
/// Statements are prepared once per connection. A call that got a connection may run again, so it changes nothing
/// outside the database, and it passes on the errors of the connection.
struct SQLConnection {
    let session: any SQLSession

    /// Runs one statement.
    func run(_ sql: String, _ values: [(any StoredValue)?] = []) throws { try session.run(sql, .inOrder(values)) }

    func run(_ sql: String, named values: [String: (any StoredValue)?]) throws { try session.run(sql, .named(values)) }

    /// Runs statements without values, separated by semicolons; prepares each for this call only.
    func script(_ sql: String) throws { try session.script(sql) }

    /// All rows of a query.
    ///
    /// - Parameter once: `true` for a text that is rarely used: prepares it for this call only.
    func rows(_ sql: String, _ values: [(any StoredValue)?] = [], once: Bool = false) throws -> [SQLRow] {
        try all(cursor(sql, values, once: once))
    }

    func rows(_ sql: String, named values: [String: (any StoredValue)?]) throws -> [SQLRow] {
        try all(cursor(sql, named: values))
    }

    /// The rows of a query one by one, for callers that may stop early; read them before running another query with the
    /// same text.
    func cursor(
        _ sql: String,
        _ values: [(any StoredValue)?] = [],
        once: Bool = false
    ) throws -> any SQLCursor {
        try session.cursor(sql, .inOrder(values), once: once)
    }

    func cursor(_ sql: String, named values: [String: (any StoredValue)?]) throws -> any SQLCursor {
        try session.cursor(sql, .named(values), once: false)
    }

    /// The first row of a query.
    func row(_ sql: String, _ values: [(any StoredValue)?] = []) throws -> SQLRow? {
        try cursor(sql, values).next()?.copy
    }

    func row(_ sql: String, named values: [String: (any StoredValue)?]) throws -> SQLRow? {
        try cursor(sql, named: values).next()?.copy
    }

    /// The single number of a query such as `SELECT count(*)`; 0 for NULL, and without a row.
    func number(_ sql: String, _ values: [(any StoredValue)?] = []) throws -> Int {
        try number(cursor(sql, values).next())
    }

    func number(_ sql: String, named values: [String: (any StoredValue)?]) throws -> Int {
        try number(cursor(sql, named: values).next())
    }

    /// How many rows the last statement changed, without triggers and cascades.
    var changesCount: Int { session.changesCount }

    /// How many rows were changed since the connection was opened, by triggers and cascades, too.
    var totalChangesCount: Int { session.totalChangesCount }

    private func number(_ row: SQLRow?) throws -> Int {
        guard let row, let number = try row.value(0) as Int? else { return 0 }
        return number
    }

    private func all(_ cursor: any SQLCursor) throws -> [SQLRow] {
        var rows: [SQLRow] = []
        while let row = try cursor.next() { rows.append(row.copy) }
        return rows
    }
}

/// The rows of a query, one by one.
protocol SQLCursor: AnyObject {
    /// The next row, valid until the next call; nil at the end.
    func next() throws -> SQLRow?
}

/// The values of a statement.
enum SQLArguments {
    /// For the marks `?`.
    case inOrder([(any StoredValue)?])
    /// For marks such as `:user`.
    case named([String: (any StoredValue)?])
}

/// A driver's part of a connection.
protocol SQLSession {
    /// Runs one statement, prepared once per connection.
    func run(_ sql: String, _ values: SQLArguments) throws

    func script(_ sql: String) throws

    /// The rows of a query.
    ///
    /// - Parameter once: `true` to prepare it for this call only.
    func cursor(_ sql: String, _ values: SQLArguments, once: Bool) throws -> any SQLCursor

    var changesCount: Int { get }
    var totalChangesCount: Int { get }
}
