/// Sorting by numbers of 64 bits, least significant byte first; elements with equal numbers keep their order.
enum RadixSort {
    /// The order of the elements: element `order[0]` has the smallest key. Also gives the keys in that order.
    static func order(by keys: [UInt64]) -> (order: [UInt32], sorted: [UInt64]) {
        var current = (keys: keys, order: Array(0..<UInt32(keys.count)))
        var next = current
        let counts = histograms(of: keys)
        for byte in 0..<8 {
            let buckets = counts[byte * 256..<byte * 256 + 256]
            // All elements in one bucket: this byte changes nothing.
            guard !buckets.contains(keys.count) else { continue }
            var offsets = starts(of: buckets)
            move(from: current, to: &next, byte: byte, offsets: &offsets)
            swap(&current, &next)
        }
        return (current.order, current.keys)
    }

    private typealias Columns = (keys: [UInt64], order: [UInt32])

    private static func histograms(of keys: [UInt64]) -> [Int] {
        var counts = [Int](repeating: 0, count: 8 * 256)
        for key in keys {
            for byte in 0..<8 { counts[byte << 8 | Int(key >> UInt64(byte << 3) & 0xFF)] += 1 }
        }
        return counts
    }

    private static func starts(of counts: ArraySlice<Int>) -> [Int] {
        var offset = 0
        return counts.map { count in
            defer { offset += count }
            return offset
        }
    }

    private static func move(from source: Columns, to target: inout Columns, byte: Int, offsets: inout [Int]) {
        for index in source.keys.indices {
            let key = source.keys[index]
            let bucket = Int(key >> UInt64(byte << 3) & 0xFF)
            let place = offsets[bucket]
            offsets[bucket] = place + 1
            target.keys[place] = key
            target.order[place] = source.order[index]
        }
    }
}
