/// How much of the participants a promise on the wire shows.
public enum ParticipantDetail: Hashable, Sendable {
    /// Who is in, nothing of where they are: for people who are invited and have not accepted.
    case membership
    /// Arrivals too, but no positions: for durable events, which are encoded once for everybody and kept.
    case arrivals
    /// Everything that the view holds: arrivals, positions, presence, estimates and status: for who accepted.
    case live
}
