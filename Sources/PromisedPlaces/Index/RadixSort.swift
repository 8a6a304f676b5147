/// Sorts by numbers of 64 bits, eleven bits at a time from the lowest on; elements with equal numbers keep their order.
enum RadixSort {
    /// The order of the elements: element `order[0]` has the smallest key. Also returns the keys in that order.
    static func order(by keys: [UInt64]) -> (order: [UInt32], sorted: [UInt64]) {
        var current = (keys: keys, order: Array(0..<UInt32(keys.count)))
        var next = current
        let counts = histograms(of: keys)
        for digit in 0..<digits {
            let buckets = counts[digit * base..<(digit + 1) * base]
            // All elements in one bucket: this digit changes nothing.
            guard !buckets.contains(keys.count) else { continue }
            var offsets = starts(of: buckets)
            move(from: current, to: &next, digit: digit, offsets: &offsets)
            swap(&current, &next)
        }
        return (current.order, current.keys)
    }

    private typealias Columns = (keys: [UInt64], order: [UInt32])

    private static let base = 1 << 11
    private static let digits = 6

    @inline(__always)
    private static func bucket(_ key: UInt64, _ digit: Int) -> Int {
        Int(truncatingIfNeeded: key >> UInt64(digit * 11)) & (base - 1)
    }

    private static func histograms(of keys: [UInt64]) -> [Int] {
        var counts = [Int](repeating: 0, count: digits * base)
        for key in keys {
            for digit in 0..<digits { counts[digit * base + bucket(key, digit)] += 1 }
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

    private static func move(from source: Columns, to target: inout Columns, digit: Int, offsets: inout [Int]) {
        for index in source.keys.indices {
            let key = source.keys[index]
            let bucket = bucket(key, digit)
            let place = offsets[bucket]
            offsets[bucket] = place + 1
            target.keys[place] = key
            target.order[place] = source.order[index]
        }
    }
}
