import Synchronization

/// Collects values from any thread.
final class Recorder<Value: Sendable>: Sendable {
    private let collected = Mutex<[Value]>([])

    /// The values collected so far, in order.
    var values: [Value] { collected.withLock { $0 } }

    /// Adds a value.
    func append(_ value: Value) { collected.withLock { $0.append(value) } }
}
