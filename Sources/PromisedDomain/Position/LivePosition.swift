/// Where a participant is, as the others see it.
public struct LivePosition: Hashable, Sendable {
    /// Who.
    public var userID: UserID
    /// The phone's number of the fix.
    public var seq: UInt32
    /// Where.
    public var coordinate: Coordinate
    /// Horizontal accuracy in metres; 50 when the phone did not know.
    public var accuracyMetres: Double
    /// When, on the server's clock.
    public var fixTime: Instant
    /// Metres to the place.
    public var distanceMetres: Double
    /// The participant's place in the session, 0 for the first: lets an outbox replace older positions by newer ones.
    public var lane: Int

    /// A live position with all its fields.
    public init(
        userID: UserID,
        seq: UInt32,
        coordinate: Coordinate,
        accuracyMetres: Double,
        fixTime: Instant,
        distanceMetres: Double,
        lane: Int
    ) {
        self.userID = userID
        self.seq = seq
        self.coordinate = coordinate
        self.accuracyMetres = accuracyMetres
        self.fixTime = fixTime
        self.distanceMetres = distanceMetres
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

/// How fresh what others see of a participant is, counted from when the next report was due (domain §5).
public enum Freshness: String, Hashable, Sendable, Codable, CaseIterable {
    /// At most 10 s after.
    case live
    /// At most 40 s after.
    case lagging
    /// At most 5 minutes after.
    case stale
    /// Longer, or never heard of.
    case lost

    /// The freshness at `now` of somebody whose next report was due at `dueAt`.
    public init(dueAt: Instant, at now: Instant) {
        let overdue = now - dueAt
        if overdue <= .seconds(10) {
            self = .live
        } else if overdue <= .seconds(40) {
            self = .lagging
        } else {
            self = overdue <= .minutes(5) ? .stale : .lost
        }
    }
}

/// What a session knows of a participant between two reports (domain §5).
public struct LiveState: Hashable, Sendable {
    /// A participant has moved when a fix lies farther than this, and both errors, from where they last moved; in metres.
    static let movementMetres = 20.0

    /// The latest position; nil before the first accepted fix.
    public internal(set) var position: LivePosition?
    /// When the server last received a fix of theirs; nil before.
    public internal(set) var lastSeenAt: Instant?
    /// The time of the last fix by which they had moved; nil before the first accepted fix.
    public internal(set) var lastMovedAt: Instant?
    /// Metres from the departure point to the place; nil before the first accepted fix.
    public internal(set) var departureDistanceMetres: Double?
    private var anchor: SettledFix?

    /// Knows nothing yet.
    public init() {}

    /// The share of the way done, 0…1: how much nearer than the departure point; nil before the first accepted fix.
    public var progress: Double? {
        guard let position, let departure = departureDistanceMetres else { return nil }
        guard departure > 0 else { return 1 }
        return min(1, max(0, 1 - position.distanceMetres / departure))
    }

    /// The freshness at `now` when reports are due every `interval`.
    public func freshness(interval: TimeSpan, at now: Instant) -> Freshness {
        lastSeenAt.map { Freshness(dueAt: $0 + interval, at: now) } ?? .lost
    }

    mutating func noteMovement(to fix: SettledFix) {
        if let anchor {
            let reach = anchor.errorMetres + fix.errorMetres + LiveState.movementMetres
            guard fix.coordinate.distanceMetres(to: anchor.coordinate) > reach else { return }
        }
        anchor = fix
        lastMovedAt = fix.time
    }
}
