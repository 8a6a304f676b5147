/// The lists of a user's promises (domain §4).
public enum PromiseList: String, Hashable, Sendable, CaseIterable {
    /// Accepted and scheduled; soonest first.
    case upcoming
    /// Accepted, and tracking or settling; soonest first.
    case tracking
    /// Final or cancelled, where the user took part: accepted to the end, or left after the window opened; latest first.
    case past
    /// Invited and unanswered while the window is not over; soonest first.
    case invited
}
