internal import PromisedApplication
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces
internal import PromisedProtocol
internal import PromisedWire

/// The requests about visits (docs/courses.md#visits).
struct VisitRequests: Sendable {
    let visits: Visits

    func create(_ request: WireCreateVisit, from caller: Caller) async throws -> Answer<WireContent> {
        guard request.hasPlace else { throw RequestError(.requestInvalid, field: "place") }
        guard request.hasVisitedAt else { throw RequestError(.requestInvalid, field: "visitedAt") }
        let made = try await visits.create(
            try VisitContent(request),
            key: request.key,
            contentHash: try request.contentHash(),
            by: caller.userID
        )
        return reply(made, to: caller)
    }

    func update(_ request: WireUpdateVisit, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try VisitID(wire: request.visitID, field: "visitId")
        let content = try VisitContent(request)
        let changed = try await visits.update(id, version: Int(request.version), content, by: caller.userID)
        return reply(changed, to: caller)
    }

    func get(_ request: WireGetVisit, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try VisitID(wire: request.visitID, field: "visitId")
        return reply(try await visits.get(id, by: caller.userID), to: caller)
    }

    func delete(_ request: WireDeleteVisit, from caller: Caller) async throws -> Answer<WireContent> {
        try await visits.delete(try VisitID(wire: request.visitID, field: "visitId"), by: caller.userID)
        return .done
    }

    /// Answers `listVisits` with as many visits as fit into a frame.
    func list(_ request: WireListVisits, from caller: Caller) async throws -> Answer<WireContent> {
        let asked = try PageRequest(request) { VisitCursor($0) }
        let page = try await visits.list(
            of: request.hasUserID ? try UserID(wire: request.userID, field: "userId") : caller.userID,
            filter: try VisitFilter(request),
            after: asked.cursor,
            limit: asked.limit,
            seenBy: caller.userID
        )
        var capacity = FrameCapacity(caller.frame)
        let (listed, next) = capacity.fill(with: page, cursor: \.cursor) { WireVisit($0, to: caller.userID) }
        var reply = WireVisits()
        reply.visits = listed
        reply.cursor = next?.description ?? ""
        return .reply(.visits(reply))
    }

    func statistics(_ caller: Caller) async throws -> Answer<WireContent> {
        .reply(.visitStatistics(WireVisitStatistics(try await visits.statistics(of: caller.userID))))
    }

    private func reply(_ shown: Visits.Shown, to caller: Caller) -> Answer<WireContent> {
        .reply(.visit(WireVisit(shown, to: caller.userID)))
    }
}

extension Visits.Shown {
    fileprivate var cursor: VisitCursor { VisitCursor(visit) }
}

extension WireVisit {
    /// A visit as a user sees it.
    init(_ shown: Visits.Shown, to userID: UserID) {
        self.init(shown.visit, isOwn: shown.visit.userID == userID, files: shown.files) { id in
            shown.cards[id] ?? .tombstone(of: id)
        }
    }
}

extension VisitContent {
    fileprivate init(_ request: WireCreateVisit) throws(WireError) {
        self.init()
        place = try WireError.inside("place") { () throws(WireError) in try Place(chosen: request.place) }
        visitedAt = try Instant(wire: request.visitedAt, field: "visitedAt")
        if request.hasKind { kind = try VisitNotes.Kind(request.kind, field: "kind") }
        if request.hasTitle { title = request.title }
        if request.hasMemo { memo = request.memo }
        if request.hasEmoji { emoji = request.emoji }
        photos = try Photo.list(wire: request.photos)
        companions = try Companion.list(wire: request.companions)
        if request.hasAudience { audience = try Audience(request.audience, field: "audience") }
    }

    fileprivate init(_ request: WireUpdateVisit) throws(WireError) {
        self.init()
        if request.hasPlace {
            place = try WireError.inside("place") { () throws(WireError) in try Place(chosen: request.place) }
        }
        if request.hasVisitedAt { visitedAt = try Instant(wire: request.visitedAt, field: "visitedAt") }
        if request.hasKind { kind = try VisitNotes.Kind(request.kind, field: "kind") }
        if request.hasTitle { title = request.title }
        if request.hasMemo { memo = request.memo }
        if request.hasEmoji { emoji = request.emoji }
        guard !request.withoutPhotos || request.photos.isEmpty else { throw .invalid(field: "photos") }
        guard !request.withoutCompanions || request.companions.isEmpty else { throw .invalid(field: "companions") }
        if request.withoutPhotos || !request.photos.isEmpty { photos = try Photo.list(wire: request.photos) }
        if request.withoutCompanions || !request.companions.isEmpty {
            companions = try Companion.list(wire: request.companions)
        }
        if request.hasAudience { audience = try Audience(request.audience, field: "audience") }
    }
}

extension Place {
    /// A place of the directory, given only by its id, or one described by the user.
    fileprivate init(chosen wire: WirePlace) throws(WireError) {
        guard wire.hasPlaceID else {
            try self.init(wire)
            return
        }
        let id = try PlaceID(wire: wire.placeID, field: "placeId")
        self.init(name: "", coordinate: Coordinate(latitude: 0, longitude: 0), placeID: id)
    }
}

extension VisitFilter {
    fileprivate init(_ request: WireListVisits) throws {
        var kinds: Set<VisitNotes.Kind> = []
        guard request.kinds.count <= 8 else { throw RequestError(.requestInvalid, field: "kinds") }
        for (index, kind) in request.kinds.enumerated() {
            kinds.insert(try VisitNotes.Kind(kind, field: "kinds[\(index)]"))
        }
        self.init(kinds: kinds)
        if request.hasFilter {
            places = try WireError.inside("filter") { () throws(WireError) in try PlaceFilter(request.filter) }
        }
        if request.hasPlaceID { placeID = try PlaceID(wire: request.placeID, field: "placeId") }
        if request.hasFrom { from = try Instant(wire: request.from, field: "from") }
        if request.hasTo { to = try Instant(wire: request.to, field: "to") }
        if request.hasText, !request.text.isEmpty { text = try PlaceQuery(typed: request.text) }
    }
}

extension WireListVisits: PagedRequest {}
