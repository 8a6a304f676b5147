/// A user's part in one promise.
package struct Participant: Hashable, Sendable {
    /// The state of a participant.
    ///
    /// ```
    /// invited ──▶ accepted ──▶ left
    ///    │            └──────▶ removed
    ///    └─────▶ declined ──▶ invited (again)
    /// ```
    /// A user who declined, left or was removed may be invited again; one who declined or left may come back by code.
    package enum Membership: String, Hashable, Sendable, Codable, CaseIterable {
        /// Invited, not answered.
        case invited
        /// Takes part: reports, sees and is seen.
        case accepted
        /// Declined the invitation.
        case declined
        /// Took part and left.
        case left
        /// Removed by the owner.
        case removed
    }

    /// The user.
    package let userID: UserID
    /// Their membership.
    package var membership: Membership
    /// `true` if their positions are shown; on from the start.
    package var isSharing: Bool
    /// When they last resumed sharing after a pause, nil before: earlier positions are not shown again.
    package var sharesFrom: Instant?
    /// When they were last invited; for the owner, when the promise was created.
    package var invitedAt: Instant
    /// When they last became a participant, nil before.
    package var acceptedAt: Instant?
    /// When they last declined, left or were removed; nil otherwise.
    package var endedAt: Instant?
    /// The owner's reason for excusing them (domain §8); nil if not excused.
    package var excusedReason: String?
    /// Their status text, at most 80 characters; may be empty.
    package var statusText: String
    /// The emoji beside their name, one grapheme; may be empty.
    package var emoji: String
    /// `true` if viewers by the promise's link may see them; off at first, and again when they leave.
    package var isLinkSharing: Bool

    /// A participant with all its fields.
    package init(
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

    /// `true` if they were accepted at any time from `opening` on, and so have a row in the result (domain §8).
    package func tookPart(from opening: Instant) -> Bool {
        switch membership {
        case .accepted: true
        case .left, .removed: acceptedAt != nil && (endedAt.map { $0 >= opening } ?? false)
        case .invited, .declined: false
        }
    }
}

extension Participant.Membership {
    /// `true` if the participant is in the promise: invited or accepted.
    package var isIn: Bool {
        switch self {
        case .invited, .accepted: true
        case .declined, .left, .removed: false
        }
    }
}
