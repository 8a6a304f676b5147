import PromisedDomain

/// Finds the key somebody may have meant.
enum NearestKey {
    /// The keys of all settings.
    static let known = Set(ServerSettings.settings.map(\.key))

    /// The known key nearest to `key`; nil when none is near.
    ///
    /// Near is a key of the same last part, or one within a third of its length in insertions, deletions and
    /// replacements of characters, three at most. Of several the nearest, then the first in alphabetical order.
    static func suggestion(for key: String) -> String? {
        let sorted = known.sorted()
        return EditDistance.nearest(to: key, among: sorted) ?? sorted.first { lastPart($0) == lastPart(key) }
    }

    private static func lastPart(_ key: String) -> Substring? {
        key.split(separator: ".").last
    }
}
