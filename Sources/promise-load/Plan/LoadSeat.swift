import PromisedDomain

/// One seeded user as a line of the token file tells (`promised seed`).
struct LoadSeat: Hashable, Sendable {
    /// The user's id as it stands on the wire.
    var userID: String
    /// The promise they have part in.
    var promiseID: String
    /// Where that promise's place is.
    var place: Coordinate
    /// The place's radius.
    var radiusMetres: Double
    /// Whether they own the promise.
    var isOwner: Bool
    /// Their access token; empty for a peer that wants none.
    var token: String

    /// The seat of one line; nil when it is no such line.
    init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 7, let latitude = Double(fields[2]), let longitude = Double(fields[3]),
            let radius = Double(fields[4]), fields[5] == "owner" || fields[5] == "member", !fields[6].isEmpty
        else { return nil }
        userID = String(fields[0])
        promiseID = String(fields[1])
        place = Coordinate(latitude: latitude, longitude: longitude)
        radiusMetres = radius
        isOwner = fields[5] == "owner"
        token = String(fields[6])
    }

    /// A seat with these fields.
    init(
        userID: String,
        promiseID: String,
        place: Coordinate = Coordinate(latitude: 50, longitude: 8),
        radiusMetres: Double = 50,
        isOwner: Bool = false,
        token: String = ""
    ) {
        self.userID = userID
        self.promiseID = promiseID
        self.place = place
        self.radiusMetres = radiusMetres
        self.isOwner = isOwner
        self.token = token
    }
}
