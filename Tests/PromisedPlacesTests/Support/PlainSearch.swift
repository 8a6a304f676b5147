import PromisedDomain
import PromisedPlaces

/// Searches by their definition, place by place.
struct PlainSearch {
    private struct Match {
        var grade: Int
        var distance: Double
        var category: CategoryID
        var key: TextKey
        var id: PlaceID

        /// The distance plus 250 m, fourfold for each grade.
        var weighted: Double { (0..<grade).reduce(distance + 250) { metres, _ in metres * 4 } }
    }

    /// A place and the keys of its texts.
    private struct Entry {
        var listing: PlaceListing
        var name: TextKey
        var names: [[UInt16]]
        var others: [[UInt16]]
    }

    private let entries: [Entry]

    init(_ places: [DirectoryPlace]) {
        entries = places.map { place in
            let region = place.listing.region.map { [TextKey($0.text).units] } ?? []
            let name = TextKey(place.listing.name)
            return Entry(
                listing: place.listing,
                name: name,
                names: [name.units] + place.names.map { TextKey($0.name).units },
                others: [TextKey(place.listing.address).units] + region
            )
        }
    }

    private func matches(_ search: PlaceIndex.Search) -> [Match] {
        entries.compactMap { entry in
            let listing = entry.listing
            guard search.filter.allows(listing, opening: search.opening),
                search.box?.contains(listing.coordinate) ?? true,
                let grade = grade(of: entry, search.query)
            else { return nil }
            return Match(
                grade: grade,
                distance: search.near?.distanceMetres(to: listing.coordinate) ?? 0,
                category: listing.categories[0],
                key: entry.name,
                id: listing.id
            )
        }
    }

    /// The results in their order.
    func results(_ search: PlaceIndex.Search) -> [PlaceID] {
        let matches = matches(search)
        guard search.near != nil else {
            return matches.sorted { ($0.grade, $0.category, $0.key, $0.id) < ($1.grade, $1.category, $1.key, $1.id) }
                .prefix(200).map(\.id)
        }
        return matches.sorted { ($0.weighted, $0.distance, $0.id) < ($1.weighted, $1.distance, $1.id) }
            .prefix(200).map(\.id)
    }

    /// The grade of a place; nil if it does not match.
    private func grade(of entry: Entry, _ query: PlaceQuery) -> Int? {
        let (name, names, others) = (entry.name, entry.names, entry.others)
        func isIn(_ texts: [[UInt16]], _ term: TextPattern) -> Bool { texts.contains { contains($0, term) } }
        guard query.terms.allSatisfy({ isIn(names, $0) || !$0.isInitials && isIn(others, $0) }) else { return nil }
        if query.whole.isExactly(name.units) { return 0 }
        if query.whole.begins(name.units) { return 1 }
        if name.wordStarts.contains(where: { query.terms[0].begins(name.units.dropFirst($0)) }) { return 2 }
        return query.terms.allSatisfy { isIn(names, $0) } ? 3 : 4
    }

    private func contains(_ units: [UInt16], _ term: TextPattern) -> Bool {
        units.indices.contains { term.begins(units[$0...]) }
    }
}
