internal import GRDB

extension Row {
    /// The value of a column; use an optional type for a column that may be NULL.
    ///
    /// - Throws: when the column is missing or does not hold such a value.
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
