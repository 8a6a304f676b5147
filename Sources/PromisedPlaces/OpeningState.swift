/// The opening state of a place at an instant, by its opening hours.
package enum OpeningState: UInt8, Sendable, CaseIterable {
    /// The opening hours are missing, unreadable, or state that they are unknown.
    case unknown
    /// Open at that instant.
    case open
    /// Closed at that instant.
    case closed
    /// Open on that day, but the opening hours name no times.
    case thatDay
}
