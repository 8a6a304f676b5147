public import PromisedDomain

/// How much of the participants a promise on the wire shows.
public enum ParticipantDetail: Hashable, Sendable {
    /// Who is in, nothing of where they are: for people who are invited and have not accepted.
    case membership
    /// Arrivals too, but no positions: for durable events, which are encoded once for everybody and kept.
    case arrivals
    /// Arrivals, positions and presence as of an instant, with reports due every `interval`: for who accepted.
    case live(interval: TimeSpan, at: Instant)
}
