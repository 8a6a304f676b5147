import Foundation
import PromisedDomain
import PromisedPlaces

/// The clusters of the map by their definition, cell by cell: slow, and without any index.
struct PlainMap {
    /// A cell: its position, its places, and their mean position.
    private struct Cell {
        var column: Int
        var line: Int
        var places: [DirectoryPlace] = []
        var sumX = 0.0
        var sumY = 0.0

        var x: Double { sumX / Double(places.count) }
        var y: Double { sumY / Double(places.count) }

        /// The columns in the even bits, the lines in the odd ones.
        var code: UInt64 {
            var code: UInt64 = 0
            for bit in 0..<UInt64(32) {
                code |= (UInt64(column) >> bit & 1) << (2 * bit)
                code |= (UInt64(line) >> bit & 1) << (2 * bit + 1)
            }
            return code
        }

        func isHeavier(than other: Cell) -> Bool {
            places.count != other.places.count ? places.count > other.places.count : code < other.code
        }

        func isNear(_ other: Cell, _ reach: Double) -> Bool { squaredDistance(to: other) <= reach * reach }

        func squaredDistance(to other: Cell) -> Double { (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y) }
    }

    /// The places drawn as one, in any order.
    struct Group {
        var places: [DirectoryPlace]
        var x: Double
        var y: Double
    }

    private static let side = 4_294_967_296.0
    private let cells: [[Int]: Cell]
    private let reach: Double

    /// The cells of a level: 2^`level` on a side of the world.
    init(_ places: [DirectoryPlace], level: Int) {
        let width = PlainMap.side / Double(1 << level)
        reach = width / 2
        var cells: [[Int]: Cell] = [:]
        for place in places {
            let (x, y) = PlainMap.position(place.listing.coordinate)
            let (column, line) = (Int(x / width), Int(y / width))
            cells[[column, line], default: Cell(column: column, line: line)].places.append(place)
            cells[[column, line]]?.sumX += x
            cells[[column, line]]?.sumY += y
        }
        self.cells = cells
    }

    /// All groups of the world.
    func groups() -> [Group] {
        let heads = Set(cells.filter { isHead($0.value) }.keys)
        var groups: [[Int]: [Cell]] = [:]
        for (key, cell) in cells {
            let owner =
                heads.contains(key)
                ? key
                : heavierNeighbours(of: cell).filter { heads.contains([$0.column, $0.line]) && cell.isNear($0, reach) }
                    .min { left, right in
                        let (first, second) = (cell.squaredDistance(to: left), cell.squaredDistance(to: right))
                        return first != second ? first < second : left.isHeavier(than: right)
                    }
                    .map { [$0.column, $0.line] } ?? key
            groups[owner, default: []].append(cell)
        }
        return groups.values.map { cells in
            let places = cells.flatMap(\.places)
            return Group(
                places: places,
                x: cells.reduce(0) { $0 + $1.sumX } / Double(places.count),
                y: cells.reduce(0) { $0 + $1.sumY } / Double(places.count)
            )
        }
    }

    private func isHead(_ cell: Cell) -> Bool {
        !heavierNeighbours(of: cell).contains { cell.isNear($0, reach) }
    }

    private func heavierNeighbours(of cell: Cell) -> [Cell] {
        (cell.line - 1...cell.line + 1).flatMap { line in
            (cell.column - 1...cell.column + 1).compactMap { cells[[$0, line]] }
        }.filter { ($0.column, $0.line) != (cell.column, cell.line) && $0.isHeavier(than: cell) }
    }

    /// The position on the Mercator map in whole units of 2⁻³² of its side.
    static func position(_ coordinate: Coordinate) -> (x: Double, y: Double) {
        let sine = sin(coordinate.latitude * .pi / 180)
        let y = 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)
        return (unit((coordinate.longitude + 180) / 360), unit(y))
    }

    private static func unit(_ fraction: Double) -> Double {
        min(max(fraction * side, 0), side - 1).rounded(.down)
    }
}
