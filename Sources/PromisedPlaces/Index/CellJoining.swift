/// Decides which cells of the map are drawn as one.
///
/// Of two cells the heavier is that with more places, then that with the lower Morton code. A cell is a *head* unless
/// the mean position of a heavier one of its eight neighbours is at most half a cell from its own. Any other cell joins
/// the nearest head among those neighbours, of equally near ones the heavier; without one it stays alone.
///
/// Cells are created on demand: for a level with too many clusters, and around a box, only some are needed.
struct CellJoining {
    private(set) var places: MapCells
    private var level = 0
    /// The cells created so far, all with places, identified by their numbers.
    private var cells: [MapCell] = []
    /// Open addressing by the codes of the cells: the number of a cell plus one, or 0.
    private var slots: [UInt32] = []
    /// `true` for heads; nil until decided.
    private var heads: [Bool?] = []
    /// The numbers of the cells that cells have joined, plus one; 0 until decided.
    private var owners: [UInt32] = []

    /// The joining of the cells of some places; the level is not chosen yet.
    init(_ places: MapCells) { self.places = places }

    /// The cells with places in the box, joined at a level: the cells of each cluster, its owner first, in the order of the
    /// first cell in the box; nil if there are more than `limit` clusters.
    mutating func clusters(at level: Int, limit: Int) -> [[MapCell]]? {
        self.level = level
        slots = Array(repeating: 0, count: 1_024)
        defer { (cells, slots, heads, owners) = ([], [], [], []) }
        var (found, isFound): ([Int], Set<Int>) = ([], [])
        var next = places.inBox.first(from: 0)
        while let row = next, let cell = number(of: places.code(of: row, at: level)) {
            let owner = owner(of: cell)
            if isFound.insert(owner).inserted {
                guard found.count < limit else { return nil }
                found.append(owner)
            }
            next = places.inBox.first(from: cells[cell].rows.upperBound)
        }
        return found.map { members(of: $0).map { cells[$0] } }
    }

    /// The head that a cell has joined; the cell itself if it is a head or has joined none.
    private mutating func owner(of cell: Int) -> Int {
        if owners[cell] != 0 { return Int(owners[cell]) - 1 }
        let owner = isHead(cell) ? cell : nearestHead(of: cell) ?? cell
        owners[cell] = UInt32(owner + 1)
        return owner
    }

    /// The cells that have joined an owner, after the owner itself.
    private mutating func members(of owner: Int) -> [Int] {
        guard isHead(owner) else { return [owner] }
        var members = [owner]
        for place in 0..<8 {
            if let neighbour = neighbour(place, of: owner), self.owner(of: neighbour) == owner {
                members.append(neighbour)
            }
        }
        return members
    }

    private mutating func isHead(_ cell: Int) -> Bool {
        if let known = heads[cell] { return known }
        var isHead = true
        for place in 0..<8 where isHead {
            guard let neighbour = neighbour(place, of: cell), isHeavier(neighbour, than: cell) else { continue }
            isHead = distance(neighbour, cell) > reach
        }
        heads[cell] = isHead
        return isHead
    }

    private mutating func nearestHead(of cell: Int) -> Int? {
        var nearest: (head: Int, distance: Double)?
        for place in 0..<8 {
            guard let neighbour = neighbour(place, of: cell), isHeavier(neighbour, than: cell) else { continue }
            let distance = distance(neighbour, cell)
            guard distance <= reach, isHead(neighbour) else { continue }
            if let best = nearest, best.distance < distance { continue }
            if let best = nearest, best.distance == distance, isHeavier(best.head, than: neighbour) { continue }
            nearest = (neighbour, distance)
        }
        return nearest?.head
    }

    private func isHeavier(_ cell: Int, than other: Int) -> Bool {
        let (left, right) = (cells[cell], cells[other])
        return left.count != right.count ? left.count > right.count : left.code < right.code
    }

    /// The square of half a cell, in units of the map.
    private var reach: Double {
        let half = Double(UInt64(1) << UInt64(32 - level)) / 2
        return half * half
    }

    /// The square of the distance between two mean positions.
    private func distance(_ cell: Int, _ other: Int) -> Double {
        let (x, y) = (cells[cell].x - cells[other].x, cells[cell].y - cells[other].y)
        return x * x + y * y
    }

    /// One of the eight cells around one, if it has places. Cells beyond the edges of the map do not exist.
    private mutating func neighbour(_ place: Int, of cell: Int) -> Int? {
        let position = WorldPosition(mortonCode: cells[cell].code)
        // The places 0 to 8 without the middle one, in three lines.
        let ninth = place < 4 ? place : place + 1
        let (x, y) = (Int(position.x) + ninth % 3 - 1, Int(position.y) + ninth / 3 - 1)
        guard x >= 0, y >= 0, x < 1 << level, y < 1 << level else { return nil }
        return number(of: WorldPosition(x: UInt32(x), y: UInt32(y)).mortonCode)
    }

    // MARK: - Numbers

    /// The number of the cell with a code; nil if it has no places.
    private mutating func number(of code: UInt64) -> Int? {
        let slot = slot(of: code)
        if slots[slot] != 0 { return Int(slots[slot]) - 1 }
        guard let cell = places.cell(code, at: level) else { return nil }
        cells.append(cell)
        heads.append(nil)
        owners.append(0)
        slots[slot] = UInt32(cells.count)
        if cells.count * 2 > slots.count { widen() }
        return cells.count - 1
    }

    /// The slot with a code, or the empty one for it.
    private func slot(of code: UInt64) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: (code &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
        while slots[slot] != 0, cells[Int(slots[slot]) - 1].code != code { slot = (slot + 1) & mask }
        return slot
    }

    /// Doubles the slots.
    private mutating func widen() {
        slots = Array(repeating: 0, count: slots.count * 2)
        for number in cells.indices { slots[slot(of: cells[number].code)] = UInt32(number + 1) }
    }
}
