internal import PromisedDomain

/// The ids of all rows, and the row of each id.
struct PlaceIDColumn: Sendable {
    /// The ids in the order of the rows.
    let ids: [PlaceID]
    /// Open addressing: a row plus one, or 0. A power of two, at most two thirds full.
    private let slots: [UInt32]

    /// The column of different ids.
    init(_ ids: [PlaceID]) {
        var size = 2
        while size * 2 < ids.count * 3 { size *= 2 }
        var slots = [UInt32](repeating: 0, count: size)
        for (row, id) in ids.enumerated() {
            var slot = PlaceIDColumn.hash(id) & (size - 1)
            while slots[slot] != 0 {
                precondition(ids[Int(slots[slot]) - 1] != id, "Two places have the id \(id)")
                slot = (slot + 1) & (size - 1)
            }
            slots[slot] = UInt32(row + 1)
        }
        (self.ids, self.slots) = (ids, slots)
    }

    /// The row of an id; nil if no place has it.
    func row(of id: PlaceID) -> Int? {
        var slot = PlaceIDColumn.hash(id) & (slots.count - 1)
        while slots[slot] != 0 {
            let row = Int(slots[slot]) - 1
            if ids[row] == id { return row }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// The size of the column in bytes.
    var byteCount: Int { ids.count * 16 + slots.count * 4 }

    /// The last bits of an id are random.
    private static func hash(_ id: PlaceID) -> Int {
        Int(truncatingIfNeeded: ((id.low ^ id.high) &* 0x9E37_79B9_7F4A_7C15) >> 20)
    }
}
