/// A user's membership in one promise.
package struct Participant: Hashable, Sendable {
    /// The state of a participant.
    ///
    /// ```
    /// invited ──▶ accepted ──▶ left
    ///    │            └──────▶ removed
    ///    └─────▶ declined ──▶ invited (again)
    /// ```
    /// A user who declined, left or was removed may be invited again; one who declined or left may rejoin by code.
    package enum Membership: String, Hashable, Sendable, Codable, CaseIterable {
        /// Invited, not answered.
        case invited
        /// Participates: reports, sees and is seen.
        case accepted
        /// Declined the invitation.
        case declined
        /// Participated and left.
        case left
        /// Removed by the owner.
        case removed
    }

    package let userID: UserID
    package var membership: Membership
    /// `true` if the participant's positions are shown; initially `true`.
    package var isSharing: Bool
    /// When the participant last resumed sharing after a pause, nil before: earlier positions are not shown again.
    package var sharesFrom: Instant?
    /// When the participant was last invited; for the owner, when the promise was created.
    package var invitedAt: Instant
    /// When the participant was last accepted, nil before.
    package var acceptedAt: Instant?
    /// When the participant last declined, left or was removed; nil otherwise.
    package var endedAt: Instant?
    /// The owner's reason for excusing the participant (domain §8); nil if not excused.
    package var excusedReason: String?
    /// The status text, at most 80 characters; may be empty.
    package var statusText: String
    /// The emoji beside the name, one grapheme; may be empty.
    package var emoji: String
    /// `true` if viewers by the promise's link may see the participant; initially `false`, and again after leaving.
    package var isLinkSharing: Bool

    /// A participant with all fields.
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

    /// `true` if the participant was accepted at any time from `opening` on, and so has a row in the result (domain
    /// §8).
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
