internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces

struct ExportedPlace: Encodable {
    var name: String
    var address: String
    var latitude: Double
    var longitude: Double
    var placeId: String?

    init(_ place: Place) {
        name = place.name
        address = place.address
        latitude = place.coordinate.latitude
        longitude = place.coordinate.longitude
        placeId = place.placeID.map { "\($0)" }
    }
}

/// An item of `favourites.json`.
struct ExportedFavourite: Encodable {
    var favouriteId: String
    var label: String
    var place: ExportedPlace
    var createdAt: String

    init(_ favourite: Favourite) {
        favouriteId = "\(favourite.id)"
        label = favourite.label
        place = ExportedPlace(favourite.place)
        createdAt = favourite.createdAt.rfc3339
    }
}

struct ExportedPhoto: Encodable {
    var fileId: String
    var caption: String
    var file: String?

    /// A photo, with the name of its entry unless it has been deleted.
    init(_ photo: Photo, files: [FileID: StoredFile]) {
        fileId = "\(photo.fileID)"
        caption = photo.caption
        file = files[photo.fileID].map(ExportName.photo)
    }
}

/// An item of `visits.json`.
struct ExportedVisit: Encodable {
    var visitId: String
    var version: Int
    var source: String
    var place: ExportedPlace
    var category: String?
    var region: String?
    var visitedAt: String
    var localDate: String
    var promiseId: String?
    var outcome: String?
    var rank: Int?
    var mock: Bool
    var kind: String
    var title: String
    var memo: String
    var emoji: String
    var photos: [ExportedPhoto]
    var companions: [Companion]
    var weather: ExportedWeather?
    var audience: String

    struct Companion: Encodable {
        var user: ExportedCard?
        var name: String?
    }

    init(_ visit: Visit, files: [FileID: StoredFile], cards: [UserID: UserCard]) {
        visitId = "\(visit.id)"
        version = visit.version
        source = visit.arrival == nil ? "HAND" : "ARRIVAL"
        place = ExportedPlace(visit.moment.place)
        category = visit.moment.category?.text
        region = visit.moment.region?.text
        visitedAt = visit.moment.at.rfc3339
        let midnight = Instant(milliseconds: (visit.moment.localDate.daysSince1970 ?? 0) * 86_400_000)
        localDate = String(midnight.rfc3339.prefix { $0 != "T" })
        promiseId = visit.arrival.map { "\($0.promiseID)" }
        outcome = visit.arrival.map { ExportName.value($0.outcome) }
        rank = visit.arrival?.rank
        mock = visit.arrival?.isMock ?? false
        kind = ExportName.value(visit.notes.kind)
        title = visit.notes.title
        memo = visit.notes.memo
        emoji = visit.notes.emoji
        photos = visit.notes.photos.map { ExportedPhoto($0, files: files) }
        companions = visit.companions.map { companion in
            switch companion {
            case .user(let id): Companion(user: ExportedCard(id, in: cards))
            case .named(let name): Companion(name: name)
            }
        }
        weather = visit.weather.map(ExportedWeather.init)
        audience = ExportName.value(visit.audience)
    }
}

struct ExportedWeather: Encodable {
    var source: String
    var attribution: String
    var fetchedAt: String
    var at: String
    var condition: String
    var temperatureCelsius: Double?
    var feltCelsius: Double?
    var precipitationPercent: Double?
    var precipitationMm: Double?
    var snowCm: Double?
    var windMps: Double?
    var gustMps: Double?
    var humidityPercent: Double?
    var pm10: Double?
    var pm25: Double?
    var advice: [String]

    init(_ weather: VisitWeather) {
        let hour = weather.forecast
        source = weather.source.rawValue
        attribution = weather.source.attribution.text
        fetchedAt = weather.fetchedAt.rfc3339
        at = hour.at.rfc3339
        condition = ExportName.value(hour.condition)
        temperatureCelsius = hour.temperatureCelsius
        feltCelsius = hour.feltCelsius
        precipitationPercent = hour.precipitationPercent
        precipitationMm = hour.precipitationMm
        snowCm = hour.snowCm
        windMps = hour.windMps
        gustMps = hour.gustMps
        humidityPercent = hour.humidityPercent
        pm10 = weather.air?.pm10
        pm25 = weather.air?.pm25
        advice = weather.advice.map { ExportName.value($0) }
    }
}
