internal import PromisedDomain

/// The consistent times of a segment, in the order of its points.
///
/// Receivers write equal times, clocks jump back, and blocks of points are dated by another clock. Such errors never
/// move a point: the way keeps the order of its points.
enum SoundTimes {
    /// The times of a longest non-decreasing subsequence; all others are nil, and of consecutive equal times all but
    /// the first. All times are nil if the subsequence has less than half of them, because the correct ones cannot be
    /// identified then.
    ///
    /// O(n log n); O(n) if all times rise.
    static func kept(of times: [Instant?]) -> [Instant?] {
        let known = times.indices.filter { times[$0] != nil }
        let values = known.compactMap { times[$0] }
        guard zip(values, values.dropFirst()).contains(where: { $0 >= $1 }) else { return times }
        let chosen = longestRise(of: values)
        var kept = [Instant?](repeating: nil, count: times.count)
        guard 2 * chosen.count >= values.count else { return kept }
        var last: Instant?
        for index in chosen where values[index] != last {
            kept[known[index]] = values[index]
            last = values[index]
        }
        return kept
    }

    /// The indices of a longest non-decreasing subsequence; ascending.
    private static func longestRise(of values: [Instant]) -> [Int] {
        // For each length, the index of the smallest value that ends a subsequence of that length.
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: values.count)
        for (index, value) in values.enumerated() {
            let length = place(of: value, in: ends, values)
            before[index] = length > 0 ? ends[length - 1] : nil
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var (chosen, next) = ([Int](), ends.last)
        while let index = next {
            chosen.append(index)
            next = before[index]
        }
        return chosen.reversed()
    }

    /// The number of these subsequences that end with a value that is not greater.
    private static func place(of value: Instant, in ends: [Int], _ values: [Instant]) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if values[ends[middle]] <= value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
