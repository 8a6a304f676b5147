package import PromisedDomain

/// The changes that a batch of an import made, or would make.
package struct PlaceChanges: Hashable, Sendable {
    /// New places, and removed ones that came back.
    package var added = 0
    /// Places with other content than before.
    package var changed = 0
    /// Places as they were; nothing was written for them.
    package var unchanged = 0
    /// The places of the rows, in no particular order; for a dry run only those that have a row already.
    package var seen: [PlaceID] = []

    /// No changes.
    package init() {}

    /// Adds those of another batch.
    package mutating func add(_ other: PlaceChanges) {
        added += other.added
        changed += other.changed
        unchanged += other.unchanged
        seen += other.seen
    }
}
