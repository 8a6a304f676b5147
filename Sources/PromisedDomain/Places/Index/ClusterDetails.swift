/// What a cluster tells of its places, summed up.
struct ClusterDetails {
    private(set) var box = Box.nowhere
    /// The number of places with each feature, see ``ClassFeatures``.
    private(set) var features: [Int]
    private var lowestCode = UInt64.max
    private var highestCode = UInt64.min

    init(featureCount: Int) {
        features = Array(repeating: 0, count: featureCount)
    }

    /// Adds places, but for their codes.
    @inline(__always)
    mutating func add(rows: some Collection<Int>, of index: PlaceIndex) {
        let list = index.traits.list
        guard rows.count > list.count else {
            add(rows, of: index) { [features = index.traits.features] kind, counts in
                features.forEach(of: kind) { counts[$0] += 1 }
            }
            return
        }
        // Many places: first the number of each class, then the features of the classes.
        var whole = ClusterDetails(featureCount: list.count)
        whole.add(rows, of: index) { kind, counts in counts[kind] += 1 }
        box.formUnion(whole.box)
        for (kind, count) in whole.features.enumerated() where count > 0 {
            index.traits.features.forEach(of: kind) { features[$0] += count }
        }
    }

    /// Adds the coordinates of places, and calls `count` with the class of each.
    @inline(__always)
    private mutating func add(
        _ rows: some Collection<Int>,
        of index: PlaceIndex,
        _ count: (Int, UnsafeMutableBufferPointer<Int>) -> Void
    ) {
        // In variables of the function, and without checks of bounds: half of the time that clusters of a third of a million
        // filtered places took.
        var (south, west, north, east) = (box.south, box.west, box.north, box.east)
        index.positions.withColumns { columns in
            index.traits.classes.withUnsafeBufferPointer { classes in
                features.withUnsafeMutableBufferPointer { features in
                    for row in rows {
                        let coordinate = columns.coordinates[row]
                        south = min(south, coordinate.latitude)
                        north = max(north, coordinate.latitude)
                        west = min(west, coordinate.longitude)
                        east = max(east, coordinate.longitude)
                        count(Int(classes[row]), features)
                    }
                }
            }
        }
        box = Box(south: south, west: west, north: north, east: east)
    }

    /// Adds the places of whole blocks, but for their codes.
    mutating func add(blocks: Range<Int>, of index: PlaceIndex) {
        for block in blocks { box.formUnion(index.blocks.boxes[block]) }
        index.blocks.addFeatures(of: blocks, to: &features)
    }

    /// Adds a Morton code; those of the first and last place of a range of rows are enough.
    mutating func add(codes code: UInt64) {
        lowestCode = min(lowestCode, code)
        highestCode = max(highestCode, code)
    }

    /// The first zoom beyond `zoom` at which the places lie in more than one cell of 64 px; 21 if they never do. At zoom 20
    /// there is none beyond: 20, if they lie in more than one there.
    func expandZoom(from zoom: Int) -> Int {
        // A cell of zoom z has the first 2 (z + 2) bits of the codes.
        let common = (lowestCode ^ highestCode).leadingZeroBitCount
        let first = common / 2 - 1
        return first > 20 ? 21 : max(first, min(zoom + 1, 20))
    }

    /// The categories with the number of their places, the largest first, at most five.
    func largestCategories(of index: PlaceIndex) -> [PlaceCluster.Category] {
        let numbers = index.traits.categories.indices.filter { features[$0] > 0 }
        return numbers.sorted { (features[$1], $0) < (features[$0], $1) }.prefix(5).map {
            PlaceCluster.Category(id: index.traits.categories[$0], count: features[$0])
        }
    }

    /// Of the categories the one with the fewest places in the whole directory, of equally frequent ones the first.
    func rarestCategory(of index: PlaceIndex, _ totals: [Int]) -> CategoryID? {
        let numbers = index.traits.categories.indices.filter { features[$0] > 0 }
        return numbers.min { (totals[$0], $0) < (totals[$1], $1) }.map { index.traits.categories[$0] }
    }
}
