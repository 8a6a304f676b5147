/// The accepted sequence numbers of one device and boot, as sorted ranges.
///
/// Phones count upwards, so this is one range in practice. A missing number never counts as accepted, because its fix
/// would be acknowledged and lost. So there may be as many ranges as stored fixes of a device.
package struct SequenceSet: Hashable, Sendable {
    /// The numbers as ranges: ascending, with at least one missing number between them.
    package private(set) var ranges: [ClosedRange<UInt32>] = []

    /// An empty set.
    package init() {}

    /// A set of stored ``ranges``.
    package init(ranges: [ClosedRange<UInt32>]) { self.ranges = ranges }

    /// The number of ranges.
    package var rangeCount: Int { ranges.count }

    /// `true` if the set contains `number`.
    package func contains(_ number: UInt32) -> Bool {
        let index = insertionIndex(of: number)
        return index > 0 && ranges[index - 1].upperBound >= number
    }

    /// `true` if inserting `number`, which must be missing, would begin a range of its own.
    package func beginsRange(_ number: UInt32) -> Bool {
        let index = insertionIndex(of: number)
        let joinsLeft = index > 0 && ranges[index - 1].upperBound + 1 == number
        let joinsRight = index < ranges.count && number + 1 == ranges[index].lowerBound
        return !joinsLeft && !joinsRight
    }

    /// Inserts `number`. Returns `true` if it was missing.
    @discardableResult
    package mutating func insert(_ number: UInt32) -> Bool {
        let index = insertionIndex(of: number)
        if index > 0, ranges[index - 1].upperBound >= number { return false }
        let joinsLeft = index > 0 && ranges[index - 1].upperBound + 1 == number
        let joinsRight = index < ranges.count && number + 1 == ranges[index].lowerBound
        switch (joinsLeft, joinsRight) {
        case (true, true):
            ranges[index - 1] = ranges[index - 1].lowerBound...ranges[index].upperBound
            ranges.remove(at: index)
        case (true, false): ranges[index - 1] = ranges[index - 1].lowerBound...number
        case (false, true): ranges[index] = number...ranges[index].upperBound
        case (false, false): ranges.insert(number...number, at: index)
        }
        return true
    }

    /// The index of the first range that begins after `number`.
    private func insertionIndex(of number: UInt32) -> Int {
        if let last = ranges.last, last.lowerBound <= number { return ranges.count }
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].lowerBound <= number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
