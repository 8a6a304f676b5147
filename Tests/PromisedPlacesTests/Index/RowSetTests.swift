import PromisedSimulation
import Testing

@testable import PromisedPlaces

@Suite struct RowSetTests {
    /// Around the borders of blocks of 64 rows.
    @Test(arguments: [1, 2, 63, 64, 65, 127, 128, 129, 400])
    func `a set of rows answers like a list of them`(count: Int) {
        var generator = SeededGenerator(seed: UInt64(count))
        for density in [0, 0.02, 0.5, 1] {
            let rows = (0..<count).filter { _ in generator.chance(density) }
            var set = RowSet(count: count)
            for row in rows.shuffled(using: &generator) { set.insert(1 << UInt64(row & 63), of: row >> 6) }
            #expect(set.rows == rows)
            #expect(set.count == rows.count)
            for start in 0...count {
                #expect(set.first(from: start) == rows.first { $0 >= start })
                for end in [start, start + 1, start + 63, start + 64, count] where (start...count).contains(end) {
                    let inRange = rows.filter((start..<end).contains)
                    #expect(listed(set, start..<end) == inRange)
                    if start < end { #expect(set.last(in: start..<end) == inRange.last) }
                }
            }
        }
    }

    private func listed(_ set: RowSet, _ rows: Range<Int>) -> [Int] {
        var listed: [Int] = []
        set.forEachBlock(of: rows) { block, bits in bits.forEachBit { listed.append(block * 64 + $0) } }
        return listed
    }
}
