import PromisedDomain
import PromisedPlaces
import PromisedSimulation
import Testing

@Suite struct SyntheticDirectoryTests {
    @Test func `equal seeds give equal places, all within the limits`() throws {
        let places = Array(SyntheticDirectory(count: 3_000, seed: 5))
        #expect(places == Array(SyntheticDirectory(count: 3_000, seed: 5)))
        #expect(places != Array(SyntheticDirectory(count: 3_000, seed: 6)))
        #expect(Set(places.map(\.listing.id)).count == 3_000)
        for place in places { try place.check() }
    }

    @Test func `the towns lie in Korea and Japan`() {
        #expect((180...230).contains(SyntheticTown.all.count))
        #expect(SyntheticTown.all.allSatisfy { (24...46).contains($0.centre.latitude) })
        #expect(SyntheticTown.all.allSatisfy { (124...146).contains($0.centre.longitude) })
        #expect(Set(SyntheticTown.all.map(\.country)) == [.korea, .japan])
    }

    @Test func `an index returns the places unchanged`() {
        let places = RandomDirectory(seed: 9, count: 1_000).places + Array(SyntheticDirectory(count: 1_000, seed: 9))
        let index = PlaceIndex(places.shuffled(), version: 7)
        #expect(index.count == 2_000)
        #expect(index.version == 7)
        for place in places {
            let row = index.row(of: place.listing.id)
            #expect(row.map(index.listing) == expected(place.listing))
        }
        #expect(index.row(of: PlaceID(high: 1, low: 1)) == nil)
        let cafes = places.count { $0.listing.categories.contains(CategoryID(text: "cafe")) }
        #expect(index.categoryCounts.first { $0.id.text == "cafe" }?.count == cafes)
        #expect(index.categoryCounts.map(\.id) == index.categoryCounts.map(\.id).sorted())
        #expect(index.sourceCounts.reduce(0) { $0 + $1.count } == 2_000)
    }

    /// The index stores no time zone of a place without hours.
    private func expected(_ listing: PlaceListing) -> PlaceListing {
        var listing = listing
        if listing.hours.text.isEmpty { listing.hours.timeZone = "" }
        return listing
    }
}
