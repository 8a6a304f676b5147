/// Whether a place is open at an instant, as its opening hours tell.
package enum OpeningState: UInt8, Sendable, CaseIterable {
    /// The opening hours are missing, unreadable, or say themselves that they do not know.
    case unknown
    /// Open at that instant.
    case open
    /// Closed at that instant.
    case closed
    /// Open on that day, but the opening hours name no times.
    case thatDay
}
