internal import Foundation

/// A row of a query. Columns are read by name, or by number from 0, which is faster.
///
/// A row of a cursor is valid until the cursor moves on; it is read from the database column by column.
struct SQLRow {
    private let source: any SQLRowSource

    init(_ source: any SQLRowSource) { self.source = source }

    /// The value of a column; use an optional type for a column that may be NULL. Throws if the column is missing or
    /// has another type.
    func value<Value: StoredValue>(_ column: String) throws -> Value {
        guard let number = source.columns.firstIndex(of: column) else {
            throw StoreError.damaged("A row without the column \(column)")
        }
        guard let value = Value.fromStored(source.value(number)) else {
            throw StoreError.damaged("An unexpected value in the column \(column)")
        }
        return value
    }

    /// The same by the column's number, which is below the number of columns.
    func value<Value: StoredValue>(_ number: Int) throws -> Value {
        guard let value = Value.fromStored(source.value(number)) else {
            throw StoreError.damaged("An unexpected value in the column \(source.columns[number])")
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

    /// Calls `body` with the bytes of a column, without copying them; with none for NULL.
    func withBytes<Value>(_ number: Int, _ body: (Span<UInt8>) throws -> Value) rethrows -> Value {
        try source.withBytes(number, body)
    }

    /// A copy that outlives the cursor.
    var copy: SQLRow {
        let columns = source.columns
        return SQLRow(CopiedRow(columns: columns, values: columns.indices.map(source.value)))
    }
}

/// A driver's part of a row.
protocol SQLRowSource {
    /// The names of the columns, in order.
    var columns: [String] { get }

    /// The value of a column by its number.
    func value(_ number: Int) -> SQLValue

    /// Calls `body` with the bytes of a column; with none for NULL.
    func withBytes<Value>(_ number: Int, _ body: (Span<UInt8>) throws -> Value) rethrows -> Value
}

private struct CopiedRow: SQLRowSource {
    let columns: [String]
    let values: [SQLValue]

    func value(_ number: Int) -> SQLValue { values[number] }

    func withBytes<Value>(_ number: Int, _ body: (Span<UInt8>) throws -> Value) rethrows -> Value {
        let bytes = Data.fromStored(values[number]) ?? Data()
        return try body(bytes.span)
    }
}
