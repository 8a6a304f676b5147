/// The names of all places, and their keys in the order of the rows.
struct PlaceNames: Sendable {
    /// The names in UTF-8, one after the other.
    private var bytes: [UInt8] = []
    /// Where each name begins, and the end of the last one.
    private var offsets: [UInt32] = [0]
    /// The keys of each place: that of the name, then those of the other names, each after a 0.
    private(set) var keys = KeyBuffer()
    /// Where the keys of each place begin, and the end of the last one.
    private(set) var keyOffsets: [UInt32] = [0]

    /// Empty, with memory reserved.
    init(expectedCount: Int = 0) {
        bytes.reserveCapacity(expectedCount * 24)
        offsets.reserveCapacity(expectedCount + 1)
        keyOffsets.reserveCapacity(expectedCount + 1)
        keys = KeyBuffer(expectedUnits: expectedCount * 12)
    }

    /// The number of places.
    var count: Int { offsets.count - 1 }

    /// Adds a place by its texts.
    mutating func append(_ texts: PlaceTexts.Texts) {
        bytes.append(contentsOf: texts.name)
        offsets.append(UInt32(bytes.count))
        keys.append(keyOf: texts.name)
        for other in texts.others {
            keys.append(unit: 0)
            keys.append(keyOf: other)
        }
        keyOffsets.append(UInt32(keys.units.count))
    }

    func name(of row: Int) -> String {
        String(decoding: bytes[Int(offsets[row])..<Int(offsets[row + 1])], as: UTF8.self)
    }

    /// The part of ``keys`` with all keys of a row.
    @inline(__always)
    func keyRange(of row: Int) -> Range<Int> { Int(keyOffsets[row])..<Int(keyOffsets[row + 1]) }

    /// The key of the name of a row, without those of other names.
    func key(of row: Int) -> ArraySlice<UInt16> { keys.units[keyRange(of: row)].prefix { $0 != 0 } }

    /// Calls `body` with the keys, and with the bits of the units at which words begin.
    func withColumn<Result>(_ body: (UnitColumn, UnsafePointer<UInt64>) -> Result) -> Result {
        keys.withColumn(keyOffsets) { column in
            keys.wordStarts.withUnsafeBufferPointer { wordStarts in
                withUnsafePointer(to: UInt64(0)) { none in body(column, wordStarts.baseAddress ?? none) }
            }
        }
    }

    /// The size of the columns in bytes.
    var byteCount: Int { bytes.count + (offsets.count + keyOffsets.count) * 4 + keys.byteCount }
}
