internal import PromisedDomain

/// The order of two names.
struct NameComparison {
    let units: UnsafeBufferPointer<UInt16>
    let offsets: [UInt32]
    let ids: [PlaceID]

    /// Sorts rows whose keys begin with the same eight units, by numbers as far as these differ: the numbers are
    /// adjacent in memory, names and ids are not.
    ///
    /// - Parameters:
    ///   - isComplete: `true` if the keys are equal.
    ///   - keyed: scratch memory.
    func sort(_ rows: inout ArraySlice<UInt32>, isComplete: Bool, _ keyed: inout [(key: UInt64, row: UInt32)]) {
        keyed.removeAll(keepingCapacity: true)
        for row in rows {
            let range = Int(offsets[Int(row)])..<Int(offsets[Int(row) + 1])
            let key = isComplete ? ids[Int(row)].high : NameComparison.prefix(of: units, range.dropFirst(8))
            keyed.append((key, row))
        }
        keyed.sort { left, right in
            if left.key != right.key { return left.key < right.key }
            if isComplete { return ids[Int(left.row)] < ids[Int(right.row)] }
            return precedes(Int(left.row), Int(right.row))
        }
        for (place, element) in zip(rows.indices, keyed) { rows[place] = element.row }
    }

    /// `true` if the key of one row precedes that of another; their first eight units are equal. Keys end at a 0 or at
    /// the end of the row, which are less than any unit.
    func precedes(_ left: Int, _ right: Int) -> Bool {
        var (first, second) = (Int(offsets[left]) + 8, Int(offsets[right]) + 8)
        let (firstEnd, secondEnd) = (Int(offsets[left + 1]), Int(offsets[right + 1]))
        while true {
            let one = first < firstEnd ? units[first] : 0
            let other = second < secondEnd ? units[second] : 0
            if one != other { return one < other }
            if one == 0 { return ids[left] < ids[right] }
            first += 1
            second += 1
        }
    }

    /// Four units, the first one highest; fewer where the key ends.
    static func prefix(of units: UnsafeBufferPointer<UInt16>, _ range: Range<Int>) -> UInt64 {
        var (prefix, shift) = (UInt64(0), UInt64(64))
        for unit in units[range.prefix(4)] {
            guard unit != 0 else { break }
            shift -= 16
            prefix |= UInt64(unit) << shift
        }
        return prefix
    }
}
