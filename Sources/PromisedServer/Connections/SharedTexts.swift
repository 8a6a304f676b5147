internal import PromisedConcurrency

/// Texts that many have alike, each kept in memory once.
///
/// Bounded: once it holds ``limit`` texts it begins anew, and who had one of the old keeps theirs.
final class SharedTexts: Sendable {
    /// At most so many are remembered.
    static let limit = 256

    private let known = Guarded(Set<String>())

    /// How many are remembered.
    var count: Int { known.withLock { $0.count } }

    /// The same text, in the memory of the first who had it.
    func shared(_ text: String) -> String {
        known.withLock { known in
            if let index = known.firstIndex(of: text) { return known[index] }
            if known.count >= SharedTexts.limit { known.removeAll() }
            known.insert(text)
            return text
        }
    }
}
