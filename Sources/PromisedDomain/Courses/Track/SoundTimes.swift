/// The times of a segment that can be right together, in the order of its points.
///
/// Receivers write equal times, clocks jump back, and blocks of points are dated by another clock. None of that moves a
/// point: the order of the way is that of its points.
enum SoundTimes {
    /// At most one of a longest choice of times that never fall: all others are nil. Of equal times in a row the first is
    /// kept. All are nil if that choice has less than half of the times: then nobody can say which are right.
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

    /// The indices of a longest choice of values that never fall; ascending.
    private static func longestRise(of values: [Instant]) -> [Int] {
        // For each length the index of the smallest value that ends a choice of it.
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

    /// How many choices end with a value that is not greater.
    private static func place(of value: Instant, in ends: [Int], _ values: [Instant]) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if values[ends[middle]] <= value { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
