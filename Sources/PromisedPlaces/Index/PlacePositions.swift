internal import PromisedDomain

/// The positions of places, in the order of their Morton codes: a cell of the map at any zoom is one range of rows.
struct PlacePositions: Sendable {
    /// Morton codes, ascending.
    private(set) var codes: [UInt64] = []
    /// The columns in Web Mercator.
    private(set) var xs: [UInt32] = []
    /// The rows in Web Mercator.
    private(set) var ys: [UInt32] = []
    /// The positions as they were given.
    private(set) var coordinates: [Coordinate] = []

    /// Empty, with memory reserved.
    init(expectedCount: Int = 0) {
        codes.reserveCapacity(expectedCount)
        xs.reserveCapacity(expectedCount)
        ys.reserveCapacity(expectedCount)
        coordinates.reserveCapacity(expectedCount)
    }

    /// Adds a place; the codes are not in order until ``sort()``.
    mutating func append(_ coordinate: Coordinate) {
        let position = WorldPosition(coordinate)
        codes.append(position.mortonCode)
        xs.append(position.x)
        ys.append(position.y)
        coordinates.append(coordinate)
    }

    /// Sorts the places. Returns the place of each row.
    mutating func sort() -> [UInt32] {
        let (order, sorted) = RadixSort.order(by: codes)
        codes = sorted
        xs = order.map { xs[Int($0)] }
        ys = order.map { ys[Int($0)] }
        coordinates = order.map { coordinates[Int($0)] }
        return order
    }

    /// The first row in `range` whose code is at least `code`; the end of the range if there is none.
    @inline(__always)
    func firstRow(from code: UInt64, in range: Range<Int>) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) >> 1
            if codes[middle] < code { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The columns, valid while the closure that receives them runs; loops over many rows read them without checks.
    struct Columns {
        var codes: UnsafeBufferPointer<UInt64>
        var xs: UnsafeBufferPointer<UInt32>
        var ys: UnsafeBufferPointer<UInt32>
        var coordinates: UnsafeBufferPointer<Coordinate>
    }

    /// Calls `body` with the columns.
    @inline(__always)
    func withColumns<Result>(_ body: (Columns) -> Result) -> Result {
        codes.withUnsafeBufferPointer { codes in
            xs.withUnsafeBufferPointer { xs in
                ys.withUnsafeBufferPointer { ys in
                    coordinates.withUnsafeBufferPointer { coordinates in
                        body(Columns(codes: codes, xs: xs, ys: ys, coordinates: coordinates))
                    }
                }
            }
        }
    }

    /// The size of the columns in bytes.
    var byteCount: Int { codes.count * (8 + 4 + 4 + 16) }
}
