/// A durable event of a promise: what clients who come back must not have missed (domain §9).
///
/// Events hold ids and facts, no names: whoever renders them looks nicknames up, so that a deleted account leaves none.
public enum PromiseEvent: Hashable, Sendable, Codable {
    /// Somebody was invited.
    case invited(UserID)
    /// An invited user accepted, or somebody joined by code.
    case joined(UserID)
    /// An invited user declined.
    case declined(UserID)
    /// A participant left.
    case left(UserID)
    /// The owner took somebody out.
    case removed(UserID)
    /// The promise has a new owner.
    case handedOver(UserID)
    /// Title, place, time, radius, penalty or note changed.
    case edited
    /// The owner called it off, with a reason or an empty text.
    case cancelled(reason: String)
    /// The window opened.
    case trackingStarted
    /// The meeting time came.
    case meetingTime
    /// The grace ended; these accepted participants had no arrival, in order of their ids.
    case late([UserID])
    /// The window ended.
    case trackingEnded
    /// Somebody arrived; rank as of now.
    case arrived(RankedArrival)
    /// An arrival was confirmed; rank as of now.
    case arrivalConfirmed(RankedArrival)
    /// An arrival turned out to be none.
    case arrivalRetracted(UserID, reason: RetractionReason)
    /// Credited times or ranks changed; the arrivals that did, sorted by rank.
    case rankingRevised([RankedArrival], cause: RevisionCause)
    /// The result is final.
    case resultFinal
    /// The owner excused somebody.
    case excused(UserID)
    /// The owner made a link by which people without an account watch, good until then; one before it is no more.
    case viewLinkCreated(until: Instant)
    /// The owner made the link invalid.
    case viewLinkRevoked

    /// Why an arrival was taken back.
    public enum RetractionReason: String, Hashable, Sendable, Codable, CaseIterable {
        /// Two fixes clearly outside followed soon after (domain §6.2).
        case leftAgain = "left-again"
        /// A fix that turned up later changed the picture (domain §6.6).
        case backfill
    }

    /// Why the ranking changed.
    public enum RevisionCause: String, Hashable, Sendable, Codable, CaseIterable {
        /// Somebody's arrival was credited before those of others.
        case arrival
        /// An arrival was retracted.
        case retraction
        /// Fixes that turned up later.
        case backfill
        /// A check-in by hand or by code.
        case checkIn = "check-in"
    }
}

/// A durable event with its number.
public struct NumberedEvent: Hashable, Sendable {
    /// Rises by one per promise, from 1.
    public var seq: Int
    /// When it happened, on the server's clock.
    public var at: Instant
    /// What happened.
    public var event: PromiseEvent

    /// Event number `seq`.
    public init(seq: Int, at: Instant, event: PromiseEvent) {
        self.seq = seq
        self.at = at
        self.event = event
    }
}
