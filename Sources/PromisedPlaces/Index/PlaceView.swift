package import PromisedDomain

/// Places that the map draws as one.
package struct PlaceCluster: Hashable, Sendable {
    /// A category of some of its places.
    package struct Category: Hashable, Sendable {
        package var id: CategoryID
        /// The number of places with it.
        package var count: Int

        package init(id: CategoryID, count: Int) {
            self.id = id
            self.count = count
        }
    }

    /// The number of places, at least two.
    package var count: Int
    /// The mean position of the places on the Mercator map.
    package var coordinate: Coordinate
    /// The bounding box of the places.
    package var box: Box
    /// The zoom at which the places lie in more than one cell of 64 px; 21 if they never do.
    package var expandZoom: Int
    /// The most frequent categories, the largest first, at most five.
    package var categories: [Category]
    /// Among all categories of its places, the one with the fewest places in the whole directory.
    package var label: CategoryID?

    package init(
        count: Int,
        coordinate: Coordinate,
        box: Box,
        expandZoom: Int,
        categories: [Category],
        label: CategoryID?
    ) {
        self.count = count
        self.coordinate = coordinate
        self.box = box
        self.expandZoom = expandZoom
        self.categories = categories
        self.label = label
    }
}

/// The contents of a part of the map.
package struct PlaceView: Hashable, Sendable {
    /// The places that are shown alone, in the order of the index.
    package var places: [PlaceRow] = []
    /// The places that are shown together, in the order of the index.
    package var clusters: [PlaceCluster] = []
    /// The number of places in the box that pass the filter.
    package var total = 0
    /// The side of the cells, in pixels.
    package var cellPixels = PlaceView.smallestCell
    /// The names of the sources of all places that are shown, alone or together, ascending.
    package var sources: [String] = []

    /// The side of the cells unless there would be too many of them.
    package static let smallestCell = 64
    /// The zooms that have clusters.
    package static let zooms = 0...20
    /// The first zoom that shows all places alone, as long as they fit.
    package static let firstPlaceZoom = 17
    /// The most places and clusters.
    package static let limits = 1...500

    /// The number of places and clusters.
    package var itemCount: Int { places.count + clusters.count }
}
