/// Which cells of the map are drawn as one.
///
/// Of two cells the heavier is that with more places, then that with the lower Morton code. A cell is a *head* unless the
/// mean position of a heavier one of its eight neighbours is at most half a cell from its own. Any other cell joins the
/// nearest head among those neighbours, of equally near ones the heavier; if there is none, it stands alone.
struct CellJoining {
    private let cells: [MapCell]
    private let level: Int
    /// The square of half a cell, in units of the map.
    private let reach: Double
    /// Open addressing by the codes of the cells: the number of a cell plus one, or 0.
    private var slots: [UInt32]
    /// `true` for heads; nil until it is known.
    private var heads: [Bool?]
    /// The numbers of the cells that cells have joined, plus one; 0 until it is known.
    private var owners: [UInt32]

    init(_ cells: [MapCell], level: Int) {
        self.cells = cells
        self.level = level
        let half = Double(UInt64(1) << UInt64(32 - level)) / 2
        reach = half * half
        var size = 2
        while size < cells.count * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        heads = Array(repeating: nil, count: cells.count)
        owners = Array(repeating: 0, count: cells.count)
        for (number, cell) in cells.enumerated() {
            var slot = CellJoining.hash(cell.code) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt32(number + 1)
        }
    }

    /// The cell that a cell has joined: a head, or itself if it is one or stands alone.
    mutating func owner(of cell: Int) -> Int {
        if owners[cell] != 0 { return Int(owners[cell]) - 1 }
        let owner = isHead(cell) ? cell : nearestHead(of: cell) ?? cell
        owners[cell] = UInt32(owner + 1)
        return owner
    }

    /// The cells that those with places in the box have joined, each once, in the order of the first of them; nil if there
    /// are more than `limit`.
    mutating func ownersInBox(limit: Int) -> [Int]? {
        var found: [Int] = []
        var isFound = [Bool](repeating: false, count: cells.count)
        for cell in cells.indices where cells[cell].countInBox > 0 {
            let owner = owner(of: cell)
            guard !isFound[owner] else { continue }
            guard found.count < limit else { return nil }
            isFound[owner] = true
            found.append(owner)
        }
        return found
    }

    /// The cells that have joined an owner, and the owner itself.
    mutating func members(of owner: Int) -> [Int] {
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

    /// The square of the distance between two mean positions.
    private func distance(_ cell: Int, _ other: Int) -> Double {
        let (x, y) = (cells[cell].x - cells[other].x, cells[cell].y - cells[other].y)
        return x * x + y * y
    }

    /// One of the eight cells around one, if it has places. The map ends at its edges.
    private func neighbour(_ place: Int, of cell: Int) -> Int? {
        let position = WorldPosition(mortonCode: cells[cell].code)
        // The places 0 to 8 without the middle one, in three lines.
        let ninth = place < 4 ? place : place + 1
        let (x, y) = (Int(position.x) + ninth % 3 - 1, Int(position.y) + ninth / 3 - 1)
        guard x >= 0, y >= 0, x < 1 << level, y < 1 << level else { return nil }
        return number(of: WorldPosition(x: UInt32(x), y: UInt32(y)).mortonCode)
    }

    private func number(of code: UInt64) -> Int? {
        var slot = CellJoining.hash(code) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if cells[number].code == code { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    private static func hash(_ code: UInt64) -> Int {
        Int(truncatingIfNeeded: (code &* 0x9E37_79B9_7F4A_7C15) >> 32)
    }
}
