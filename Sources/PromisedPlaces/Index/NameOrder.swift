internal import PromisedDomain

/// The rows in the order of the keys of their names, rows with equal keys in the order of their ids.
struct NameOrder: Sendable {
    /// The rows in order.
    private let rows: [UInt32]
    /// The first four units of each key, the first one highest, in the same order.
    private let prefixes: [UInt64]
    /// The place of each row in the order.
    private let ranks: [UInt32]

    /// The order of names.
    init(_ names: PlaceNames, _ ids: [PlaceID]) {
        // By units five to eight, then by the first four: few names have more in common.
        let (seconds, firsts) = NameOrder.prefixes(of: names)
        let (order, sortedSeconds) = RadixSort.order(by: seconds)
        let (places, prefixes) = RadixSort.order(by: order.map { firsts[Int($0)] })
        var rows = places.map { order[Int($0)] }
        NameOrder.sortEqual(&rows, prefixes, places.map { sortedSeconds[Int($0)] }, names, ids)
        var ranks = [UInt32](repeating: 0, count: rows.count)
        for (rank, row) in rows.enumerated() { ranks[Int(row)] = UInt32(rank) }
        (self.rows, self.prefixes, self.ranks) = (rows, prefixes, ranks)
    }

    /// The place of a row in the order.
    @inline(__always)
    func rank(of row: Int) -> UInt32 { ranks[row] }

    /// The first rank of a row after a name and id.
    func rank(behind key: [UInt16], _ id: PlaceID, _ names: PlaceNames, _ ids: [PlaceID]) -> UInt32 {
        let rank = firstRank { rank in
            let other = names.key(of: Int(rows[rank]))
            return other.elementsEqual(key) ? ids[Int(rows[rank])] <= id : other.lexicographicallyPrecedes(key)
        }
        return UInt32(rank)
    }

    /// The rows whose names begin with a pattern; nil if there are more than `limit`.
    func rows(beginningWith pattern: TextPattern, limit: Int, _ names: PlaceNames) -> [Int]? {
        if let range = range(beginningWith: pattern, names) {
            return range.count <= limit ? rows[range].map(Int.init) : nil
        }
        let tests = pattern.positions.prefix(4).enumerated().map { place, position in
            (shift: UInt64(48 - 16 * place), position: position)
        }
        var found: [Int] = []
        for rank in ranges(of: pattern.positions).joined() {
            let prefix = prefixes[rank]
            guard tests.allSatisfy({ $0.position.matches(UInt16(truncatingIfNeeded: prefix >> $0.shift)) }) else {
                continue
            }
            let row = Int(rows[rank])
            guard pattern.positions.count <= 4 || pattern.begins(names.key(of: row)) else { continue }
            guard found.count < limit else { return nil }
            found.append(row)
        }
        return found
    }

    /// The rows whose names have a key; nil if there are more than `limit`.
    func rows(equalTo key: [UInt16], limit: Int, _ names: PlaceNames) -> [Int]? {
        let range = ranks(equalTo: key, names)
        return range.count <= limit ? rows[range].map(Int.init) : nil
    }

    /// The ranks of the names that have a key.
    func ranks(equalTo key: [UInt16], _ names: PlaceNames) -> Range<Int> {
        let start = firstRank { names.key(of: Int(rows[$0])).lexicographicallyPrecedes(key) }
        let end = firstRank { !key.lexicographicallyPrecedes(names.key(of: Int(rows[$0]))) }
        return start..<end
    }

    /// The ranks of the names that begin with a pattern, if these are one range: all units but the last are certain.
    private func range(beginningWith pattern: TextPattern, _ names: PlaceNames) -> Range<Int>? {
        guard let last = pattern.positions.last, last.also &- last.lowest <= last.span,
            pattern.positions.dropLast().allSatisfy(\.isSingle)
        else { return nil }
        let lowest = pattern.positions.map(\.lowest)
        let highest = pattern.positions.map { $0.lowest + $0.span }
        let start = firstRank { names.key(of: Int(rows[$0])).lexicographicallyPrecedes(lowest) }
        let end = firstRank { rank in
            !highest.lexicographicallyPrecedes(names.key(of: Int(rows[rank])).prefix(highest.count))
        }
        return start..<end
    }

    /// The size of the order in bytes.
    var byteCount: Int { rows.count * 16 }

    // MARK: - Order

    /// The ranks of keys that can begin with a pattern: narrowed by the leading single units and the units of one more
    /// position.
    private func ranges(of positions: [TextPattern.Position]) -> [Range<Int>] {
        var prefix: UInt64 = 0
        var shift: UInt64 = 64
        for position in positions.prefix(4) {
            shift -= 16
            guard position.isSingle else {
                let units = position.lowest...position.lowest + position.span
                let also = units.contains(position.also) ? [] : [position.also...position.also]
                return ([units] + also).map { range(of: prefix, $0, shift) }
            }
            prefix |= UInt64(position.lowest) << shift
        }
        let unit = UInt16(truncatingIfNeeded: prefix >> shift)
        return [range(of: prefix & ~(0xFFFF << shift), unit...unit, shift)]
    }

    /// The ranks of keys with a prefix followed by any of some units.
    private func range(of prefix: UInt64, _ units: ClosedRange<UInt16>, _ shift: UInt64) -> Range<Int> {
        let first = prefix | UInt64(units.lowerBound) << shift
        let last = prefix | UInt64(units.upperBound) << shift | (1 << shift - 1)
        return firstRank(atLeast: first)..<(last == .max ? rows.count : firstRank(atLeast: last + 1))
    }

    private func firstRank(atLeast prefix: UInt64) -> Int { firstRank { prefixes[$0] < prefix } }

    /// The first rank for which `standsBefore` is `false`; it is `true` for all lower ones.
    private func firstRank(_ standsBefore: (Int) -> Bool) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) >> 1
            if standsBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The units five to eight of each key, and the first four.
    private static func prefixes(of names: PlaceNames) -> (seconds: [UInt64], firsts: [UInt64]) {
        var (seconds, firsts) = ([UInt64](), [UInt64]())
        seconds.reserveCapacity(names.count)
        firsts.reserveCapacity(names.count)
        names.keys.units.withUnsafeBufferPointer { units in
            for row in 0..<names.count {
                let range = names.keyRange(of: row)
                firsts.append(NameComparison.prefix(of: units, range))
                seconds.append(firsts[row] & 0xFFFF == 0 ? 0 : NameComparison.prefix(of: units, range.dropFirst(4)))
            }
        }
        return (seconds, firsts)
    }

    /// Sorts the rows whose keys begin with the same eight units.
    private static func sortEqual(
        _ rows: inout [UInt32],
        _ firsts: [UInt64],
        _ seconds: [UInt64],
        _ names: PlaceNames,
        _ ids: [PlaceID]
    ) {
        names.keys.units.withUnsafeBufferPointer { units in
            let comparison = NameComparison(units: units, offsets: names.keyOffsets, ids: ids)
            var keyed: [(key: UInt64, row: UInt32)] = []
            var start = 0
            while start < rows.count {
                var end = start + 1
                while end < rows.count, firsts[end] == firsts[start], seconds[end] == seconds[start] { end += 1 }
                if end - start > 1 {
                    comparison.sort(&rows[start..<end], isComplete: seconds[start] & 0xFFFF == 0, &keyed)
                }
                start = end
            }
        }
    }
}
