/// Sums over the rows of blocks of 64, so that a cell of the map is summed without reading all its rows.
struct PlaceBlocks: Sendable {
    /// The rows of a block.
    static let size = 64
    /// The rows of a group of blocks, which searches process together.
    static let groupSize = 256

    /// The sums of the columns before each block, and the total.
    private var sumsX: [UInt64] = [0]
    private var sumsY: [UInt64] = [0]
    /// The number of rows with each feature before each block, and the total.
    private var featureCounts: [UInt32]
    /// The smallest box around the rows of each block.
    private(set) var boxes: [Box] = []
    /// The smallest box around the rows of each group of blocks.
    private(set) var groupBoxes: [Box] = []
    private let featureCount: Int

    /// The sums of all rows.
    init(_ positions: PlacePositions, _ traits: PlaceTraits) {
        featureCount = traits.featureCount
        let features = traits.features
        var counts = [UInt32](repeating: 0, count: featureCount)
        featureCounts = counts
        featureCounts.reserveCapacity((positions.codes.count / PlaceBlocks.size + 2) * featureCount)
        let count = positions.codes.count
        var (x, y) = (UInt64(0), UInt64(0))
        for start in stride(from: 0, to: count, by: PlaceBlocks.size) {
            var box = Box.nowhere
            for row in start..<min(start + PlaceBlocks.size, count) {
                x += UInt64(positions.xs[row])
                y += UInt64(positions.ys[row])
                box.formUnion(Box(positions.coordinates[row]))
                features.forEach(of: Int(traits.classes[row])) { counts[$0] += 1 }
            }
            boxes.append(box)
            sumsX.append(x)
            sumsY.append(y)
            featureCounts += counts
        }
        let blocksOfGroup = PlaceBlocks.groupSize / PlaceBlocks.size
        groupBoxes = stride(from: 0, to: boxes.count, by: blocksOfGroup).map { start in
            boxes[start..<min(start + blocksOfGroup, boxes.count)].reduce(into: .nowhere) { $0.formUnion($1) }
        }
    }

    /// The blocks that contain the rows of a non-empty range.
    @inline(__always)
    static func blocks(of rows: Range<Int>) -> ClosedRange<Int> {
        rows.lowerBound / size...(rows.upperBound - 1) / size
    }

    /// The sums of the columns of whole blocks.
    @inline(__always)
    func sum(of blocks: Range<Int>) -> (x: UInt64, y: UInt64) {
        (
            sumsX[blocks.upperBound] - sumsX[blocks.lowerBound],
            sumsY[blocks.upperBound] - sumsY[blocks.lowerBound]
        )
    }

    /// Adds the features of whole blocks.
    func addFeatures(of blocks: Range<Int>, to counts: inout [Int]) {
        let (first, last) = (blocks.lowerBound * featureCount, blocks.upperBound * featureCount)
        for feature in 0..<featureCount {
            counts[feature] += Int(featureCounts[last + feature] - featureCounts[first + feature])
        }
    }

    /// The number of rows with each feature.
    var totals: [Int] { featureCounts.suffix(featureCount).map(Int.init) }

    /// The size of the sums in bytes.
    var byteCount: Int { sumsX.count * 16 + featureCounts.count * 4 + (boxes.count + groupBoxes.count) * 32 }
}
