package import PromisedDomain
package import PromisedPlaces
package import PromisedProtocol

extension Box {
    /// A box as given in a request. Throws ``WireError/invalid(field:)`` for an edge that is not finite or out of
    /// range, and for `south` if it is greater than `north`.
    package init(_ wire: WireBox) throws(WireError) {
        guard (-90...90).contains(wire.south) else { throw .invalid(field: "south") }
        guard (-180...180).contains(wire.west) else { throw .invalid(field: "west") }
        guard (-90...90).contains(wire.north) else { throw .invalid(field: "north") }
        guard (-180...180).contains(wire.east) else { throw .invalid(field: "east") }
        guard wire.south <= wire.north else { throw .invalid(field: "south") }
        self.init(south: wire.south, west: wire.west, north: wire.north, east: wire.east)
    }
}

extension Coordinate {
    /// A point as given in a request. Throws ``WireError/invalid(field:)`` for a coordinate that is not finite or out
    /// of range.
    package init(_ wire: WirePoint) throws(WireError) {
        try self.init(wireLatitude: wire.latitude, longitude: wire.longitude)
    }
}

extension PlaceFilter {
    /// A filter as given in a request, without favourites: the caller's are added if `favourites` is set.
    ///
    /// - Throws: ``WireError/invalid(field:)`` for a list that is too long, an invalid element, and a time outside the
    ///   years 1 to 9999.
    package init(_ wire: WirePlaceFilter) throws(WireError) {
        self.init(
            categories: try PlaceFilter.list(wire.categories, "categories", most: PlaceFilter.mostCategories) {
                CategoryID($0)
            },
            regions: try PlaceFilter.list(wire.regions, "regions", most: PlaceFilter.mostCategories) { RegionCode($0) },
            sources: try PlaceFilter.list(wire.sources, "sources", most: PlaceFilter.mostSources) {
                (try? PlaceSource.check(name: $0)) == nil ? nil : $0
            },
            openAt: wire.hasOpenAt ? try Instant(wire: wire.openAt, field: "openAt") : nil
        )
    }

    private static func list<Element>(
        _ texts: [String],
        _ field: String,
        most: Int,
        _ element: (String) -> Element?
    ) throws(WireError) -> [Element] {
        guard texts.count <= most else { throw .invalid(field: field) }
        var elements: [Element] = []
        for (index, text) in texts.enumerated() {
            guard let element = element(text) else { throw .invalid(field: "\(field)[\(index)]") }
            elements.append(element)
        }
        return elements
    }
}

extension WireViewPlaces {
    /// The visible part of the map. Throws ``WireError/invalid(field:)`` for a missing or invalid box.
    package func visibleBox() throws(WireError) -> Box {
        guard hasBox else { throw .invalid(field: "box") }
        return try WireError.inside("box") { () throws(WireError) in try Box(box) }
    }

    /// Throws ``WireError/invalid(field:)`` beyond 20.
    package func checkedZoom() throws(WireError) -> Int {
        guard let zoom = Int(exactly: zoom), PlaceView.zooms.contains(zoom) else { throw .invalid(field: "zoom") }
        return zoom
    }
}

extension WireNearbyPlaces {
    /// Throws ``WireError/invalid(field:)`` for a coordinate that is not finite or out of range.
    package func centre() throws(WireError) -> Coordinate {
        try Coordinate(wireLatitude: latitude, longitude: longitude)
    }

    /// In metres. Throws ``WireError/invalid(field:)`` for a radius that is not finite, negative or beyond 50 km.
    package func checkedRadius() throws(WireError) -> Double {
        guard (0...PlaceIndex.widestRadiusMetres).contains(radiusMetres) else { throw .invalid(field: "radiusMetres") }
        return radiusMetres
    }
}

extension WireListRegions {
    /// The region whose parts are requested; nil for the first level. Throws ``WireError/invalid(field:)`` for a text
    /// that is not a code of the first level.
    package func parentCode() throws(WireError) -> RegionCode? {
        guard hasParent else { return nil }
        guard let code = RegionCode(parent), code.parent == nil else { throw .invalid(field: "parent") }
        return code
    }
}

extension PlaceCursor {
    /// A cursor as given in a request. Throws ``WireError/invalid(field:)`` for a text that the server did not issue.
    package init(wire text: String) throws(WireError) {
        guard let cursor = PlaceCursor(text) else { throw .invalid(field: "cursor") }
        self = cursor
    }
}
