/// Finds those of a device's fixes that lie too near another to tell anything new (domain §5): the first that comes is
/// applied, whatever their order in time.
struct FixSpacing {
    private let least: TimeSpan
    private var newest: Instant?
    /// Ascending; of no use before ``isSorted``.
    private var times: [Instant] = []
    private var isSorted = false

    /// - Parameter newest: the time of the device's newest fix, nil before the first.
    init(_ least: TimeSpan, after newest: Instant?) {
        self.least = least
        self.newest = newest
    }

    /// Whether a fix of that time is one too many; if not, it counts from now on.
    ///
    /// - Parameter known: the times of all fixes at hand, in any order; asked for at most once, by a fix that is not the
    ///   newest.
    @inline(__always)
    mutating func isCrowded(_ time: Instant, by known: () -> [Instant]) -> Bool {
        if let newest, time < newest + least { return isCrowdedAmong(time, known) }
        newest = time
        if isSorted { times.append(time) }
        return false
    }

    private mutating func isCrowdedAmong(_ time: Instant, _ known: () -> [Instant]) -> Bool {
        if !isSorted {
            times = known().sorted()
            isSorted = true
        }
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < time { low = middle + 1 } else { high = middle }
        }
        if low < times.count, times[low] - time < least { return true }
        if low > 0, time - times[low - 1] < least { return true }
        times.insert(time, at: low)
        if newest.map({ time > $0 }) ?? true { newest = time }
        return false
    }
}
