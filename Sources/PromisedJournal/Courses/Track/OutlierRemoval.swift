/// Finds the outliers of a sequence: values that no possible step connects to the others, single ones and groups, at
/// the ends and between.
///
/// A *chain* is a series of points connected by possible steps.
/// 1. A point without a step to either neighbour is dropped if a step connects the neighbours.
/// 2. A chain is dropped if a step connects its neighbours and it is no longer than their mean.
/// 3. The first and the last chain are dropped if they are short compared to all others together: at most half as long
///    with fewer than ten positions, else at most a quarter.
/// 4. Between chains that remain, a single point is dropped if that connects them.
/// 5. Adjacent remaining chains belong to the sequence, although the way between them is unknown.
///
/// A chain is as long as its number of values without repeats: a receiver without reception repeats its position with
/// new times. Tests O(n log n) steps.
struct OutlierRemoval {
    /// A series of points, by the indices of its first and its last.
    private struct Chain {
        var first: Int
        var last: Int
        var length: Int

        func joined(to next: Chain) -> Chain { Chain(first: first, last: next.last, length: length + next.length) }
    }

    /// Chains with fewer positions, at an end, are dropped if they are at most half as long as the rest, longer ones at
    /// a quarter.
    private static let fewPositions = 10

    private let isRepeat: (Int, Int) -> Bool
    private let joins: (Int, Int) -> Bool
    /// `true` for each value that remains; at least one if there were any.
    private(set) var keeps: [Bool]
    private var chains: [Chain] = []

    /// Finds the outliers among `count` values.
    ///
    /// - Parameters:
    ///   - isRepeat: `true` if the value at one index repeats the one at another.
    ///   - joins: `true` if a step from the value at one index to that at a later one is possible.
    init(count: Int, isRepeat: @escaping (Int, Int) -> Bool, joins: @escaping (Int, Int) -> Bool) {
        self.isRepeat = isRepeat
        self.joins = joins
        keeps = Array(repeating: true, count: count)
        link()
        guard chains.count > 1 else { return }
        dropBetween()
        dropAtEnds()
        trim()
    }

    /// The remaining indices, split where no step connects them.
    var rows: [[Int]] { chains.map { chain in (chain.first...chain.last).filter { keeps[$0] } } }

    private mutating func link() {
        guard !keeps.isEmpty else { return }
        var chain = Chain(first: 0, last: 0, length: 1)
        var index = 1
        while index < keeps.count {
            let next = index + 1
            if joins(chain.last, index) {
                if !isRepeat(chain.last, index) { chain.length += 1 }
                chain.last = index
            } else if next < keeps.count, joins(chain.last, next), !joins(index, next) {
                keeps[index] = false
            } else {
                chains.append(chain)
                chain = Chain(first: index, last: index, length: 1)
            }
            index = next
        }
        chains.append(chain)
    }

    /// Starts with short chains, so that a long one is never dropped in their favour.
    private mutating func dropBetween() {
        var longest = 1
        while chains.count > 2, longest < keeps.count {
            var kept: [Chain] = []
            for chain in chains {
                kept.append(chain)
                while kept.count > 2 {
                    let (before, middle, after) = (kept[kept.count - 3], kept[kept.count - 2], kept[kept.count - 1])
                    guard middle.length <= longest, 2 * middle.length <= before.length + after.length,
                        joins(before.last, after.first)
                    else { break }
                    drop(middle)
                    kept.removeLast(3)
                    kept.append(before.joined(to: after))
                }
            }
            chains = kept
            longest *= 2
        }
    }

    private mutating func dropAtEnds() {
        var total = chains.reduce(0) { $0 + $1.length }
        var rest = chains[...]
        while rest.count > 1, let first = rest.first, let last = rest.last {
            if OutlierRemoval.isShort(first, against: total - first.length) {
                drop(rest.removeFirst())
                total -= first.length
            } else if OutlierRemoval.isShort(last, against: total - last.length) {
                drop(rest.removeLast())
                total -= last.length
            } else {
                break
            }
        }
        chains = Array(rest)
    }

    private static func isShort(_ chain: Chain, against rest: Int) -> Bool {
        chain.length * (chain.length < fewPositions ? 2 : 4) <= rest
    }

    private mutating func trim() {
        var kept: [Chain] = []
        for var chain in chains {
            guard var before = kept.popLast() else {
                kept.append(chain)
                continue
            }
            if let second = neighbour(of: chain.first, to: chain.last), joins(before.last, second) {
                keeps[chain.first] = false
                chain.first = second
                chain.length -= 1
                kept.append(before.joined(to: chain))
            } else if let last = neighbour(of: before.last, to: before.first), joins(last, chain.first) {
                keeps[before.last] = false
                before.last = last
                before.length -= 1
                kept.append(before.joined(to: chain))
            } else {
                kept += [before, chain]
            }
        }
        chains = kept
    }

    /// The next remaining point on the way to another; nil without one.
    private func neighbour(of index: Int, to end: Int) -> Int? {
        let step = index <= end ? 1 : -1
        return stride(from: index + step, through: end, by: step).first { keeps[$0] }
    }

    private mutating func drop(_ chain: Chain) {
        for index in chain.first...chain.last { keeps[index] = false }
    }
}
