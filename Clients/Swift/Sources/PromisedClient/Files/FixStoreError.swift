/// Why the directory of a ``FixStore`` is of no use; safe for a log.
public enum FixStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another store has it open, in this process or another.
    case inUse
    /// The system refuses, with its `errno`.
    case system(Int32)

    /// A sentence for people.
    public var description: String {
        switch self {
        case .inUse: "the directory of fixes is in use"
        case .system(let number): "the directory of fixes cannot be read or written (errno \(number))"
        }
    }
}
