import PromisedDomain

/// Domain values for the tests of conversions.
enum DomainSamples {
    static let ada = UserID(high: 0x0193_2A4E_0000_7000, low: 0x8000_0000_0000_00B1)
    static let bob = UserID(high: 0x0193_2A4E_0000_7000, low: 0x8000_0000_0000_00B2)
    static let promiseID = PromiseID(high: 0x0193_2A4E_0000_7000, low: 0x8000_0000_0000_00A1)
    /// 2026-11-21T09:00:00Z.
    static let meetsAt = Instant(milliseconds: 1_795_251_600_000)

    static let place = Place(
        name: "Gwanghwamun",
        address: "172 Sejong-daero, Seoul",
        coordinate: Coordinate(latitude: 37.575_987, longitude: 126.976_911)
    )

    static let promise = Promise(
        id: promiseID,
        ownerID: ada,
        title: "Lunch",
        note: "Bring the book",
        place: place,
        meetsAt: meetsAt,
        radiusMetres: 80,
        penalty: Penalty(amount: 5_000, currency: "KRW"),
        rule: ArrivalRule(name: .firstFix, grace: .seconds(90), mock: .reject),
        version: 3,
        createdAt: meetsAt - .hours(5),
        epoch: "e1"
    )

    static let position = LivePosition(
        userID: ada,
        seq: 17,
        coordinate: Coordinate(latitude: 37.576, longitude: 126.976_9),
        accuracyMetres: 12.25,
        fixTime: meetsAt - .milliseconds(1_750),
        distanceMetres: 1_234.567,
        lane: 0
    )

    static func card(_ userID: UserID) -> UserCard {
        UserCard(
            id: userID,
            nickname: userID == ada ? "ada" : "bob",
            avatar: "fox",
            picture: PictureID(high: 0x0193_2A4E_0000_7000, low: 0x8000_0000_0000_00E2)
        )
    }

    static func participant(
        _ userID: UserID,
        _ membership: Participant.Membership = .accepted,
        isSharing: Bool = true
    ) -> Participant {
        Participant(
            userID: userID,
            membership: membership,
            isSharing: isSharing,
            invitedAt: promise.createdAt,
            acceptedAt: membership == .accepted ? promise.createdAt : nil
        )
    }

    static func arrival(
        of userID: UserID,
        _ stage: Arrival.Stage = .provisional,
        at instant: Instant = meetsAt - .milliseconds(1_500),
        source: Arrival.Source = .gps
    ) -> RankedArrival {
        RankedArrival(
            userID: userID,
            arrival: Arrival(stage: stage, creditedAt: instant, source: source),
            rank: 1
        )
    }

    static func view(
        _ members: [SessionView.Member],
        status: PromiseStatus = .tracking,
        result: PromiseResult? = nil
    ) -> SessionView {
        SessionView(promise: promise, status: status, members: members, lastSeq: 12, result: result)
    }

    static func member(_ participant: Participant, arrival: RankedArrival? = nil) -> SessionView.Member {
        SessionView.Member(participant: participant, arrival: arrival, live: LiveState())
    }
}
