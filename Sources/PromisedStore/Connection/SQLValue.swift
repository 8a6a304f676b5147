internal import Foundation

/// A value that a statement takes or a row has.
enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes(Data)
    /// An id: sixteen bytes, the most significant first. A row may have any sixteen bytes as an id, which needs no
    /// memory of its own.
    case id(high: UInt64, low: UInt64)
}
