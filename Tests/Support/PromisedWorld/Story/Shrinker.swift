/// Finds a short story that breaks the same invariant.
package enum Shrinker {
    /// Removes acts as long as the story still breaks the invariant.
    ///
    /// - Parameters:
    ///   - brokeAtMs: when it broke, if known: later acts are removed first.
    ///   - limit: the most stories to run.
    ///   - breaks: `true` if a story breaks the same invariant.
    package static func shrink(
        _ story: Story,
        brokeAtMs: Int64? = nil,
        limit: Int = 200,
        breaks: (Story) throws -> Bool
    ) rethrows -> Story {
        var shortest = story
        var lived = 0
        if let brokeAtMs {
            var early = story
            early.acts.removeAll { $0.atMs > brokeAtMs }
            lived += 1
            if try breaks(early) { shortest = early }
        }
        var size = max(1, shortest.acts.count / 2)
        while lived < limit {
            let before = shortest.acts.count
            var start = 0
            while start < shortest.acts.count, lived < limit {
                var candidate = shortest
                candidate.acts.removeSubrange(start..<min(start + size, candidate.acts.count))
                lived += 1
                if try breaks(candidate) { shortest = candidate } else { start += size }
            }
            if size == 1, shortest.acts.count == before { break }
            size = max(1, size / 2)
        }
        return shortest
    }
}
