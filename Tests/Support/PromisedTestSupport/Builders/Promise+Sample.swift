package import PromisedDomain

extension Instant {
    /// The default meeting time of promises in tests: 2026-11-21T09:00:00Z.
    package static let meeting = Instant(milliseconds: 1_795_251_600_000)
}

extension Coordinate {
    /// The default place of promises in tests: on the equator, where distances are exact.
    package static let meetingPlace = Coordinate(latitude: 0, longitude: 127)
}

extension Promise {
    /// A valid promise, created an hour before its window opens.
    ///
    /// - Parameters:
    ///   - number: distinguishes promises; also determines the id.
    ///   - owner: the owner, by default user 1.
    ///   - coordinate: the centre of the circle.
    package static func sample(
        number: UInt64 = 1,
        owner: UserID = .user(1),
        coordinate: Coordinate = .meetingPlace,
        meetsAt: Instant = .meeting,
        radiusMetres: Int = 50,
        penalty: Penalty? = nil,
        rule: ArrivalRule = ArrivalRule(),
        spans: WindowSpans = WindowSpans()
    ) -> Promise {
        Promise(
            id: PromiseID(high: 0x7000, low: 0x8000_0000_0000_0000 | number),
            ownerID: owner,
            title: "Promise \(number)",
            place: Place(name: "The pier", coordinate: coordinate),
            meetsAt: meetsAt,
            radiusMetres: radiusMetres,
            penalty: penalty,
            rule: rule,
            spans: spans,
            createdAt: meetsAt - spans.before - .hours(1),
            epoch: "epoch-\(number)"
        )
    }
}

extension Participant {
    /// A participant who accepted, by default an hour and a half before the meeting.
    package static func accepted(_ user: UserID, at instant: Instant = .meeting - .minutes(90)) -> Participant {
        Participant(userID: user, membership: .accepted, invitedAt: instant, acceptedAt: instant)
    }

    /// A participant who was invited and has not answered, by default an hour and a half before the meeting.
    package static func invited(_ user: UserID, at instant: Instant = .meeting - .minutes(90)) -> Participant {
        Participant(userID: user, membership: .invited, invitedAt: instant)
    }

    /// A participant who was invited an hour and a half before the meeting and declined at an instant.
    package static func declined(_ user: UserID, at instant: Instant = .meeting - .minutes(80)) -> Participant {
        var participant = invited(user)
        participant.membership = .declined
        participant.endedAt = instant
        return participant
    }

    /// A participant who accepted an hour and a half before the meeting and left at an instant.
    package static func left(_ user: UserID, at instant: Instant) -> Participant { ended(user, as: .left, at: instant) }

    /// A participant who accepted an hour and a half before the meeting and was removed at an instant.
    package static func removed(_ user: UserID, at instant: Instant) -> Participant {
        ended(user, as: .removed, at: instant)
    }

    private static func ended(_ user: UserID, as membership: Membership, at instant: Instant) -> Participant {
        var participant = accepted(user)
        participant.membership = membership
        participant.endedAt = instant
        return participant
    }
}

extension ID where Subject == UserCard {
    /// The id of the user with that number; ids have the order of the numbers.
    package static func user(_ number: UInt64) -> UserID { UserID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}
