internal import PromisedDomain

package struct Outcome: Hashable, Sendable {
    /// The digest of everything that happened.
    package let digest: UInt64
    /// The number of lines in the journal, and the number of checks.
    package let lines: Int
    package let checks: Int
    /// When it ended, or broke, in milliseconds since the beginning.
    package let endedAtMs: Int64
    /// The broken invariant; nil if all held.
    package let breach: Breach?
    /// The journal, if it was recorded.
    package let journal: [String]
}

/// Runs stories, one after the other, in a process of its own, whose tasks it captures.
package enum Simulation {
    /// Runs a story. Throws only if the world cannot be created.
    package static func live(_ story: Story, keepingJournal: Bool = false) throws -> Outcome {
        let world = try World(story, keepingLines: keepingJournal)
        var breach: Breach?
        do {
            try world.live()
        } catch let found as Breach {
            breach = found
        }
        let endedAtMs = (world.now - Story.beginning).milliseconds
        do {
            try world.end()
        } catch let found as Breach {
            breach = breach ?? found
        }
        return Outcome(
            digest: world.journal.digest,
            lines: world.journal.count,
            checks: world.watch.checks,
            endedAtMs: endedAtMs,
            breach: breach,
            journal: world.journal.lines
        )
    }
}
