import PromisedDomain
import PromisedPlaces
import PromisedSimulation

/// Invented places, close together and far apart, some at the same point: the same for the same seed.
struct RandomDirectory {
    var places: [DirectoryPlace]

    static let categories = ["bookshop/new", "bookshop/used", "cafe", "market/permanent", "bicycle/air"]
    static let regions = ["KR-11", "KR-11/종로구", "KR-11/마포구", "KR-41/수원시", nil]
    static let hours = ["", "Mo-Fr 09:00-18:00", "24/7", "Sa 10:00-12:00", "day 2,7"]
    static let sources = ["markets", "osm", "bikes"]
    static let syllables = ["광", "장", "시", "책", "방", "종", "로", "달", "강"].map { $0 }
    static let streets = ["서울특별시 종로구 종로 ", "서울특별시 마포구 망원로", "東京都千代田区神田", "Rue de l'Église ", ""]

    /// - Parameter spread: the degrees over which most places lie.
    init(seed: UInt64, count: Int, spread: Double = 2) {
        var generator = SeededGenerator(seed: seed)
        let clumps = (0..<6).map { _ in
            Coordinate(latitude: generator.uniform(-70...70), longitude: generator.uniform(-179.9...179.9))
        }
        places = []
        for number in 0..<count {
            let clump = clumps[Int(generator.fraction() * 6)]
            let width = spread * generator.fraction() * generator.fraction()
            var coordinate = Coordinate(
                latitude: clump.latitude + generator.normal() * width,
                longitude: clump.longitude + generator.normal() * width
            )
            coordinate.longitude -= (coordinate.longitude / 360).rounded() * 360
            if number > 0, generator.chance(0.05) {
                coordinate = places[Int(generator.fraction() * Double(number))].listing.coordinate
            }
            if generator.chance(0.01) {
                coordinate = [RandomDirectory.corner, .init(latitude: -90, longitude: 0)][number % 2]
            }
            places.append(RandomDirectory.place(number, at: coordinate, using: &generator))
        }
    }

    private static let corner = Coordinate(latitude: 90, longitude: 180)

    private static func place(
        _ number: Int,
        at coordinate: Coordinate,
        using generator: inout SeededGenerator
    ) -> DirectoryPlace {
        func pick<Value>(_ values: [Value]) -> Value { values[Int(generator.fraction() * Double(values.count))] }
        func word() -> String { (0..<1 + Int(generator.fraction() * 3)).map { _ in pick(syllables) }.joined() }
        let first = CategoryID(text: pick(categories))
        let second = CategoryID(text: pick(categories))
        let listing = PlaceListing(
            id: PlaceID(at: Instant(milliseconds: Int64(number)), using: &generator),
            name: generator.chance(0.6) ? word() : "\(word()) \(word())",
            address: pick(streets) + (generator.chance(0.8) ? "\(1 + Int(generator.fraction() * 30))" : ""),
            coordinate: coordinate,
            categories: generator.chance(0.2) && first != second ? [first, second] : [first],
            region: pick(regions).map { RegionCode(text: $0) },
            hours: PlaceHours(text: pick(hours), timeZone: pick(["Asia/Seoul", "Asia/Tokyo"])),
            source: pick(sources),
            revision: 1 + Int(generator.fraction() * 5)
        )
        let names = generator.chance(0.2) ? [DirectoryPlace.Name(language: "en", name: "Book \(word())")] : []
        return DirectoryPlace(listing: listing, ref: "\(number)", names: names, updatedAt: Instant(milliseconds: 0))
    }

    /// A filter that leaves some of the places.
    static func filter(_ places: [DirectoryPlace], using generator: inout SeededGenerator) -> PlaceFilter {
        var filter = PlaceFilter()
        func pick<Value>(_ values: [Value]) -> Value { values[Int(generator.fraction() * Double(values.count))] }
        if generator.chance(0.4) {
            filter.categories = [pick(["bookshop", "cafe", "bookshop/used", "nothing"])].map(CategoryID.init(text:))
        }
        if generator.chance(0.3) { filter.regions = [RegionCode(text: pick(["KR-11", "KR-11/종로구", "KR-41"]))] }
        if generator.chance(0.3) { filter.sources = [pick(sources), "none"] }
        if generator.chance(0.3) { filter.openAt = Instant(milliseconds: 0) }
        if generator.chance(0.2) {
            filter.favourites = Set((0..<40).map { _ in pick(places).listing.id })
        }
        return filter
    }

    /// A state for each text, so that all four occur.
    static func opening(_ hours: PlaceHours) -> OpeningState {
        switch hours.text {
        case "": .unknown
        case "24/7": .open
        case "day 2,7": .thatDay
        default: hours.timeZone == "Asia/Seoul" ? .open : .closed
        }
    }

    /// A box of any size, at times across the date line, at a pole, or of one point.
    static func box(_ places: [DirectoryPlace], using generator: inout SeededGenerator) -> Box {
        let place = places[Int(generator.fraction() * Double(places.count))].listing.coordinate
        if generator.chance(0.1) { return Box(place) }
        if generator.chance(0.05) { return .world }
        let size = 60 * generator.fraction() * generator.fraction() * generator.fraction()
        let (west, east) = (
            place.longitude - size * generator.fraction(), place.longitude + size * generator.fraction()
        )
        return Box(
            south: max(-90, place.latitude - size * generator.fraction()),
            west: west < -180 ? west + 360 : west,
            north: min(90, place.latitude + size * generator.fraction()),
            east: east > 180 ? east - 360 : east
        )
    }
}
