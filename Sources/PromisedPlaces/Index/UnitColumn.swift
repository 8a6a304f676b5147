/// A key in a buffer of many.
typealias KeySlice = Slice<UnsafeBufferPointer<UInt16>>

/// Keys one after the other, valid while the closure that receives them runs.
struct UnitColumn {
    /// The units of all keys.
    var units: UnsafePointer<UInt16>
    /// The number of units.
    var count: Int
    /// Where each key begins, and the end of the last one.
    var offsets: UnsafePointer<UInt32>

    /// The units of a key.
    @inline(__always)
    func range(of number: Int) -> Range<Int> { Int(offsets[number])..<Int(offsets[number + 1]) }
}

extension KeyBuffer {
    /// Calls `body` with all keys, which begin at the offsets.
    func withColumn<Result>(_ offsets: [UInt32], _ body: (UnitColumn) -> Result) -> Result {
        units.withUnsafeBufferPointer { units in
            offsets.withUnsafeBufferPointer { offsets in
                guard let offsets = offsets.baseAddress else { preconditionFailure("Keys without an end") }
                // The pointer is not read if there are no units.
                return withUnsafePointer(to: UInt16(0)) { none in
                    body(UnitColumn(units: units.baseAddress ?? none, count: units.count, offsets: offsets))
                }
            }
        }
    }
}
