/// An event without a number: a client that misses it finds the state in the next snapshot (docs/reference.md#events).
package enum PassingEvent: Hashable, Sendable {
    /// A participant's position became fresher or older, or the reason for that changed.
    case presence([Presence])
    /// A participant's estimate has changed.
    case estimate(UserID, ArrivalEstimate)
    /// A participant shows or hides their position.
    case sharing(UserID, on: Bool)
    /// The current status text and emoji of a participant.
    case status(UserID, text: String, emoji: String)
    /// `from` reminds `to`.
    case nudged(from: UserID, to: UserID)
    /// Only for this user: the time from now to the next report, and the interval from then on; nil: stop.
    case pace(UserID, nextReport: TimeSpan?)
    /// Only for this user: their positions near the place are too inaccurate to count. `errorMetres` is the smallest
    /// error of those positions, `limitMetres` the largest usable one.
    case cannotCount(UserID, errorMetres: Double, limitMetres: Double)
    /// The number of people who view by the link.
    case viewers(Int)
    /// A participant has switched their visibility to people who view by the link.
    case linkSharing(UserID, on: Bool)

    /// The only addressee; nil for all who may see it.
    package var addressee: UserID? {
        switch self {
        case .pace(let userID, _), .cannotCount(let userID, _, _): userID
        case .presence, .estimate, .sharing, .status, .nudged, .viewers, .linkSharing: nil
        }
    }

    /// The event without the parts about the `hidden` users; nil if it is empty then.
    package func without(_ hidden: Set<UserID>) -> PassingEvent? {
        switch self {
        case .presence(let presences):
            let visible = presences.filter { !hidden.contains($0.userID) }
            return visible.isEmpty ? nil : .presence(visible)
        case .estimate(let userID, _), .sharing(let userID, _), .status(let userID, _, _):
            return hidden.contains(userID) ? nil : self
        case .nudged(let from, let to): return hidden.contains(from) || hidden.contains(to) ? nil : self
        case .pace, .cannotCount, .viewers, .linkSharing: return self
        }
    }
}
