internal import Foundation
internal import GRDB
internal import PromisedDomain

/// A value with a representation in the database.
///
/// Not GRDB's own protocol, because conforming the domain's public types to it would make GRDB part of this module's
/// public interface.
protocol StoredValue {
    var stored: DatabaseValue { get }
    /// The value of a stored representation; nil for one of another type.
    static func fromStored(_ value: DatabaseValue) -> Self?
}

extension StoredValue where Self: DatabaseValueConvertible {
    var stored: DatabaseValue { databaseValue }
    static func fromStored(_ value: DatabaseValue) -> Self? { fromDatabaseValue(value) }
}

extension String: StoredValue {}
extension Bool: StoredValue {}
extension Int: StoredValue {}
extension Int32: StoredValue {}
extension Int64: StoredValue {}
extension Double: StoredValue {}
extension Data: StoredValue {}

/// NULL for nil.
extension Optional: StoredValue where Wrapped: StoredValue {
    var stored: DatabaseValue { self?.stored ?? .null }

    static func fromStored(_ value: DatabaseValue) -> Self? {
        value.isNull ? .some(nil) : Wrapped.fromStored(value).map(Optional.some)
    }
}

/// A BLOB of the sixteen bytes, most significant first.
extension ID: StoredValue {
    var stored: DatabaseValue { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0).databaseValue } }

    static func fromStored(_ value: DatabaseValue) -> ID? {
        guard let bytes = Data.fromDatabaseValue(value), bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { buffer in
            ID(
                high: UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                low: UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}

extension ID {
    /// The id with these sixteen bytes. As a UUID, GRDB reads them without allocating memory, unlike as Data.
    init(_ bytes: UUID) {
        self = withUnsafeBytes(of: bytes.uuid) { buffer in
            ID(
                high: UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                low: UInt64(bigEndian: buffer.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
    }
}

/// An INTEGER of milliseconds since 1970.
extension Instant: StoredValue {
    var stored: DatabaseValue { milliseconds.databaseValue }

    static func fromStored(_ value: DatabaseValue) -> Instant? {
        Int64.fromDatabaseValue(value).map(Instant.init(milliseconds:))
    }
}

/// An INTEGER of milliseconds.
extension TimeSpan: StoredValue {
    var stored: DatabaseValue { milliseconds.databaseValue }

    static func fromStored(_ value: DatabaseValue) -> TimeSpan? {
        Int64.fromDatabaseValue(value).map(TimeSpan.init(milliseconds:))
    }
}

extension Row {
    /// The value of a column; use an optional type for a column that may be NULL. Throws if the column is missing or
    /// has another type.
    func value<Value: StoredValue>(_ column: String) throws -> Value {
        guard let value = Value.fromStored(try decode(DatabaseValue.self, forColumn: column)) else {
            throw StoreError.damaged("An unexpected value in the column \(column)")
        }
        return value
    }

    /// The value of a column that holds the raw value of an enumeration.
    func raw<Value: RawRepresentable>(_ column: String) throws -> Value where Value.RawValue: StoredValue {
        guard let value = Value(rawValue: try value(column)) else {
            throw StoreError.damaged("An unknown value in the column \(column)")
        }
        return value
    }

    /// The same for a column that may be NULL.
    func optionalRaw<Value: RawRepresentable>(_ column: String) throws -> Value? where Value.RawValue: StoredValue {
        guard let rawValue: Value.RawValue = try value(column) as Value.RawValue? else { return nil }
        guard let value = Value(rawValue: rawValue) else {
            throw StoreError.damaged("An unknown value in the column \(column)")
        }
        return value
    }
}

extension Database {
    /// Runs one statement, prepared once per connection.
    func run(_ sql: String, _ values: [(any StoredValue)?] = []) throws {
        try cachedStatement(sql: sql).execute(arguments: values.arguments)
    }

    func run(_ sql: String, named values: [String: (any StoredValue)?]) throws {
        try cachedStatement(sql: sql).execute(arguments: values.arguments)
    }

    /// All rows of a query, prepared once per connection.
    func rows(_ sql: String, _ values: [(any StoredValue)?] = []) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: values.arguments)
    }

    func rows(_ sql: String, named values: [String: (any StoredValue)?]) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: values.arguments)
    }

    /// The rows of a query one by one, for callers that may stop early; read them before running another query.
    func cursor(_ sql: String, _ values: [(any StoredValue)?] = []) throws -> RowCursor {
        try Row.fetchCursor(cachedStatement(sql: sql), arguments: values.arguments)
    }

    func cursor(_ sql: String, named values: [String: (any StoredValue)?]) throws -> RowCursor {
        try Row.fetchCursor(cachedStatement(sql: sql), arguments: values.arguments)
    }

    /// The first row of a query.
    func row(_ sql: String, _ values: [(any StoredValue)?] = []) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: values.arguments)
    }

    /// The single number of a query such as `SELECT count(*)`.
    func number(_ sql: String, named values: [String: (any StoredValue)?]) throws -> Int {
        try Int.fetchOne(cachedStatement(sql: sql), arguments: values.arguments) ?? 0
    }
}

// Where GRDB takes optional arguments, an array or a dictionary passed to `StatementArguments` becomes a collection of
// `Any`, whose values are cast one by one, at a thousand instructions each. This type avoids the casts.
extension [(any StoredValue)?] {
    /// The values as GRDB binds them, in order.
    fileprivate var arguments: StatementArguments { StatementArguments(map { $0?.stored ?? .null }) }
}

extension [String: (any StoredValue)?] {
    /// The values as GRDB binds them, by name.
    fileprivate var arguments: StatementArguments { StatementArguments(mapValues { $0?.stored ?? .null }) }
}

/// JSON for values whose parts are not queried.
enum StoredJSON {
    /// The JSON text, keys sorted.
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw StoreError.broken("A value without a stored form")
        }
    }

    static func decode<Value: Decodable>(_ text: String) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
        } catch {
            throw StoreError.damaged("A stored \(Value.self) cannot be read")
        }
    }
}
