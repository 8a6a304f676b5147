public import PromisedDomain

extension Participant {
    /// Somebody who accepted, by default an hour and a half before the meeting.
    public static func accepted(_ user: UserID, at instant: Instant = .meeting - .minutes(90)) -> Participant {
        Participant(userID: user, membership: .accepted, invitedAt: instant, acceptedAt: instant)
    }

    /// Somebody who was asked and has not answered, by default an hour and a half before the meeting.
    public static func invited(_ user: UserID, at instant: Instant = .meeting - .minutes(90)) -> Participant {
        Participant(userID: user, membership: .invited, invitedAt: instant)
    }

    /// Somebody who was asked an hour and a half before the meeting and said no at an instant.
    public static func declined(_ user: UserID, at instant: Instant = .meeting - .minutes(80)) -> Participant {
        var participant = invited(user)
        participant.membership = .declined
        participant.endedAt = instant
        return participant
    }

    /// Somebody who accepted an hour and a half before the meeting and left at an instant.
    public static func left(_ user: UserID, at instant: Instant) -> Participant {
        ended(user, as: .left, at: instant)
    }

    /// Somebody who accepted an hour and a half before the meeting and was removed at an instant.
    public static func removed(_ user: UserID, at instant: Instant) -> Participant {
        ended(user, as: .removed, at: instant)
    }

    private static func ended(_ user: UserID, as membership: Membership, at instant: Instant) -> Participant {
        var participant = accepted(user)
        participant.membership = membership
        participant.endedAt = instant
        return participant
    }
}
