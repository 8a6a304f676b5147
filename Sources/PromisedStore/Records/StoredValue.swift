internal import Foundation
internal import GRDB
internal import PromisedDomain

/// A value with a form in the database.
///
/// GRDB's own protocol would do, but conforming the domain's public types to it would make GRDB part of this module's
/// public interface.
protocol StoredValue {
    /// The form in the database.
    var stored: DatabaseValue { get }
    /// The value of a form; nil for a form that is none of this type's.
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
    var stored: DatabaseValue {
        var bytes = Data(capacity: 16)
        withUnsafeBytes(of: high.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: low.bigEndian) { bytes.append(contentsOf: $0) }
        return bytes.databaseValue
    }

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
