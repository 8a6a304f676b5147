package import PromisedDomain
package import PromisedJournal
internal import PromisedPlaces
package import PromisedProtocol
internal import SwiftProtobuf

extension WireVisit {
    /// A visit as a user sees it.
    ///
    /// - Parameters:
    ///   - isOwn: `false` for another user's visit, which then includes the user's card.
    ///   - files: the files of its photos; omits photos without a file.
    ///   - card: the cards of the user and of the companions.
    package init(
        _ visit: Visit,
        isOwn: Bool,
        files: [FileID: StoredFile],
        card: (UserID) -> UserCard
    ) {
        self.init()
        visitID = visit.id.wireText
        version = UInt32(clamping: visit.version)
        place = WirePlace(visit.moment.place)
        category = visit.moment.category?.text ?? ""
        visitedAt = WireTimestamp(visit.moment.at)
        localDate = visit.moment.localDate.wireText
        kind = WireVisitKind.Value(visit.notes.kind)
        title = visit.notes.title.bounded(characters: VisitLimits.title)
        memo = visit.notes.memo.bounded(characters: VisitLimits.memo)
        emoji = visit.notes.emoji.bounded(characters: 1)
        photos = visit.notes.photos.compactMap { photo in files[photo.fileID].map { WirePhoto(photo, file: $0) } }
        companions = visit.companions.map { WireCompanion($0, card: card) }
        source = visit.arrival == nil ? .hand : .arrival
        if let arrival = visit.arrival {
            promiseID = arrival.promiseID.wireText
            outcome = WireOutcome.Value(arrival.outcome)
            rank = UInt32(clamping: arrival.rank)
            mock = arrival.isMock
        }
        if let weather = visit.weather { self.weather = WireWeather(weather) }
        audience = WireAudience.Value(visit.audience)
        if !isOwn { user = WireUserCard(card(visit.userID)) }
    }
}

extension WireCompanion {
    /// Another person at the place.
    fileprivate init(_ companion: Companion, card: (UserID) -> UserCard) {
        self.init()
        switch companion {
        case .user(let userID): user = WireUserCard(card(userID))
        case .named(let name): self.name = name.bounded(characters: Companion.longestName)
        }
    }
}

extension WireWeather {
    fileprivate init(_ weather: VisitWeather) {
        self.init()
        source = weather.source.rawValue
        attribution = weather.source.attribution.text
        attributionURL = weather.source.attribution.url
        fetchedAt = WireTimestamp(weather.fetchedAt)
        hours = [WireWeatherHour(WeatherHour(forecast: weather.forecast, air: weather.air, advice: weather.advice))]
    }
}

extension Companion {
    /// The companions in a request, with names as received. Throws ``WireError/invalid(field:)`` for too many, for an
    /// invalid id, and for a companion with both a user and a name or neither.
    package static func list(wire companions: [WireCompanion]) throws(WireError) -> [Companion] {
        guard companions.count <= most else { throw .invalid(field: "companions") }
        var list: [Companion] = []
        for (index, companion) in companions.enumerated() {
            guard companion.hasUser != !companion.name.isEmpty else {
                throw .invalid(field: "companions[\(index)].name")
            }
            let field = "companions[\(index)].user.userId"
            list.append(
                companion.hasUser
                    ? .user(try UserID(wire: companion.user.userID, field: field)) : .named(companion.name)
            )
        }
        return list
    }
}

extension WireVisitStatistics {
    /// The reply to `getVisitStatistics`.
    package init(_ statistics: VisitStatistics) {
        self.init()
        visits = UInt32(clamping: statistics.visits)
        counted = UInt32(clamping: statistics.counted)
        places = UInt32(clamping: statistics.places)
        level = UInt32(clamping: statistics.level)
        toNext = UInt32(clamping: statistics.toNext)
        categories = statistics.categories.map { category in
            .with {
                $0.id = category.category.text
                $0.counted = UInt32(clamping: category.counted)
                $0.level = UInt32(clamping: category.level)
            }
        }
        regions = statistics.regions.map { region in
            .with {
                $0.code = region.region.wireText
                $0.counted = UInt32(clamping: region.counted)
            }
        }
        badges = statistics.badges.map { badge in
            .with {
                $0.id = badge.badge.rawValue
                if let earnedAt = badge.earnedAt { $0.earnedAt = WireTimestamp(earnedAt) }
                $0.progress = UInt32(clamping: badge.progress)
                $0.goal = UInt32(clamping: badge.badge.goal)
            }
        }
    }
}

// MARK: - Enumerations

extension WireVisitKind.Value {
    package init(_ kind: VisitNotes.Kind) {
        switch kind {
        case .note: self = .note
        case .quote: self = .quote
        case .book: self = .book
        case .food: self = .food
        case .other: self = .other
        }
    }
}

extension VisitNotes.Kind {
    /// Throws ``WireError/invalid(field:)`` for an unspecified or unknown value.
    package init(_ wire: WireVisitKind.Value, field: String) throws(WireError) {
        guard let kind = Self.allCases.first(where: { WireVisitKind.Value($0) == wire }) else {
            throw .invalid(field: field)
        }
        self = kind
    }
}

extension WireAudience.Value {
    package init(_ audience: Audience) {
        switch audience {
        case .onlyMe: self = .private
        case .companions: self = .companions
        case .friends: self = .friends
        case .people: self = .people
        }
    }
}

extension Audience {
    /// Throws ``WireError/invalid(field:)`` for an unspecified or unknown value.
    package init(_ wire: WireAudience.Value, field: String) throws(WireError) {
        guard let audience = Self.allCases.first(where: { WireAudience.Value($0) == wire }) else {
            throw .invalid(field: field)
        }
        self = audience
    }
}
