internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// SQLite behind a ``SQLConnection``.
struct SQLiteSession: SQLSession {
    let database: Database

    func run(_ sql: String, _ values: SQLArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: values.bound)
    }

    func script(_ sql: String) throws { try database.execute(sql: sql) }

    func cursor(_ sql: String, _ values: SQLArguments, once: Bool) throws -> any SQLCursor {
        let statement = try once ? database.makeStatement(sql: sql) : database.cachedStatement(sql: sql)
        return try SQLiteCursor(statement, values.bound)
    }

    var changesCount: Int { database.changesCount }

    var totalChangesCount: Int { database.totalChangesCount }
}

extension SQLConnection {
    init(_ database: Database) { self.init(session: SQLiteSession(database: database)) }
}

extension SQLArguments {
    // Where GRDB takes optional arguments, an array or a dictionary passed to `StatementArguments` becomes a collection
    // of `Any`, whose values are cast one by one, at a thousand instructions each. Values of one type avoid the casts.
    fileprivate var bound: StatementArguments {
        switch self {
        case .inOrder(let values): StatementArguments(values.lazy.map { ($0?.stored ?? .null).bound })
        case .named(let values): StatementArguments(values.mapValues { ($0?.stored ?? .null).bound })
        }
    }
}

extension SQLValue {
    fileprivate var bound: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): bytes.databaseValue
        case .id(let high, let low):
            withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0).databaseValue }
        }
    }
}

/// The rows of a statement, each read from the statement where it stands.
private final class SQLiteCursor: SQLCursor, SQLRowSource {
    private let steps: FastDatabaseValueCursor<SQLiteStep>
    private let statement: SQLiteStatement
    let columns: [String]

    init(_ statement: Statement, _ arguments: StatementArguments) throws {
        steps = try SQLiteStep.fetchCursor(statement, arguments: arguments)
        self.statement = statement.sqliteStatement
        columns = statement.columnNames
    }

    func next() throws -> SQLRow? { try steps.next() == nil ? nil : SQLRow(self) }

    func value(_ number: Int) -> SQLValue {
        let column = Int32(number)
        return switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: .text(String(cString: sqlite3_column_text(statement, column)))
        case SQLITE_BLOB: withBlob(column, SQLiteCursor.value)
        default: .null
        }
    }

    private static func value(_ bytes: UnsafeRawBufferPointer) -> SQLValue {
        guard bytes.count == 16 else { return .bytes(Data(bytes)) }
        return .id(
            high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
    }

    func withBytes<Value>(_ number: Int, _ body: (Span<UInt8>) throws -> Value) rethrows -> Value {
        try withBlob(Int32(number)) { blob in
            let bytes = blob.bindMemory(to: UInt8.self)
            return try body(bytes.span)
        }
    }

    private func withBlob<Value>(_ column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        // In this order, as SQLite demands; the pointer is nil for an empty BLOB.
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}

/// A step to the next row. GRDB's own cursor of rows makes a dictionary of the columns for each query, and a copy of a
/// row compares column names letter by letter; this only steps.
private struct SQLiteStep: DatabaseValueConvertible, StatementColumnConvertible {
    var databaseValue: DatabaseValue { .null }

    init() {}
    init?(sqliteStatement: SQLiteStatement, index: CInt) {}

    /// Also for NULL.
    static func fromStatement(_ sqliteStatement: SQLiteStatement, atUncheckedIndex index: CInt) -> SQLiteStep? {
        SQLiteStep()
    }

    static func fromDatabaseValue(_ dbValue: DatabaseValue) -> SQLiteStep? { SQLiteStep() }
}
