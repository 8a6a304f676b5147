/// Finds the key somebody may have meant.
enum NearestKey {
    /// The keys of all settings.
    static let known = Set(ServerConfiguration.settings.map(\.key))

    /// The known key nearest to `key`; nil when none is near.
    ///
    /// Near is a key of the same last part, or one within a third of its length in insertions, deletions and
    /// replacements of characters, three at most. Of several the nearest, then the first in alphabetical order.
    static func suggestion(for key: String) -> String? {
        let sorted = known.sorted()
        let near = sorted.map { (key: $0, distance: distance(key, $0)) }
            .filter { $0.distance <= min(3, max(1, key.count / 3)) }
            .min { $0.distance < $1.distance }
        return near?.key ?? sorted.first { lastPart($0) == lastPart(key) }
    }

    private static func lastPart(_ key: String) -> Substring? {
        key.split(separator: ".").last
    }

    /// Levenshtein's distance of two texts, by characters.
    static func distance(_ left: String, _ right: String) -> Int {
        let columns = Array(right)
        var row = Array(0...columns.count)
        for (line, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (index, other) in columns.enumerated() {
                let replaced = diagonal + (character == other ? 0 : 1)
                diagonal = row[index + 1]
                row[index + 1] = min(replaced, row[index] + 1, row[index + 1] + 1)
            }
        }
        return row[columns.count]
    }
}
