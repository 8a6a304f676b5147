package import PromisedDomain
package import PromisedPlaces

/// The invented places around the meetup of the demo, deterministic for a seed.
///
/// Names, streets and websites are not real. The place nearest to the centre is closed on the day of the meetup, the
/// next one is always open, and every built-in category occurs.
package struct DemoPlaces: Sendable {
    /// The place and time of the demo's meetup.
    package struct Meetup: Hashable, Sendable {
        /// The centre of the places.
        package var centre: Coordinate
        /// The province and district that addresses begin with.
        package var district: String
        /// The time zone of the places, by its name in the IANA database.
        package var timeZone: String
        /// How far local time at the meeting time is ahead of UTC.
        package var aheadOfUTCSeconds: Int
        /// The meeting time.
        package var meetsAt: Instant

        /// A meetup; by default in the middle of Seoul.
        package init(
            centre: Coordinate,
            district: String = "서울특별시 종로구",
            timeZone: String = "Asia/Seoul",
            aheadOfUTCSeconds: Int = 32_400,
            meetsAt: Instant
        ) {
            self.centre = centre
            self.district = district
            self.timeZone = timeZone
            self.aheadOfUTCSeconds = aheadOfUTCSeconds
            self.meetsAt = meetsAt
        }
    }

    /// The number of places.
    package static let count = 300
    /// The maximum distance of a place from the centre, in metres.
    package static let radiusMetres = 3_000.0
    /// The ``DirectoryPlace/ref`` of the place that is closed on the day of the meetup.
    package static let closedRef = "demo-1"
    /// The ``DirectoryPlace/ref`` of the place that is always open.
    package static let openRef = "demo-2"

    private let meetup: Meetup
    private let plane: LocalPlane
    private var generator: SeededGenerator
    private var names = DemoNames()

    /// Places around a meetup.
    package init(around meetup: Meetup, seed: UInt64) {
        self.meetup = meetup
        plane = LocalPlane(origin: meetup.centre)
        generator = SeededGenerator(seed: seed)
    }

    /// The source of the places.
    package var source: PlaceSource {
        PlaceSource(
            name: "demo",
            title: "Invented places of the demo",
            publisher: "promised",
            licence: "CC0-1.0",
            timeZone: meetup.timeZone
        )
    }

    /// The places, those at ``closedRef`` and ``openRef`` first.
    ///
    /// - Parameter now: when they are added to the directory; their ids begin with it.
    package mutating func make(at now: Instant) -> [DirectoryPlace] {
        (1...DemoPlaces.count).map { number in
            // Each kind occurs once before the others are chosen at random.
            let kind = DemoKind.all[number <= DemoKind.all.count ? number - 1 : randomKind()]
            return place(number, of: kind, at: now)
        }
    }

    private mutating func place(_ number: Int, of kind: DemoKind, at now: Instant) -> DirectoryPlace {
        let ref = "demo-\(number)"
        let name = names.next(of: kind, using: &generator)
        let address = "\(meetup.district) \(names.street(using: &generator)) \(Int(generator.uniform(1...90)))"
        let listing = PlaceListing(
            id: PlaceID(at: now, using: &generator),
            name: name.korean,
            address: address,
            coordinate: plane.coordinate(of: position(of: ref)),
            categories: [kind.category],
            region: KoreanAddress.region(of: address),
            hours: PlaceHours(text: hours(of: kind, ref: ref), timeZone: meetup.timeZone),
            source: source.name,
            revision: 1
        )
        return DirectoryPlace(
            listing: listing,
            ref: ref,
            names: [DirectoryPlace.Name(language: "en", name: name.english)],
            website: generator.chance(0.4) ? "https://example.org/places/\(ref)" : "",
            facts: facts(of: kind),
            updatedAt: now
        )
    }

    private mutating func randomKind() -> Int {
        let total = DemoKind.all.map(\.share).reduce(0, +)
        var draw = generator.fraction() * total
        for (index, kind) in DemoKind.all.enumerated() {
            if draw < kind.share { return index }
            draw -= kind.share
        }
        return 0
    }

    /// Most places are near the centre; the closed one is within a minute's walk of it, the open one within two.
    private mutating func position(of ref: String) -> PlanePoint {
        switch ref {
        case DemoPlaces.closedRef: return .polar(distanceMetres: 30, bearingDegrees: generator.uniform(0...360))
        case DemoPlaces.openRef: return .polar(distanceMetres: 60, bearingDegrees: generator.uniform(0...360))
        default:
            let distance = 100 + (DemoPlaces.radiusMetres - 100) * generator.fraction() * generator.fraction()
            return .polar(distanceMetres: distance, bearingDegrees: generator.uniform(0...360))
        }
    }

    private mutating func hours(of kind: DemoKind, ref: String) -> String {
        let any = kind.hours[Int(generator.fraction() * Double(kind.hours.count))]
        switch ref {
        case DemoPlaces.closedRef: return "Mo-Su 09:00-22:00; \(weekday) off"
        case DemoPlaces.openRef: return "24/7"
        default: return generator.chance(0.1) ? "" : any
        }
    }

    /// The day of the meetup in local time, as opening hours name it.
    private var weekday: String {
        let local = meetup.meetsAt + .seconds(Double(meetup.aheadOfUTCSeconds))
        let days = local.milliseconds.dividedFloor(by: TimeSpan.days(1).milliseconds)
        // 1970-01-01 was a Thursday.
        return ["Th", "Fr", "Sa", "Su", "Mo", "Tu", "We"][Int(days.modulo(7))]
    }

    private mutating func facts(of kind: DemoKind) -> [DirectoryPlace.Fact] {
        guard let key = kind.countedFact else { return [] }
        return [DirectoryPlace.Fact(key: key, value: "\(Int(generator.uniform(4...40)))")]
    }
}
