import PromisedDomain
package import PromisedPlaces

/// A directory of invented places around real towns, deterministic for a seed: for measurements.
///
/// Towns differ in size, places cluster around streets; names, addresses, categories and hours are as frequent as in
/// open data. Names are not those of real businesses.
package struct SyntheticDirectory: Sequence, Sendable {
    /// The number of places.
    package let count: Int
    package let seed: UInt64

    package init(count: Int, seed: UInt64) {
        self.count = count
        self.seed = seed
    }

    /// The number of places.
    package var underestimatedCount: Int { count }

    /// The places in the order of their ids.
    package func makeIterator() -> Iterator { Iterator(count: count, seed: seed) }

    /// Creates one place after the other.
    package struct Iterator: IteratorProtocol {
        private let count: Int
        private var made = 0
        private var generator: SeededGenerator
        private var text: SyntheticText
        private let towns: [(town: SyntheticTown, share: Double)]
        private static let epoch = Instant(milliseconds: 1_760_000_000_000)

        init(count: Int, seed: UInt64) {
            self.count = count
            generator = SeededGenerator(seed: seed)
            text = SyntheticText()
            var sum = 0.0
            // The hundredth town has a fifteenth of the places of the first one.
            let shares = SyntheticTown.all.indices.map { 1 / (Double($0 % 100) + 7) }
            let total = shares.reduce(0, +)
            towns = zip(SyntheticTown.all, shares).map { town, share in
                sum += share / total
                return (town, sum)
            }
        }

        /// The next place; nil after the last one.
        package mutating func next() -> DirectoryPlace? {
            guard made < count else { return nil }
            made += 1
            let draw = generator.fraction()
            let town = towns.first { $0.share >= draw }?.town ?? towns[0].town
            let street = Int(generator.fraction() * generator.fraction() * 90)
            let kind = text.kind(using: &generator)
            let listing = PlaceListing(
                id: PlaceID(at: Iterator.epoch + .milliseconds(Int64(made)), using: &generator),
                name: text.name(of: kind, in: town, using: &generator),
                address: text.address(in: town, street: street, using: &generator),
                coordinate: position(in: town, street: street),
                categories: kind.categories,
                region: RegionCode(text: "\(town.code)/\(town.name)"),
                hours: text.hours(in: town, using: &generator),
                source: kind.source,
                revision: 1
            )
            return DirectoryPlace(
                listing: listing,
                ref: String(made),
                names: text.otherNames(of: kind, using: &generator),
                updatedAt: Iterator.epoch
            )
        }

        /// One place in seven is in the countryside, the others are along a street, which is a line through a point
        /// near the centre.
        private mutating func position(in town: SyntheticTown, street: Int) -> Coordinate {
            var streets = SeededGenerator(seed: UInt64(street) &* 31 &+ UInt64(town.centre.longitude * 1_000))
            let along = streets.uniform(0...6.3)
            let centre = streets.point(within: 9_000)
            let offset: PlanePoint
            if generator.chance(0.15) {
                offset = generator.point(within: 25_000)
            } else {
                let way = generator.normal() * 700
                offset = centre + .polar(distanceMetres: way, bearingDegrees: along * 57) + generator.point(within: 40)
            }
            let plane = LocalPlane(origin: town.centre)
            return plane.coordinate(of: offset)
        }
    }
}
