/// The places of a region in an index.
package struct RegionExtent: Hashable, Sendable {
    package var code: RegionCode
    /// The number of its places.
    package var count: Int
    /// The smallest box around them that does not cross the meridian of 180°.
    package var box: Box
}

extension PlaceIndex {
    /// The regions that contain places, of both levels, ascending by code. A region of the first level also counts the
    /// places of its parts. Takes a few milliseconds for a million places.
    package var regionExtents: [RegionExtent] {
        var parts = [(count: Int, box: Box)](repeating: (0, .nowhere), count: traits.regions.count)
        for row in 0..<count {
            let region = traits.list[Int(traits.classes[row])].region
            guard region >= 0 else { continue }
            parts[region].count += 1
            parts[region].box.formUnion(Box(positions.coordinates[row]))
        }
        var extents: [RegionCode: RegionExtent] = [:]
        for (region, part) in zip(traits.regions, parts) {
            for code in [region, region.parent].compactMap(\.self) {
                extents[code, default: RegionExtent(code: code, count: 0, box: .nowhere)].add(part)
            }
        }
        return extents.values.sorted { $0.code < $1.code }
    }

    /// A page of the places that pass a filter, ascending by id.
    ///
    /// - Parameters:
    ///   - limit: the most places of a page, at least 1.
    ///   - cursor: the end of the previous page; nil for the first one.
    ///   - opening: the state of hours at the moment the filter names; called once for all places with the same hours.
    package func places(
        passing filter: PlaceFilter,
        limit: Int,
        after cursor: PlaceCursor? = nil,
        opening: @escaping (PlaceHours) -> OpeningState = { _ in .unknown }
    ) -> PlacePage {
        precondition(limit > 0, "A page has at least one place")
        var rows = RowFilter(filter, self, newestRevision: cursor?.version, opening: opening)
        // All are at the same distance, so only the ids decide.
        var first = NearestRows(limit: limit + 1, after: lastRow(of: cursor))
        for row in 0..<count where rows.allows(row) {
            first.insert(NearestRows.Found(row: row, grade: 0, distanceMetres: 0, id: idColumn.ids[row]))
        }
        var page = page(first, limit: limit, after: cursor)
        for place in page.entries.indices { page.entries[place].distanceMetres = nil }
        return page
    }
}

extension RegionExtent {
    fileprivate mutating func add(_ part: (count: Int, box: Box)) {
        count += part.count
        box.formUnion(part.box)
    }
}
