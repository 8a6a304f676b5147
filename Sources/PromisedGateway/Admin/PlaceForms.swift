internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedFormats
internal import PromisedOutside
internal import PromisedPlaces
internal import PromisedProtocol
internal import PromisedWire

/// The administrators' forms for the directory and its weather.
struct PlaceForms: Sendable {
    let administration: PlaceAdministration
    let imports: PlaceImports
    let weather: Weather

    // MARK: - Sources and imports

    func listSources() async throws -> AdminAnswer {
        let importing = await imports.sources
        var reply = WireAdminSources()
        reply.sources = try await administration.listSources().map { counted in
            WireAdminSource(counted, isImporting: importing.contains(counted.source.name))
        }
        return .reply(.sources(reply))
    }

    func beginImport(_ request: WireAdminBeginImport, from caller: AdminCaller) async throws -> AdminAnswer {
        guard request.hasSource else { throw RequestError(.requestInvalid, field: "source") }
        let order = PlaceImportOrder(
            source: PlaceSource(request.source, timeZone: request.timeZone),
            replaces: request.replace,
            maxRemovedPercent: request.hasMaxRemovedPercent
                ? Int(request.maxRemovedPercent) : PlaceImportOrder.usualRemovedPercent,
            isDryRun: request.dryRun
        )
        let audit = caller.audit("beginImport", of: request.source.name, detail: order.replaces ? "replaces" : "")
        let id = try await imports.begin(order, from: try caller.subscriber.required, audit: audit)
        var reply = WireAdminImport()
        reply.importID = id.wireText
        return .reply(.placeImport(reply))
    }

    /// Answers `putPlaces`, with the refused rows of this request and the numbers of the whole import.
    func put(_ request: WireAdminPutPlaces, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try PlaceImportID(wire: request.importID, field: "importId")
        guard !request.rows.isEmpty else { throw RequestError(.requestInvalid, field: "rows") }
        let rows = request.rows.map { ImportedPlace($0) }
        let (refused, report) = try await imports.put(rows, into: id, from: try caller.subscriber.required)
        var reply = WireAdminImport(id, report)
        reply.refusedRows = refused.map { WireAdminRefusedRow($0) }
        return .reply(.placeImport(reply))
    }

    func finishImport(_ request: WireAdminFinishImport, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try PlaceImportID(wire: request.importID, field: "importId")
        let audit = caller.audit("finishImport", of: id.wireText)
        var reply = WireAdminImport(id, try await imports.finish(id, audit: audit))
        reply.finished = true
        return .reply(.placeImport(reply))
    }

    /// Marks the imports of an administrator's connection that has ended.
    func forget(_ connection: SubscriberID) async { await imports.forget(connection) }

    func cancelImport(_ request: WireAdminCancelImport) async throws -> AdminAnswer {
        try await imports.cancel(try PlaceImportID(wire: request.importID, field: "importId"))
        return .done
    }

    func removeSource(_ request: WireAdminRemoveSource, from caller: AdminCaller) async throws -> AdminAnswer {
        try TextWeight.check(request.name, of: "name", longest: TextWeight.name)
        guard !request.name.isEmpty else { throw RequestError(.requestInvalid, field: "name") }
        let audit = caller.audit("removeSource", of: request.name)
        var reply = WireAdminRemovedPlaces()
        reply.count = UInt32(clamping: try await imports.removeSource(named: request.name, audit: audit))
        return .reply(.removedPlaces(reply))
    }

    // MARK: - Single places

    /// Answers `findPlaces` with as many places as fit into a frame.
    func find(_ request: WireAdminFindPlaces, from caller: AdminCaller) async throws -> AdminAnswer {
        let asked = try PageRequest(request) { PlaceCursor($0) }
        let choice = try PlaceChoice(request.hasFilter ? request.filter : nil)
        // Favourites are private to their users.
        guard !choice.favouritesOnly else { throw RequestError(.requestInvalid, field: "filter.favourites") }
        guard !request.hasText || !request.text.isEmpty else {
            let message = "text must have 1 to 60 characters, or be absent."
            throw RequestError(.requestInvalid, message: message, field: "text")
        }
        let capacity = FrameCapacity(caller.frame)
        let reply = try await capacity.page(of: asked.limit) { limit in
            WirePlaces(
                try await administration.find(
                    request.hasText ? request.text : nil,
                    filter: choice.filter,
                    after: asked.cursor,
                    limit: limit
                )
            )
        }
        return .reply(.places(reply))
    }

    func show(_ request: WireAdminShowPlace) async throws -> AdminAnswer {
        answer(try await administration.show(try PlaceID(wire: request.placeID, field: "placeId")))
    }

    func create(_ request: WireAdminCreatePlace, from caller: AdminCaller) async throws -> AdminAnswer {
        let source = request.hasSourceName ? request.sourceName : PlaceAdministration.ownSource
        try TextWeight.check(source, of: "sourceName", longest: TextWeight.name)
        guard !source.isEmpty else {
            throw RequestError(
                .requestInvalid,
                message: "sourceName must name a source, or be absent.",
                field: "sourceName"
            )
        }
        guard request.hasRow else { throw RequestError(.requestInvalid, field: "row") }
        let audit = caller.audit("createPlace", detail: "source \(source)")
        return answer(try await administration.create(try place(request.row), in: source, audit: audit))
    }

    func edit(_ request: WireAdminEditPlace, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try PlaceID(wire: request.placeID, field: "placeId")
        guard request.hasRow else { throw RequestError(.requestInvalid, field: "row") }
        let (place, audit) = (try place(request.row), caller.audit("editPlace", of: id.wireText))
        return answer(try await administration.edit(id, to: place, audit: audit))
    }

    func remove(_ request: WireAdminRemovePlace, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try PlaceID(wire: request.placeID, field: "placeId")
        try await administration.remove(id, audit: caller.audit("removePlace", of: id.wireText))
        return .done
    }

    /// The place of a form. Its other fields are checked by the act.
    private func place(_ row: WirePlaceRow) throws -> ImportedPlace {
        _ = try TextRule(field: "row.ref", length: 0...100).clean(row.ref)
        guard row.hasPlace else { throw RequestError(.requestInvalid, field: "row.place") }
        if row.place.hasPlaceID { _ = try PlaceID(wire: row.place.placeID, field: "row.place.placeId") }
        return ImportedPlace(row)
    }

    private func answer(_ details: PlaceDetails) -> AdminAnswer { .reply(.place(WireAdminPlace(details))) }

    // MARK: - Weather

    func weatherStatus() async throws -> AdminAnswer {
        let status = try await weather.status()
        let providers = status.providers.map { provider in
            WireAdminWeatherProvider(
                name: provider.part.name,
                standing: provider.standing,
                failures: provider.failures
            )
        }
        let reply = WireAdminWeatherStatus(providers, budget: status.budget, fetches: status.fetches)
        return .reply(.weatherStatus(reply))
    }

    func refreshWeather(_ request: WireAdminRefreshWeather, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try PlaceID(wire: request.placeID, field: "placeId")
        let audit = caller.audit("refreshWeather", of: id.wireText)
        return .reply(.outlook(WireOutlook(try await weather.refresh(of: id, at: caller.now, audit: audit))))
    }
}

extension WireAdminImport {
    /// An import with its current numbers.
    fileprivate init(_ id: PlaceImportID, _ report: PlaceImportReport) {
        self.init()
        importID = id.wireText
        added = UInt32(clamping: report.added)
        changed = UInt32(clamping: report.changed)
        unchanged = UInt32(clamping: report.unchanged)
        removed = UInt32(clamping: report.removed)
        refused = UInt32(clamping: report.refused)
    }
}

extension WireAdminRefusedRow {
    /// The largest number of characters of a message, so that the refusals of a whole batch fit into a frame.
    private static let longestMessage = 100

    fileprivate init(_ row: RefusedPlaceRow) {
        self.init()
        index = UInt32(clamping: row.index)
        reason = row.problem.reason.rawValue
        field = row.problem.field
        message = String(row.problem.message.prefix(WireAdminRefusedRow.longestMessage))
    }
}
