extension PlaceIndex {
    /// The places and clusters that a part of the map shows.
    ///
    /// Clusters depend on zoom, filter and data, never on the box: each one with a place in the box is shown
    /// completely. If there are more than `limit`, or they do not fit, the cells become twice as wide until they do.
    ///
    /// - Parameters:
    ///   - box: a valid box.
    ///   - zoom: one of ``PlaceView/zooms``.
    ///   - limit: one of ``PlaceView/limits``.
    ///   - opening: the state of hours at the moment the filter names; called once for all places with the same hours.
    ///   - fits: `false` for a view that is too large for its frame.
    package func view(
        _ box: Box,
        zoom: Int,
        filter: PlaceFilter = PlaceFilter(),
        limit: Int = 300,
        opening: @escaping (PlaceHours) -> OpeningState = { _ in .unknown },
        fits: (PlaceView) -> Bool = { _ in true }
    ) -> PlaceView {
        precondition(PlaceView.zooms.contains(zoom) && limit > 0, "A view has a zoom of 0 to 20 and at least one item")
        var joining = CellJoining(MapCells(self, box, RowFilter(filter, self, opening: opening)))
        let total = joining.places.inBox.count
        if zoom >= PlaceView.firstPlaceZoom, total <= limit {
            let view = view(ofPlaces: joining.places.inBox.rows)
            if fits(view) { return view }
        }
        // A cluster has at most nine cells.
        var level = joining.places.finestLevel(upTo: zoom + 2, cellLimit: limit * 9)
        while true {
            if let clusters = joining.clusters(at: level, limit: level == 0 ? 1 : limit) {
                var view = view(of: clusters, joining.places, zoom)
                view.total = total
                view.cellPixels = PlaceView.smallestCell << (zoom + 2 - level)
                if level == 0 || fits(view) { return view }
            }
            level -= 1
        }
    }

    private func view(ofPlaces rows: [Int]) -> PlaceView {
        var view = PlaceView()
        view.places = rows.map(PlaceRow.init)
        view.total = rows.count
        view.sources = sources(of: rows)
        return view
    }

    /// The names of the sources of rows, ascending.
    func sources(of rows: [Int]) -> [String] {
        Set(rows.map { traits.list[Int(traits.classes[$0])].source }).map { traits.sources[$0] }.sorted()
    }

    /// The places and clusters of cells, without the totals of the view.
    private func view(of clusters: [[MapCell]], _ places: MapCells, _ zoom: Int) -> PlaceView {
        var view = PlaceView()
        var sources: Set<Int> = []
        let totals = blocks.totals
        for cells in clusters {
            if cells.count == 1, cells[0].count == 1 {
                let row = cells[0].rows.lowerBound
                view.places.append(PlaceRow(number: row))
                sources.insert(traits.list[Int(traits.classes[row])].source)
            } else {
                var details = ClusterDetails(featureCount: traits.featureCount)
                for cell in cells { places.add(cell, to: &details) }
                view.clusters.append(cluster(of: cells, details, zoom, totals))
                for source in traits.sources.indices where details.features[traits.categories.count + source] > 0 {
                    sources.insert(source)
                }
            }
        }
        view.sources = sources.map { traits.sources[$0] }.sorted()
        return view
    }

    private func cluster(
        of cells: [MapCell],
        _ details: ClusterDetails,
        _ zoom: Int,
        _ totals: [Int]
    ) -> PlaceCluster {
        let count = cells.reduce(0) { $0 + $1.count }
        let x = Double(cells.reduce(0) { $0 + $1.sumX }) / Double(count)
        let y = Double(cells.reduce(0) { $0 + $1.sumY }) / Double(count)
        return PlaceCluster(
            count: count,
            // The middle of the units that the sums are made of.
            coordinate: WorldPosition.coordinate(x: x + 0.5, y: y + 0.5),
            box: details.box,
            expandZoom: details.expandZoom(from: zoom),
            categories: details.largestCategories(of: self),
            label: details.rarestCategory(of: self, totals)
        )
    }
}
