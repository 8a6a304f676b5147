/// The columns of an index that searches read, valid while the closure that receives them runs.
///
/// Arrays in structs are retained and released for each row: with them a search of a million places took 190 ms, with these
/// pointers it takes less than 10.
struct SearchColumns {
    var names: UnitColumn
    /// A bit for each unit of the names, set where a word begins.
    var wordStarts: UnsafePointer<UInt64>
    var heads: UnitColumn
    var tails: UnitColumn
    /// By row.
    var headNumbers: UnsafePointer<UInt32>
    var tailNumbers: UnsafePointer<UInt32>
    var classes: UnsafePointer<UInt32>

    /// `true` if a word of the principal name of a row begins at an offset.
    @inline(__always)
    func isWordStart(_ offset: Int, in row: Int) -> Bool {
        guard wordStarts[offset >> 6] >> UInt64(offset & 63) & 1 == 1 else { return false }
        var unit = Int(names.offsets[row])
        while unit < offset {
            guard names.units[unit] != 0 else { return false }
            unit += 1
        }
        return true
    }
}

extension PlaceIndex {
    /// Calls `body` with the columns for searches.
    func withSearchColumns<Result>(_ body: (SearchColumns) -> Result) -> Result {
        names.withColumn { names, wordStarts in
            addresses.withColumns { heads, tails, headNumbers, tailNumbers in
                traits.classes.withUnsafeBufferPointer { classes in
                    guard let classes = classes.baseAddress else { preconditionFailure("An index without places") }
                    return body(
                        SearchColumns(
                            names: names,
                            wordStarts: wordStarts,
                            heads: heads,
                            tails: tails,
                            headNumbers: headNumbers,
                            tailNumbers: tailNumbers,
                            classes: classes
                        )
                    )
                }
            }
        }
    }
}
