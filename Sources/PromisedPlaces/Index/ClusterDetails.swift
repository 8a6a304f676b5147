/// Aggregates the places of a cluster.
struct ClusterDetails {
    private(set) var box = Box.nowhere
    /// The number of places with each feature, see ``ClassFeatures``.
    private(set) var features: [Int]
    private var lowestCode = UInt64.max
    private var highestCode = UInt64.min

    init(featureCount: Int) {
        features = Array(repeating: 0, count: featureCount)
    }

    /// Adds places without their codes.
    mutating func add(rows: Range<Int>, of index: PlaceIndex) {
        for row in rows {
            box.formUnion(Box(index.positions.coordinates[row]))
            index.traits.features.forEach(of: Int(index.traits.classes[row])) { features[$0] += 1 }
        }
    }

    /// Adds the `count` places of a range that are in a set, without their codes.
    mutating func add(_ rows: Range<Int>, in set: RowSet, count: Int, of index: PlaceIndex) {
        addBox(of: rows, in: set, index)
        let kinds = index.traits.features
        index.traits.classes.withUnsafeBufferPointer { classes in
            guard count > index.traits.list.count else {
                return set.forEachBlock(of: rows) { block, bits in
                    bits.forEachBit { place in
                        kinds.forEach(of: Int(classes[block * PlaceBlocks.size + place])) { features[$0] += 1 }
                    }
                }
            }
            // Many places: first the number of each class, then the features of the classes.
            for (kind, number) in countsOfKinds(rows, in: set, classes, index).enumerated() where number != 0 {
                kinds.forEach(of: kind) { features[$0] += number }
            }
        }
    }

    /// The number of places of each class. For blocks with more than half of their places in the set, all features are
    /// added and the other places subtracted.
    private mutating func countsOfKinds(
        _ rows: Range<Int>,
        in set: RowSet,
        _ classes: UnsafeBufferPointer<UInt32>,
        _ index: PlaceIndex
    ) -> [Int] {
        var counts = [Int](repeating: 0, count: index.traits.list.count)
        counts.withUnsafeMutableBufferPointer { counts in
            set.forEachBlock(of: rows) { block, bits in
                let start = block * PlaceBlocks.size
                guard bits.nonzeroBitCount > PlaceBlocks.size / 2 else {
                    return bits.forEachBit { counts[Int(classes[start + $0])] += 1 }
                }
                index.blocks.addFeatures(of: block..<block + 1, to: &features)
                let others = ~bits & RowSet.bits(of: classes.indices, in: block)
                others.forEachBit { counts[Int(classes[start + $0])] -= 1 }
            }
        }
        return counts
    }

    /// Extends the box to these rows. Most blocks already lie in it.
    private mutating func addBox(of rows: Range<Int>, in set: RowSet, _ index: PlaceIndex) {
        var box = box
        index.positions.withColumns { columns in
            set.forEachBlock(of: rows) { block, bits in
                guard !box.encloses(index.blocks.boxes[block]) else { return }
                bits.forEachBit { box.formUnion(Box(columns.coordinates[block * PlaceBlocks.size + $0])) }
            }
        }
        self.box = box
    }

    /// Adds the places of whole blocks without their codes.
    mutating func add(blocks: Range<Int>, of index: PlaceIndex) {
        for block in blocks { box.formUnion(index.blocks.boxes[block]) }
        index.blocks.addFeatures(of: blocks, to: &features)
    }

    /// Adds a Morton code; those of the first and last place of a range of rows are enough.
    mutating func add(codes code: UInt64) {
        lowestCode = min(lowestCode, code)
        highestCode = max(highestCode, code)
    }

    /// The first zoom beyond `zoom` at which the places lie in more than one cell of 64 px; 21 if they never do. For
    /// zoom 20, the last one: 20 if they lie in more than one cell there.
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
