internal import PromisedApplication
internal import PromisedDomain
internal import PromisedPlaces
internal import PromisedProtocol
internal import PromisedWire

/// The requests about the directory, favourites and outlooks (docs/places.md).
struct PlaceRequests: Sendable {
    let places: Places
    let favourites: Favourites
    let shareTexts: ShareTexts
    let outlooks: Outlooks
    let profiles: Profiles

    // MARK: - The directory

    func listCategories(_ caller: Caller) async throws -> Answer<WireContent> {
        let (categories, sources) = try await places.listCategories()
        let language = try await profiles.language(of: caller.userID)
        return .reply(.categories(WireCategories(categories, sources: sources, in: language)))
    }

    func listRegions(_ request: WireListRegions, from caller: Caller) async throws -> Answer<WireContent> {
        let regions = try await places.listRegions(in: try request.parentCode())
        return .reply(.regions(WireRegions(regions, in: try await profiles.language(of: caller.userID))))
    }

    /// Answers `viewPlaces`. Merges places into larger clusters if they do not fit into a frame.
    func view(_ request: WireViewPlaces, from caller: Caller) async throws -> Answer<WireContent> {
        let capacity = FrameCapacity(caller.frame)
        let shown = try await places.view(
            try request.visibleBox(),
            zoom: try request.checkedZoom(),
            try PlaceChoice(request.hasFilter ? request.filter : nil),
            limit: request.hasLimit ? Int(request.limit) : nil,
            for: caller.userID,
            fits: { capacity.holds(WirePlaceView($0)) }
        )
        return .reply(.placeView(WirePlaceView(shown)))
    }

    func nearby(_ request: WireNearbyPlaces, from caller: Caller) async throws -> Answer<WireContent> {
        let (centre, radius) = (try request.centre(), try request.checkedRadius())
        let choice = try PlaceChoice(request.hasFilter ? request.filter : nil)
        return try await page(request, of: caller) { cursor, limit in
            try await places.nearby(
                centre,
                radiusMetres: radius,
                choice,
                after: cursor,
                limit: limit,
                for: caller.userID
            )
        }
    }

    func search(_ request: WireSearchPlaces, from caller: Caller) async throws -> Answer<WireContent> {
        let near = request.hasNear ? try Coordinate(inside: "near", request.near) : nil
        let box = request.hasBox ? try Box(inside: "box", request.box) : nil
        let choice = try PlaceChoice(request.hasFilter ? request.filter : nil)
        return try await page(request, of: caller) { cursor, limit in
            try await places.search(
                request.text,
                near: near,
                box: box,
                choice,
                after: cursor,
                limit: limit,
                for: caller.userID
            )
        }
    }

    func get(_ request: WireGetPlace, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try PlaceID(wire: request.placeID, field: "placeId")
        return .reply(.placeDetails(WirePlaceDetails(try await places.details(of: id, for: caller.userID))))
    }

    /// Answers with a page of as many places as fit into a frame.
    private func page(
        _ request: some PagedRequest,
        of caller: Caller,
        _ ask: (PlaceCursor?, Int) async throws -> PlaceCards
    ) async throws -> Answer<WireContent> {
        let asked = try PageRequest(request) { PlaceCursor($0) }
        let capacity = FrameCapacity(caller.frame)
        let reply = try await capacity.page(of: asked.limit) { WirePlaces(try await ask(asked.cursor, $0)) }
        return .reply(.places(reply))
    }

    // MARK: - Favourites

    func addFavourite(_ request: WireAddFavourite, from caller: Caller) async throws -> Answer<WireContent> {
        let place: Place
        if request.hasPlaceID {
            let id = try PlaceID(wire: request.placeID, field: "placeId")
            place = Place(name: "", coordinate: Coordinate(latitude: 0, longitude: 0), placeID: id)
        } else if request.hasPlace {
            place = try Place(inside: "place", request.place)
        } else {
            throw RequestError(.requestInvalid, message: "The request needs placeId or place.", field: "placeId")
        }
        let favourite = try await favourites.add(
            place,
            label: request.label,
            key: request.key,
            contentHash: try request.contentHash(),
            of: caller.userID
        )
        return .reply(.favourite(WireFavourite(favourite)))
    }

    func removeFavourite(_ request: WireRemoveFavourite, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try FavouriteID(wire: request.favouriteID, field: "favouriteId")
        try await favourites.remove(id, of: caller.userID)
        return .done
    }

    func listFavourites(_ request: WireListFavourites, from caller: Caller) async throws -> Answer<WireContent> {
        let asked = try PageRequest(request) { FavouriteCursor($0) }
        let page = try await favourites.list(of: caller.userID, after: asked.cursor, limit: asked.limit)
        var capacity = FrameCapacity(caller.frame)
        let (listed, next) = capacity.fill(with: page, cursor: \.cursor) { WireFavourite($0) }
        var reply = WireFavourites()
        reply.favourites = listed
        reply.cursor = next?.description ?? ""
        return .reply(.favourites(reply))
    }

    // MARK: - At an instant, and for others

    func outlook(_ request: WireGetOutlook, from caller: Caller) async throws -> Answer<WireContent> {
        let outlook: PlaceOutlook
        switch try OutlookSubject(request) {
        case .promise(let id):
            // A promise determines its own instant.
            guard !request.hasAt else { throw RequestError(.requestInvalid, field: "at") }
            outlook = try await outlooks.outlook(ofPromise: id, for: caller.userID)
        case .place(let id):
            let instant = request.hasAt ? try Instant(wire: request.at, field: "at") : nil
            outlook = try await outlooks.outlook(ofPlace: id, at: instant, for: caller.userID)
        }
        return .reply(.outlook(WireOutlook(outlook)))
    }

    func shareText(_ request: WireGetShareText, from caller: Caller) async throws -> Answer<WireContent> {
        let text: ShareText
        switch (request.hasPromiseID, request.hasPlaceID, request.hasCourseID) {
        case (true, false, false):
            let id = try PromiseID(wire: request.promiseID, field: "promiseId")
            text = try await shareTexts.text(of: id, for: caller.userID)
        case (false, true, false):
            let id = try PlaceID(wire: request.placeID, field: "placeId")
            text = try await shareTexts.text(of: id, for: caller.userID)
        case (false, false, true):
            let id = try CourseID(wire: request.courseID, field: "courseId")
            text = try await shareTexts.text(of: id, for: caller.userID)
        default: throw RequestError.needsOne(of: "promiseId", "placeId", "courseId")
        }
        return .reply(.shareText(WireShareText(text)))
    }
}

extension ShownFavourite {
    fileprivate var cursor: FavouriteCursor { FavouriteCursor(favourite) }
}

extension PlaceChoice {
    /// The choice in a request; all places if it has no filter.
    init(_ wire: WirePlaceFilter?) throws {
        guard let wire else {
            self.init()
            return
        }
        let filter = try WireError.inside("filter") { () throws(WireError) in try PlaceFilter(wire) }
        self.init(filter, favouritesOnly: wire.favourites)
    }
}

extension Coordinate {
    fileprivate init(inside field: String, _ wire: WirePoint) throws(WireError) {
        self = try WireError.inside(field) { () throws(WireError) in try Coordinate(wire) }
    }
}

extension Box {
    fileprivate init(inside field: String, _ wire: WireBox) throws(WireError) {
        self = try WireError.inside(field) { () throws(WireError) in try Box(wire) }
    }
}

extension OutlookSubject {
    fileprivate init(_ request: WireGetOutlook) throws {
        switch (request.hasPromiseID, request.hasPlaceID) {
        case (true, false): self = .promise(try PromiseID(wire: request.promiseID, field: "promiseId"))
        case (false, true): self = .place(try PlaceID(wire: request.placeID, field: "placeId"))
        default: throw RequestError.needsOne(of: "promiseId", "placeId")
        }
    }
}

extension RequestError {
    /// The error for a request that must have exactly one of these fields.
    fileprivate static func needsOne(of fields: String...) -> RequestError {
        let names = fields.dropLast().joined(separator: ", ") + " or " + (fields.last ?? "")
        let message = "The request needs exactly one of \(names)."
        return RequestError(.requestInvalid, message: message, field: fields.first ?? "")
    }
}
