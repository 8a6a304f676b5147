/// A session's live knowledge of a participant (domain §5).
package struct LiveState: Hashable, Sendable {
    /// Where a participant last moved.
    private struct Anchor: Hashable, Sendable {
        var coordinate: Coordinate
        var errorMetres: Double
    }

    /// A fix farther than this, plus both errors, from where the participant last moved counts as movement; in metres.
    static let movementMetres = 20.0

    /// The latest position; nil before the first accepted fix.
    package internal(set) var position: LivePosition?
    /// When the server last received a fix of the participant; nil before.
    package internal(set) var lastSeenAt: Instant?
    /// The time of the last fix that showed movement; nil before the first accepted fix.
    package internal(set) var lastMovedAt: Instant?
    /// Metres from the departure point to the place; nil before the first accepted fix.
    package internal(set) var departureDistanceMetres: Double?
    /// When the next report is due; nil before the first, and after a stop.
    var dueAt: Instant?
    /// The problem that the participant's phone has reported.
    var trouble = PresenceCause.none
    /// The recent distances to the place.
    var approach = ApproachTrack()
    private var anchor: Anchor?

    package init() {}

    /// The share of the way done, 0…1: how much nearer than the departure point; nil before the first accepted fix.
    package var progress: Double? {
        guard let position, let departure = departureDistanceMetres else { return nil }
        guard departure > 0 else { return 1 }
        return min(1, max(0, 1 - position.distanceMetres / departure))
    }

    /// The freshness at `now`; lost before the first fix.
    func freshness(at now: Instant) -> Freshness {
        guard lastSeenAt != nil, let dueAt else { return .lost }
        return Freshness(dueAt: dueAt, at: now)
    }

    mutating func noteMovement(to fix: SettledFix) {
        if let anchor {
            let reach = anchor.errorMetres + fix.errorMetres + LiveState.movementMetres
            guard fix.coordinate.distanceMetres(to: anchor.coordinate) > reach else { return }
        }
        anchor = Anchor(coordinate: fix.coordinate, errorMetres: fix.errorMetres)
        lastMovedAt = fix.time
    }
}

/// A participant's position as the others see it.
package struct LivePosition: Hashable, Sendable {
    package var userID: UserID
    /// The phone's sequence number of the fix.
    package var seq: UInt32
    package var coordinate: Coordinate
    /// Horizontal accuracy in metres; 50 if unknown.
    package var accuracyMetres: Double
    /// The fix time, on the server's clock.
    package var fixTime: Instant
    /// Metres to the place.
    package var distanceMetres: Double
    /// The expected arrival; nil if it is not announced.
    package var estimate: ArrivalEstimate?
    /// The participant's place in the session, 0 for the first: lets an outbox replace older positions by newer ones.
    package var lane: Int

    package init(
        userID: UserID,
        seq: UInt32,
        coordinate: Coordinate,
        accuracyMetres: Double,
        fixTime: Instant,
        distanceMetres: Double,
        estimate: ArrivalEstimate? = nil,
        lane: Int
    ) {
        self.userID = userID
        self.seq = seq
        self.coordinate = coordinate
        self.accuracyMetres = accuracyMetres
        self.fixTime = fixTime
        self.distanceMetres = distanceMetres
        self.estimate = estimate
        self.lane = lane
    }

    init(_ fix: SettledFix, of userID: UserID, placeAt place: Coordinate, lane: Int) {
        let accuracy = fix.accuracyMetres.flatMap { $0 > 0 ? $0 : nil } ?? fix.errorMetres
        self.init(
            userID: userID,
            seq: fix.seq,
            coordinate: fix.coordinate,
            accuracyMetres: accuracy,
            fixTime: fix.time,
            distanceMetres: fix.coordinate.distanceMetres(to: place),
            lane: lane
        )
    }
}
