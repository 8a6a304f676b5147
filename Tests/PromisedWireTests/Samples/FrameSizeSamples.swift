import PromisedDomain
import PromisedPlaces
import PromisedProtocol
import PromisedWire
import SwiftProtobuf

/// The largest values of the directory and the weather that cannot be split.
enum FrameSizeSamples {
    private static let start = LargestFrames.start

    /// A place with the maximum number of texts, each of maximal length.
    static let details: PlaceDetails = {
        func text(_ characters: Int) -> String { LargestFrames.text(characters) }
        let listing = PlaceListing(
            id: PlaceID(high: 0x0194_0000_0000_7000, low: 0x8000_0000_0000_0000),
            name: text(100),
            address: text(200),
            coordinate: LargestFrames.promise.place.coordinate,
            categories: Array(repeating: CategoryID(text: String(repeating: "x", count: 49)), count: 3),
            region: RegionCode(text: text(129)),
            hours: PlaceHours(text: text(300), timeZone: text(64)),
            source: String(repeating: "x", count: 40),
            revision: .max
        )
        let source = PlaceSource(
            name: listing.source,
            title: text(100),
            publisher: text(100),
            licence: text(100),
            url: text(300),
            date: text(40),
            timeZone: text(64)
        )
        let place = DirectoryPlace(
            listing: listing,
            ref: text(100),
            names: Array(repeating: DirectoryPlace.Name(language: text(35), name: text(100)), count: 4),
            phone: text(40),
            website: text(300),
            social: text(300),
            facts: Array(repeating: DirectoryPlace.Fact(key: text(24), value: text(100)), count: 16),
            updatedAt: start,
            removedAt: start
        )
        let card = PlaceCard(
            listing: listing,
            opening: .closed,
            opensAt: start,
            closesAt: start,
            distanceMetres: 12_345.678_901_234_567,
            favouriteID: FavouriteID(high: 0x0194_0000_0000_7000, low: 0x8000_0000_0000_0000),
            isRemoved: true
        )
        return PlaceDetails(card: card, place: place, week: nil, source: CountedSource(source, count: .max))
    }()

    /// The same for users, with more hours a day than opening hours of 300 characters allow.
    static let wireDetails: WirePlaceDetails = {
        var wire = WirePlaceDetails(details)
        let span = WireOpeningSpan.with { ($0.from, $0.to) = ("00:00", "26:00") }
        wire.week = Array(
            repeating: .with {
                ($0.date, $0.opening, $0.spans) = ("2026-11-21", .thatDay, .init(repeating: span, count: 60))
            },
            count: 7
        )
        return wire
    }()

    /// A record with all values of five hours.
    static let outlook: PlaceOutlook = {
        let hours = (-1...3).map { number in
            ForecastHour(
                at: start + .hours(Int64(number)),
                condition: .thunderstorm,
                temperatureCelsius: -12.3,
                feltCelsius: -23.4,
                precipitationPercent: 12.345_678_901_234_567,
                precipitationMm: 12.345_678_901_234_567,
                snowCm: 12.345_678_901_234_567,
                windMps: 12.345_678_901_234_567,
                gustMps: 23.456_789_012_345_678,
                humidityPercent: 12.345_678_901_234_567
            )
        }
        let record = WeatherRecord(
            cell: .kma(x: 60, y: 127),
            source: .openMeteo,
            fetchedAt: start,
            hours: hours,
            air: hours.map { AirHour(at: $0.at, pm10: 12_345.678_901_234_567, pm25: 12_345.678_901_234_567) }
        )
        return PlaceOutlook(
            at: start,
            opening: .thatDay,
            opensAt: start,
            closesAt: start,
            weather: WeatherOutlook(.stale, from: record, at: start)
        )
    }()

    /// The maximum number of refused rows, each with a message.
    static let refusals = WireAdminImport.with {
        $0.importID = details.place.listing.id.wireText
        ($0.added, $0.changed, $0.unchanged, $0.removed, $0.refused) = (.max, .max, .max, .max, .max)
        $0.refusedRows = .init(
            repeating: .with {
                ($0.index, $0.reason, $0.field) = (999, "null-island", "categories")
                $0.message = String(repeating: "x", count: 100)
            },
            count: 1_000
        )
    }
}
