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
    package let violation: Violation?
    /// The journal, if it was recorded.
    package let journal: [String]
}

/// Runs stories, one after the other, in a process of its own, whose tasks it captures.
package enum Simulation {
    /// Runs a story. Throws only if the world cannot be created.
    package static func live(_ story: Story, keepingJournal: Bool = false) throws -> Outcome {
        let world = try World(story, keepingLines: keepingJournal)
        var violation: Violation?
        do {
            try world.live()
        } catch let found as Violation {
            violation = found
        }
        let endedAtMs = (world.now - Story.beginning).milliseconds
        do {
            try world.end()
        } catch let found as Violation {
            violation = violation ?? found
        }
        return Outcome(
            digest: world.journal.digest,
            lines: world.journal.count,
            checks: world.checker.checks,
            endedAtMs: endedAtMs,
            violation: violation,
            journal: world.journal.lines
        )
    }
}
