internal import PromisedDomain
internal import PromisedPlaces

/// The rows of `favourite`.
enum FavouriteRecord {
    static func favourite(_ row: SQLRow) throws -> Favourite {
        Favourite(
            id: try row.value("id"),
            label: try row.value("label"),
            place: Place(
                name: try row.value("place_name"),
                address: try row.value("place_address"),
                coordinate: Coordinate(latitude: try row.value("latitude"), longitude: try row.value("longitude")),
                placeID: try row.value("place_id")
            ),
            createdAt: try row.value("created_at")
        )
    }

    /// A favourite of a user; nil if they have no favourite with this id. Primary key.
    static func fetch(_ id: FavouriteID, of user: UserID, from db: SQLConnection) throws -> Favourite? {
        try db.row("SELECT * FROM favourite WHERE id = ? AND user_id = ?", [id, user]).map(favourite)
    }

    /// A user's favourite for a place of the directory; nil if there is none. Index `favourite_by_place`.
    static func fetch(of place: PlaceID, of user: UserID, from db: SQLConnection) throws -> Favourite? {
        try db.row("SELECT * FROM favourite WHERE place_id = ? AND user_id = ?", [place, user]).map(favourite)
    }

    /// How many favourites a user has. Index `favourite_by_user`.
    static func count(of user: UserID, in db: SQLConnection) throws -> Int {
        try db.number("SELECT count(*) FROM favourite WHERE user_id = :user", named: ["user": user])
    }

    static func insert(_ favourite: Favourite, of user: UserID, into db: SQLConnection) throws {
        try db.run(
            """
            INSERT INTO favourite (
                id, user_id, label, place_id, place_name, place_address, latitude, longitude, created_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                favourite.id, user, favourite.label, favourite.place.placeID, favourite.place.name,
                favourite.place.address, favourite.place.coordinate.latitude, favourite.place.coordinate.longitude,
                favourite.createdAt,
            ]
        )
    }

    /// A page of a user's favourites, newest first; without a cursor the first one. Index `favourite_by_user`.
    static let page = """
        SELECT * FROM favourite WHERE user_id = :user
            AND (:cursorTime IS NULL OR (created_at, id) < (:cursorTime, :cursorID))
        ORDER BY created_at DESC, id DESC LIMIT :limit
        """
}
