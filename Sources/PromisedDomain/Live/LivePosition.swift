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
    /// When they are expected; nil when that is not told.
    public var estimate: ArrivalEstimate?
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
