/// An operation of the path of a report that Benchmarks/ times. The modules below it are for this package alone, so this is
/// all that they show to another.
public struct HotPathCase: Sendable {
    /// The operation and its encoding.
    public let name: String
    /// The operation is so long that one is measured at a time.
    public let isLong: Bool
    /// Sets up what the operation needs, and returns the operation; each call makes a new one.
    public let prepare: @Sendable () throws -> () throws -> Void

    init(_ name: String, isLong: Bool = false, prepare: @escaping @Sendable () throws -> () throws -> Void) {
        self.name = name
        self.isLong = isLong
        self.prepare = prepare
    }

    /// All cases, those of the encodings first.
    public static let all = wire + session
}

/// Keeps the optimizer from removing the work whose result this is.
@inline(never) func consume<Value>(_ value: Value) {}
