internal import PromisedDomain

/// A filter prepared for one query of an index.
///
/// Categories, region and source are decided once for each class of rows, the opening hours once for each text and
/// zone.
struct RowFilter {
    /// The known state of opening hours.
    private enum Opening: UInt8 {
        case isUnknown = 0
        case isLeftOut = 1
        case passes = 2
    }

    /// `true` for the classes that pass.
    private let classes: [Bool]
    private let classNumbers: [UInt32]
    private let hours: [UInt32]
    private let revisions: [UInt32]
    /// The rows that pass as bits; nil if all do.
    private var favourites: [UInt64]?
    /// The known state by number of hours; empty if the filter has no time.
    private var openings: [Opening]
    private let distinctHours: [PlaceHours]
    private let opening: (PlaceHours) -> OpeningState
    private let newestRevision: UInt32

    /// `true` if every class passes.
    private let allowsAllClasses: Bool
    /// `true` if the classes alone decide.
    private let isByClass: Bool
    /// `true` if every row passes.
    let allowsAll: Bool

    /// A filter for one query.
    ///
    /// - Parameters:
    ///   - opening: the state of hours at the moment the filter names.
    ///   - newestRevision: rows that changed later do not pass.
    init(
        _ filter: PlaceFilter,
        _ index: PlaceIndex,
        newestRevision: Int? = nil,
        opening: @escaping (PlaceHours) -> OpeningState
    ) {
        let traits = index.traits
        let categories = traits.categories.map { filter.allows(categories: [$0]) }
        let regions = traits.regions.map(filter.allows(region:))
        let sources = traits.sources.map(filter.allows(source:))
        classes = traits.list.map { kind in
            (filter.categories.isEmpty || kind.categories.contains { categories[Int($0)] })
                && (kind.region < 0 ? filter.regions.isEmpty : regions[kind.region]) && sources[kind.source]
        }
        allowsAllClasses = !classes.contains(false)
        classNumbers = traits.classes
        hours = traits.hours
        revisions = traits.revisions
        distinctHours = traits.distinctHours
        self.opening = opening
        openings = filter.openAt == nil ? [] : Array(repeating: .isUnknown, count: traits.distinctHours.count)
        favourites = filter.favourites.map { RowFilter.bits(of: $0, index) }
        self.newestRevision = newestRevision.map { UInt32(clamping: $0) } ?? .max
        let isCurrent = newestRevision.map { $0 >= index.version } ?? true
        isByClass = filter.openAt == nil && filter.favourites == nil && isCurrent
        allowsAll = filter.allowsAll && isCurrent
    }

    /// `true` if a row passes.
    @inline(__always)
    mutating func allows(_ row: Int) -> Bool {
        guard classes[Int(classNumbers[row])] else { return false }
        return isByClass || allowsBeyondClass(row)
    }

    private mutating func allowsBeyondClass(_ row: Int) -> Bool {
        guard revisions[row] <= newestRevision else { return false }
        if let favourites, favourites[row >> 6] >> UInt64(row & 63) & 1 == 0 { return false }
        return openings.isEmpty || isOpen(Int(hours[row]))
    }

    private mutating func isOpen(_ number: Int) -> Bool {
        if openings[number] == .isUnknown {
            openings[number] = PlaceFilter.allows(opening(distinctHours[number])) ? .passes : .isLeftOut
        }
        return openings[number] == .passes
    }

    /// The rows of a range within one block that pass, as bits of the block.
    mutating func bits(of rows: Range<Int>) -> UInt64 {
        let block = rows.lowerBound / PlaceBlocks.size
        var bits = RowSet.bits(of: rows, in: block)
        if let favourites { bits &= favourites[block] }
        if bits != 0, !allowsAllClasses { bits &= classBits(of: rows) }
        if bits != 0, !openings.isEmpty { bits &= openBits(of: rows, bits) }
        guard newestRevision != .max else { return bits }
        var current: UInt64 = 0
        bits.forEachBit { place in
            if revisions[block * PlaceBlocks.size + place] <= newestRevision { current |= 1 << UInt64(place) }
        }
        return current
    }

    /// Branch-free: a branch would be hard to predict.
    private func classBits(of rows: Range<Int>) -> UInt64 {
        classNumbers.withUnsafeBufferPointer { numbers in
            classes.withUnsafeBufferPointer { classes in
                var bits: UInt64 = 0
                for row in rows { bits |= (classes[Int(numbers[row])] ? 1 : 0) << UInt64(row & 63) }
                return bits
            }
        }
    }

    /// Branch-free like ``classBits(of:)``, except when hours of wanted rows are evaluated for the first time.
    private mutating func openBits(of rows: Range<Int>, _ wanted: UInt64) -> UInt64 {
        let (passing, known) = hours.withUnsafeBufferPointer { hours in
            openings.withUnsafeBufferPointer { openings in
                var (passing, known) = (UInt64(0), UInt64(0))
                for row in rows {
                    let opening = openings[Int(hours[row])].rawValue
                    passing |= UInt64(opening >> 1) << UInt64(row & 63)
                    known |= (opening == 0 ? 0 : 1) << UInt64(row & 63)
                }
                return (passing, known)
            }
        }
        guard wanted & ~known != 0 else { return passing }
        let start = rows.lowerBound & ~63
        (wanted & ~known).forEachBit { _ = isOpen(Int(hours[start + $0])) }
        return openBits(of: rows, wanted)
    }

    private static func bits(of favourites: Set<PlaceID>, _ index: PlaceIndex) -> [UInt64] {
        var bits = [UInt64](repeating: 0, count: index.count / 64 + 1)
        for row in favourites.compactMap(index.idColumn.row(of:)) { bits[row >> 6] |= 1 << UInt64(row & 63) }
        return bits
    }
}
