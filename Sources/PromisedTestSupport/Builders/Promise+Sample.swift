public import PromisedDomain

extension Instant {
    /// When promises of tests meet unless they say otherwise: 2026-11-21T09:00:00Z.
    public static let meeting = Instant(milliseconds: 1_795_251_600_000)
}

extension Coordinate {
    /// Where promises of tests meet unless they say otherwise: on the equator, where distances come out exactly.
    public static let meetingPlace = Coordinate(latitude: 0, longitude: 127)
}

extension Promise {
    /// A promise that is right in every field, created an hour before its window opens.
    ///
    /// - Parameters:
    ///   - number: told apart by it; also gives the id.
    ///   - owner: the owner, by default user 1.
    ///   - coordinate: the centre of the circle.
    public static func sample(
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
