package import PromisedDomain

/// The changes that a batch of an import made, or would make.
package struct PlaceChanges: Hashable, Sendable {
    /// New places, and removed ones that were restored.
    package var added = 0
    /// Places with other content than before.
    package var changed = 0
    /// Unchanged places; nothing was written for them.
    package var unchanged = 0
    /// The places of the rows, in no particular order; in a dry run, only existing places.
    package var seen: [PlaceID] = []

    package init() {}

    package mutating func add(_ other: PlaceChanges) {
        added += other.added
        changed += other.changed
        unchanged += other.unchanged
        seen += other.seen
    }
}
