public import PromisedProtocol

extension AdminForm {
    // MARK: - Sources and imports

    /// The sources of the directory, ascending by name.
    public static func listSources() -> Self where Reply == WireAdminSources {
        Self(.listSources(WireAdminListSources())) { if case .sources(let reply) = $0 { reply } else { nil } }
    }

    /// Begins an import into a source; creates a missing source.
    public static func beginImport(_ request: WireAdminBeginImport) -> Self where Reply == WireAdminImport {
        Self(placeImport: .beginImport(request))
    }

    /// Adds places to an import, as many as a frame of 64 KiB holds and at most 1,000. Up to four such forms may wait for
    /// their replies.
    public static func putPlaces(_ rows: [WirePlaceRow], into importID: String) -> Self where Reply == WireAdminImport {
        var request = WireAdminPutPlaces()
        request.importID = importID
        request.rows = rows
        return Self(placeImport: .putPlaces(request))
    }

    /// Finishes an import; a replacing one now removes the places that it did not include.
    public static func finishImport(_ importID: String) -> Self where Reply == WireAdminImport {
        var request = WireAdminFinishImport()
        request.importID = importID
        return Self(placeImport: .finishImport(request))
    }

    /// Cancels an import; the places that it has added remain.
    public static func cancelImport(_ importID: String) -> Self where Reply == WireAdminDone {
        var request = WireAdminCancelImport()
        request.importID = importID
        return Self(done: .cancelImport(request))
    }

    /// Removes a source with all its places.
    public static func removeSource(named name: String) -> Self where Reply == WireAdminRemovedPlaces {
        var request = WireAdminRemoveSource()
        request.name = name
        return Self(.removeSource(request)) { if case .removedPlaces(let reply) = $0 { reply } else { nil } }
    }

    init(placeImport request: WireAdminRequest.OneOf_Request) where Reply == WireAdminImport {
        self.init(request) { if case .placeImport(let reply) = $0 { reply } else { nil } }
    }

    // MARK: - Places

    /// A page of the places of the directory.
    ///
    /// - Parameters:
    ///   - text: as in ``PromisedClient/searchPlaces(text:near:box:filter:cursor:limit:)``; nil: all places.
    ///   - filter: which places; nil: all.
    ///   - cursor: from the page before; nil for the first.
    ///   - limit: the size of the page, 1 to 50; the server's choice without it.
    public static func findPlaces(
        _ text: String? = nil,
        filter: WirePlaceFilter? = nil,
        cursor: String? = nil,
        limit: Int32? = nil
    ) -> Self where Reply == WirePlaces {
        var request = WireAdminFindPlaces()
        if let text { request.text = text }
        if let filter { request.filter = filter }
        if let cursor { request.cursor = cursor }
        if let limit { request.limit = limit }
        return Self(.findPlaces(request)) { if case .places(let reply) = $0 { reply } else { nil } }
    }

    /// A place, also a removed one.
    public static func showPlace(_ placeID: String) -> Self where Reply == WireAdminPlace {
        var request = WireAdminShowPlace()
        request.placeID = placeID
        return Self(place: .showPlace(request))
    }

    /// Adds a place to a source; nil: to `own`, the operator's own places.
    public static func createPlace(_ row: WirePlaceRow, in sourceName: String? = nil) -> Self
    where Reply == WireAdminPlace {
        var request = WireAdminCreatePlace()
        if let sourceName { request.sourceName = sourceName }
        request.row = row
        return Self(place: .createPlace(request))
    }

    /// Replaces a place of the directory; the next import of its source may overwrite this.
    public static func editPlace(_ placeID: String, to row: WirePlaceRow) -> Self where Reply == WireAdminPlace {
        var request = WireAdminEditPlace()
        request.placeID = placeID
        request.row = row
        return Self(place: .editPlace(request))
    }

    /// Removes a place from the directory.
    public static func removePlace(_ placeID: String) -> Self where Reply == WireAdminDone {
        var request = WireAdminRemovePlace()
        request.placeID = placeID
        return Self(done: .removePlace(request))
    }

    init(place request: WireAdminRequest.OneOf_Request) where Reply == WireAdminPlace {
        self.init(request) { if case .place(let reply) = $0 { reply } else { nil } }
    }

    // MARK: - Weather

    /// The state of the weather providers, and the rest of today's budget.
    public static func getWeatherStatus() -> Self where Reply == WireAdminWeatherStatus {
        Self(.getWeatherStatus(WireAdminGetWeatherStatus())) {
            if case .weatherStatus(let reply) = $0 { reply } else { nil }
        }
    }

    /// Fetches the weather of a place again, if budget and provider allow.
    public static func refreshWeather(at placeID: String) -> Self where Reply == WireOutlook {
        var request = WireAdminRefreshWeather()
        request.placeID = placeID
        return Self(.refreshWeather(request)) { if case .outlook(let reply) = $0 { reply } else { nil } }
    }
}
