/// An event without a number: a client that misses it finds the state in the next snapshot (docs/reference.md#events).
package enum PassingEvent: Hashable, Sendable {
    /// Somebody's position became fresher or older, or the reason for that changed.
    case presence([Presence])
    /// Somebody is expected at another time.
    case estimate(UserID, ArrivalEstimate)
    /// Somebody shows or hides their position.
    case sharing(UserID, on: Bool)
    /// Somebody's status text and emoji as they are now.
    case status(UserID, text: String, emoji: String)
    /// `from` reminds `to`.
    case nudged(from: UserID, to: UserID)
    /// To this user alone: report so long from now, and so often from then on; nil: stop.
    case pace(UserID, nextReport: TimeSpan?)
    /// To this user alone: their positions near the place are too inaccurate to count. `errorMetres` is the smallest error of
    /// those positions, `limitMetres` the largest that counts.
    case cannotCount(UserID, errorMetres: Double, limitMetres: Double)
    /// The number of people who watch by the view link.
    case viewers(Int)
    /// A participant switched whether people who watch by the view link see them.
    case linkSharing(UserID, on: Bool)

    /// The user whom alone it is for; nil for all who may see it.
    package var addressee: UserID? {
        switch self {
        case .pace(let userID, _), .cannotCount(let userID, _, _): userID
        case .presence, .estimate, .sharing, .status, .nudged, .viewers, .linkSharing: nil
        }
    }

    /// The event without what concerns the `hidden` users; nil if nothing is left.
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
