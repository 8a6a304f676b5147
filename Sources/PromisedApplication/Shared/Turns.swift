internal import PromisedConcurrency

/// Runs acts that share a key one after the other, in order of their calls. Requests in progress are few, so few wait.
///
/// An act may hold several keys. It acquires them in the given order, which must be the same for all acts to avoid
/// deadlocks.
final class Turns<Key: Hashable & Sendable>: Sendable {
    /// The waiting acts for each held key, in order.
    private let waiting = Guarded<[Key: [CheckedContinuation<Void, Never>]]>([:])

    /// Runs `act` when no other act holds any of `keys`. A cancelled task keeps its place.
    func hold<Value>(_ keys: some Collection<Key>, _ act: () async throws -> Value) async rethrows -> Value {
        for key in keys { await begin(key) }
        defer { for key in keys { end(key) } }
        return try await act()
    }

    var heldCount: Int { waiting.withLock { $0.count } }

    private func begin(_ key: Key) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFree = waiting.withLock { waiting in
                guard waiting[key] == nil else {
                    waiting[key]?.append(continuation)
                    return false
                }
                waiting[key] = []
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    private func end(_ key: Key) {
        let next: CheckedContinuation<Void, Never>? = waiting.withLock { waiting in
            guard waiting[key]?.isEmpty == false else {
                waiting[key] = nil
                return nil
            }
            return waiting[key]?.removeFirst()
        }
        next?.resume()
    }
}
