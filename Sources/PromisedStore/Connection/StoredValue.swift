internal import Foundation
internal import PromisedDomain

/// A value with a representation in the database.
protocol StoredValue {
    var stored: SQLValue { get }
    /// The value of a stored representation; nil for one of another type.
    static func fromStored(_ value: SQLValue) -> Self?
}

extension SQLValue: StoredValue {
    var stored: SQLValue { self }
    static func fromStored(_ value: SQLValue) -> SQLValue? { value }
}

extension String: StoredValue {
    var stored: SQLValue { .text(self) }

    static func fromStored(_ value: SQLValue) -> String? { if case .text(let text) = value { text } else { nil } }
}

extension Int64: StoredValue {
    var stored: SQLValue { .integer(self) }

    /// An INTEGER, or the integral part of a REAL such as a sum.
    static func fromStored(_ value: SQLValue) -> Int64? {
        switch value {
        case .integer(let number): number
        case .real(let number): Int64(exactly: number.rounded(.towardZero))
        case .null, .text, .bytes, .id: nil
        }
    }
}

extension Int: StoredValue {
    var stored: SQLValue { .integer(Int64(self)) }
    static func fromStored(_ value: SQLValue) -> Int? { Int64.fromStored(value).flatMap(Int.init(exactly:)) }
}

extension Int32: StoredValue {
    var stored: SQLValue { .integer(Int64(self)) }
    static func fromStored(_ value: SQLValue) -> Int32? { Int64.fromStored(value).flatMap(Int32.init(exactly:)) }
}

/// 0 or 1; any other number is true, too.
extension Bool: StoredValue {
    var stored: SQLValue { .integer(self ? 1 : 0) }
    static func fromStored(_ value: SQLValue) -> Bool? { Int64.fromStored(value).map { $0 != 0 } }
}

extension Double: StoredValue {
    var stored: SQLValue { .real(self) }

    static func fromStored(_ value: SQLValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .text, .bytes, .id: nil
        }
    }
}

extension Data: StoredValue {
    var stored: SQLValue { .bytes(self) }

    static func fromStored(_ value: SQLValue) -> Data? {
        switch value {
        case .bytes(let bytes): bytes
        case .id(let high, let low): Swift.withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Data($0) }
        case .null, .integer, .real, .text: nil
        }
    }
}

/// NULL for nil.
extension Optional: StoredValue where Wrapped: StoredValue {
    var stored: SQLValue { self?.stored ?? .null }

    static func fromStored(_ value: SQLValue) -> Self? {
        value == .null ? .some(nil) : Wrapped.fromStored(value).map(Optional.some)
    }
}

extension ID: StoredValue {
    var stored: SQLValue { .id(high: high, low: low) }

    static func fromStored(_ value: SQLValue) -> ID? {
        if case .id(let high, let low) = value { ID(high: high, low: low) } else { nil }
    }
}

/// An INTEGER of milliseconds since 1970.
extension Instant: StoredValue {
    var stored: SQLValue { .integer(milliseconds) }

    static func fromStored(_ value: SQLValue) -> Instant? {
        Int64.fromStored(value).map(Instant.init(milliseconds:))
    }
}

/// An INTEGER of milliseconds.
extension TimeSpan: StoredValue {
    var stored: SQLValue { .integer(milliseconds) }

    static func fromStored(_ value: SQLValue) -> TimeSpan? {
        Int64.fromStored(value).map(TimeSpan.init(milliseconds:))
    }
}
