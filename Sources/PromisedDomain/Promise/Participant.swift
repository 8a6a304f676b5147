/// A user's part in one promise.
public struct Participant: Hashable, Sendable {
    /// How a user stands to a promise.
    ///
    /// ```
    /// invited ──▶ accepted ──▶ left
    ///    │            └──────▶ removed
    ///    └─────▶ declined ──▶ invited (again)
    /// ```
    /// Who declined, left or was removed may be invited again; who was not removed may come back by code.
    public enum Membership: String, Hashable, Sendable, Codable, CaseIterable {
        /// Asked, not answered.
        case invited
        /// Takes part: reports, sees and is seen.
        case accepted
        /// Said no.
        case declined
        /// Took part and left.
        case left
        /// Was taken out by the owner.
        case removed
    }

    /// Who.
    public let userID: UserID
    /// How they stand to the promise.
    public var membership: Membership
    /// Whether their positions may flow; on from the start.
    public var isSharing: Bool
    /// When they last went on sharing after a pause, nil before: where they were until then is not shown again.
    public var sharesFrom: Instant?
    /// When they were last invited; for the owner, when the promise was made.
    public var invitedAt: Instant
    /// When they last became a participant, nil before.
    public var acceptedAt: Instant?
    /// When they last declined, left or were removed, nil while none of that is so.
    public var endedAt: Instant?
    /// Why the owner excused them (domain §8), nil when they are not excused.
    public var excusedReason: String?
    /// What they show beside their name, at most 80 characters; empty for nothing.
    public var statusText: String
    /// A picture beside their name, one grapheme; empty for none.
    public var emoji: String
    /// Whether those who watch by the promise's view link may see them; off at first, and again when they leave.
    public var isLinkSharing: Bool

    /// A participant with all its fields.
    public init(
        userID: UserID,
        membership: Membership,
        isSharing: Bool = true,
        sharesFrom: Instant? = nil,
        invitedAt: Instant,
        acceptedAt: Instant? = nil,
        endedAt: Instant? = nil,
        excusedReason: String? = nil,
        statusText: String = "",
        emoji: String = "",
        isLinkSharing: Bool = false
    ) {
        self.userID = userID
        self.membership = membership
        self.isSharing = isSharing
        self.sharesFrom = sharesFrom
        self.invitedAt = invitedAt
        self.acceptedAt = acceptedAt
        self.endedAt = endedAt
        self.excusedReason = excusedReason
        self.statusText = statusText
        self.emoji = emoji
        self.isLinkSharing = isLinkSharing
    }

    /// Whether they were accepted at any time from `opening` on, and so have a row in the result (domain §8).
    public func tookPart(from opening: Instant) -> Bool {
        switch membership {
        case .accepted: true
        case .left, .removed: acceptedAt != nil && (endedAt.map { $0 >= opening } ?? false)
        case .invited, .declined: false
        }
    }
}

extension Participant.Membership {
    /// Whether somebody who stands like this counts as in the promise: invited or accepted.
    public var isIn: Bool {
        switch self {
        case .invited, .accepted: true
        case .declined, .left, .removed: false
        }
    }
}
