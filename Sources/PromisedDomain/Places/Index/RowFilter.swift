/// A filter made ready for one query of an index.
///
/// Categories, region and source are decided once for each class of rows, the opening hours once for each text and zone
/// that the query meets.
struct RowFilter {
    /// What is known of hours.
    private enum Opening: UInt8 {
        case isUnknown, isLeftOut, passes
    }

    /// `true` for the classes that pass.
    private let classes: [Bool]
    private let classNumbers: [UInt32]
    private let hours: [UInt32]
    private let revisions: [UInt32]
    /// The rows that pass as bits; nil if all do.
    private var favourites: [UInt64]?
    /// By number of hours whether they pass; empty if the filter has no time.
    private var openings: [Opening]
    private let distinctHours: [PlaceHours]
    private let opening: (PlaceHours) -> OpeningState
    private let newestRevision: UInt32

    /// `true` if the classes alone decide.
    let isByClass: Bool
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

    /// Appends the rows of a range that pass.
    mutating func append(_ rows: Range<Int>, to selected: inout [UInt32]) {
        let start = selected.count
        appendByClass(rows, to: &selected)
        guard !isByClass else { return }
        if favourites == nil, newestRevision == .max { return keepOpen(from: start, &selected) }
        var count = start
        for place in start..<selected.count where allowsBeyondClass(Int(selected[place])) {
            selected[count] = selected[place]
            count += 1
        }
        selected.removeLast(selected.count - count)
    }

    /// Keeps the rows that are open, from a place in the list on. Like ``appendByClass(_:to:)`` without a branch but the
    /// first time that hours come up.
    private mutating func keepOpen(from start: Int, _ selected: inout [UInt32]) {
        var count = start
        selected.withUnsafeMutableBufferPointer { selected in
            hours.withUnsafeBufferPointer { hours in
                openings.withUnsafeMutableBufferPointer { openings in
                    for place in start..<selected.count {
                        let number = Int(hours[Int(selected[place])])
                        if openings[number] == .isUnknown {
                            let isOpen = PlaceFilter.allows(opening(distinctHours[number]))
                            openings[number] = isOpen ? .passes : .isLeftOut
                        }
                        selected[count] = selected[place]
                        count += openings[number] == .passes ? 1 : 0
                    }
                }
            }
        }
        selected.removeLast(selected.count - count)
    }

    /// Without a branch, which would be hard to foresee: clusters of a million places filtered by time take 9 ms instead of
    /// 14.
    private func appendByClass(_ rows: Range<Int>, to selected: inout [UInt32]) {
        let start = selected.count
        selected += repeatElement(0, count: rows.count)
        var count = start
        selected.withUnsafeMutableBufferPointer { selected in
            classNumbers.withUnsafeBufferPointer { classNumbers in
                classes.withUnsafeBufferPointer { classes in
                    for row in rows {
                        selected[count] = UInt32(truncatingIfNeeded: row)
                        count += classes[Int(classNumbers[row])] ? 1 : 0
                    }
                }
            }
        }
        selected.removeLast(selected.count - count)
    }

    private static func bits(of favourites: Set<PlaceID>, _ index: PlaceIndex) -> [UInt64] {
        var bits = [UInt64](repeating: 0, count: index.count / 64 + 1)
        for row in favourites.compactMap(index.idColumn.row(of:)) { bits[row >> 6] |= 1 << UInt64(row & 63) }
        return bits
    }
}
