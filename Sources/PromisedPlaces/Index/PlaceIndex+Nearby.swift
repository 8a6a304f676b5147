package import PromisedDomain

extension PlaceIndex {
    /// The widest radius of ``nearby(_:radiusMetres:filter:limit:after:opening:)``, in metres.
    package static let widestRadiusMetres = 50_000.0

    /// The places within a radius, the nearest first, then by id.
    ///
    /// - Parameters:
    ///   - centre: a valid coordinate.
    ///   - radiusMetres: at most ``widestRadiusMetres``; a wider one counts as that.
    ///   - limit: the most places of a page.
    ///   - cursor: the end of the previous page; nil for the first one.
    ///   - opening: the state of hours at the moment the filter names; called once for all places with the same hours.
    package func nearby(
        _ centre: Coordinate,
        radiusMetres: Double,
        filter: PlaceFilter = PlaceFilter(),
        limit: Int,
        after cursor: PlaceCursor? = nil,
        opening: @escaping (PlaceHours) -> OpeningState = { _ in .unknown }
    ) -> PlacePage {
        precondition(limit > 0, "A page has at least one place")
        var rowFilter = RowFilter(filter, self, newestRevision: cursor?.version, opening: opening)
        let widest = min(radiusMetres, PlaceIndex.widestRadiusMetres)
        let last = lastRow(of: cursor)
        // Doubles the radius until there are enough places, or the whole circle has been searched.
        var radius = min(widest, max(100, (last?.distanceMetres ?? 0) * 1.1))
        while true {
            var nearest = NearestRows(limit: limit + 1, after: last)
            collect(around: centre, radius, &rowFilter, into: &nearest)
            if nearest.isFull || radius >= widest { return page(nearest, limit: limit, after: cursor) }
            radius = min(widest, radius * 2)
        }
    }

    private func collect(
        around centre: Coordinate,
        _ radius: Double,
        _ filter: inout RowFilter,
        into nearest: inout NearestRows
    ) {
        positions.forEachRange(in: WorldRegion(Box(around: centre, radiusMetres: radius))) { rows, _ in
            for row in rows where filter.allows(row) {
                let distance = centre.distanceMetres(to: positions.coordinates[row])
                guard distance <= radius else { continue }
                nearest.insert(
                    NearestRows.Found(row: row, grade: 0, distanceMetres: distance, id: idColumn.ids[row])
                )
            }
        }
    }

    /// The last row of the previous page, with the values that matter for the order.
    func lastRow(of cursor: PlaceCursor?) -> NearestRows.Found? {
        guard let cursor, case .distance(let metres) = cursor.order else { return nil }
        return NearestRows.Found(row: 0, grade: cursor.grade, distanceMetres: metres, id: cursor.id)
    }

    /// The page of the first rows; one row beyond the limit indicates another page.
    func page(_ nearest: NearestRows, limit: Int, after cursor: PlaceCursor?) -> PlacePage {
        var page = PlacePage()
        let found = nearest.rows
        let rows = found.prefix(limit)
        page.entries = rows.map { found in
            PlacePage.Entry(
                row: PlaceRow(number: found.row),
                distanceMetres: found.distanceMetres,
                grade: found.grade
            )
        }
        page.sources = sources(of: rows.map(\.row))
        if found.count > limit, let end = rows.last {
            page.cursor = PlaceCursor(
                version: cursor?.version ?? version,
                shown: (cursor?.shown ?? 0) + rows.count,
                grade: end.grade,
                order: .distance(end.distanceMetres),
                id: end.id
            )
        }
        return page
    }
}

extension Box {
    /// A box around a circle, slightly wider. It spans all longitudes if the circle contains a pole.
    init(around centre: Coordinate, radiusMetres: Double) {
        let degrees = 180 / Double.pi
        let angle = (radiusMetres + 1) / Coordinate.earthRadiusMetres
        let north = centre.latitude + angle * degrees
        let south = centre.latitude - angle * degrees
        guard north < 90, south > -90 else {
            self.init(south: max(south, -90), west: -180, north: min(north, 90), east: 180)
            return
        }
        let width = arcSine(min(1, sine(angle) / cosine(centre.latitude / degrees))) * degrees
        let (west, east) = (centre.longitude - width, centre.longitude + width)
        self.init(
            south: south,
            west: west < -180 ? west + 360 : west,
            north: north,
            east: east > 180 ? east - 360 : east
        )
        // Wider than the earth: the ends have passed each other.
        if width >= 180 { (self.west, self.east) = (-180, 180) }
    }
}
