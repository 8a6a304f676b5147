import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import Testing

@Suite struct DemoPlacesTests {
    private static let centre = Coordinate(latitude: 37.572_389, longitude: 126.976_917)
    /// 2026-11-21, a Saturday.
    private static let noon = Instant(milliseconds: 1_795_262_400_000)

    private func places(seed: UInt64 = 20, meetsAt: Instant = noon) -> [DirectoryPlace] {
        var places = DemoPlaces(around: DemoPlaces.Meetup(centre: Self.centre, meetsAt: meetsAt), seed: seed)
        return places.make(at: Self.noon)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `a seed gives a few hundred valid places with unique names`(_ seed: UInt64) throws {
        let places = places(seed: seed)
        #expect(places.count == 300)
        for place in places {
            try place.check()
            #expect(place.listing.region?.text == "KR-11/종로구")
            #expect(place.listing.coordinate.distanceMetres(to: Self.centre) <= DemoPlaces.radiusMetres)
        }
        #expect(Set(places.map(\.ref)).count == 300)
        #expect(Set(places.map(\.listing.id)).count == 300)
        #expect(Set(places.map(\.listing.name)).count == 300)
        #expect(Set(places.flatMap(\.names).map(\.name)).count == 300)
        let categories = Set(places.flatMap(\.listing.categories))
        #expect(categories == Set(CategoryTable.builtIn.categories.map(\.id)))
        #expect(places.contains { $0.listing.hours.text.isEmpty })
    }

    @Test func `equal seeds give equal places, different seeds different ones`() {
        #expect(places(seed: 7) == places(seed: 7))
        #expect(places(seed: 7).map(\.listing.coordinate) != places(seed: 8).map(\.listing.coordinate))
    }

    // Meeting times in Seoul: Saturday 21:00 and 23:59:59, Sunday 00:00, and on to Friday.
    @Test(arguments: [
        (0, "Sa"), (10_799, "Sa"), (10_800, "Su"), (86_400, "Su"), (172_800, "Mo"), (259_200, "Tu"), (345_600, "We"),
        (432_000, "Th"), (518_400, "Fr"),
    ])
    func `the nearest place is closed on the day of the meetup, the next one open`(_ seconds: Double, _ day: String) {
        let nearest = places(meetsAt: Self.noon + .seconds(seconds)).sorted {
            $0.listing.coordinate.distanceMetres(to: Self.centre)
                < $1.listing.coordinate.distanceMetres(to: Self.centre)
        }
        #expect(nearest[0].ref == DemoPlaces.closedRef)
        #expect(nearest[0].listing.hours.text == "Mo-Su 09:00-22:00; \(day) off")
        #expect(nearest[1].ref == DemoPlaces.openRef)
        #expect(nearest[1].listing.hours.text == "24/7")
    }
}
