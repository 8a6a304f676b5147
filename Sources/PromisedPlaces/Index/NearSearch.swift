internal import PromisedDomain

/// A search by text around a point.
///
/// Names that equal the text or begin with it are found by the order of the names as long as there are few. All other
/// matches, and these if they are many, are searched group by group, the nearest group first, until no group farther
/// away can contain a result.
struct NearSearch {
    private let index: PlaceIndex
    private let search: PlaceIndex.Search
    private let near: Coordinate
    private var scan: TextScan
    /// The results so far.
    private var results: NearestRows
    /// `true` if all names that begin with the text are known already.
    private let hasBeginnings: Bool
    /// `true` if no name can equal the text, or all that do are known.
    private let hasEqual: Bool

    /// The most names that are looked up by their order.
    private static let mostBeginnings = 4_096

    /// Starts a search by looking up the names.
    init(
        _ index: PlaceIndex,
        _ search: PlaceIndex.Search,
        _ near: Coordinate,
        _ filter: inout RowFilter,
        limit: Int,
        after last: NearestRows.Found?
    ) {
        self.index = index
        self.search = search
        self.near = near
        scan = TextScan(search.query, in: index)
        results = NearestRows(limit: limit, after: last)
        let whole = search.query.whole
        let most = NearSearch.mostBeginnings
        let beginnings = index.nameOrder.rows(beginningWith: whole, limit: most, index.names)
        let equal = whole.key.map { index.nameOrder.rows(equalTo: $0, limit: most, index.names) } ?? []
        hasBeginnings = beginnings != nil
        hasEqual = hasBeginnings || equal != nil
        for row in beginnings ?? equal ?? [] {
            let isEqual = whole.isExactly(index.names.key(of: row))
            add(row, isEqual ? SearchGrade.equal : SearchGrade.beginning, &filter)
        }
    }

    /// The first rows of the page and, if there is another page, one more.
    mutating func run(_ filter: inout RowFilter) -> NearestRows {
        var groups = NearGroups(scan.groups, index.blocks.groupBoxes, in: search.box, around: near)
        var matches: [(row: Int, grade: Int)] = []
        index.withSearchColumns { columns in
            while let (group, distance) = groups.removeNearest(), let last = lastGrade(from: distance) {
                matches.removeAll(keepingCapacity: true)
                scan.forEachMatch(in: group, lastGrade: last, columns) { matches.append(($0, $1)) }
                for match in matches where !isKnown(match.grade) { add(match.row, match.grade, &filter) }
            }
        }
        return results
    }

    /// `true` if all matches of a grade were looked up by name.
    private func isKnown(_ grade: Int) -> Bool {
        grade == SearchGrade.equal && hasEqual || grade == SearchGrade.beginning && hasBeginnings
    }

    /// The highest grade of which a group at this distance or beyond may contain another result; nil if there is none.
    private func lastGrade(from distance: Double) -> Int? {
        (0...SearchGrade.last).last { !isKnown($0) && !results.isComplete($0, from: distance) }
    }

    private mutating func add(_ row: Int, _ grade: Int, _ filter: inout RowFilter) {
        guard filter.allows(row) else { return }
        let coordinate = index.positions.coordinates[row]
        guard search.box?.contains(coordinate) ?? true else { return }
        let distance = near.distanceMetres(to: coordinate)
        results.insert(
            NearestRows.Found(row: row, grade: grade, distanceMetres: distance, id: index.idColumn.ids[row])
        )
    }
}
