package import PromisedDomain

extension PlaceIndex {
    /// A search for places by text.
    package struct Search {
        package var query: PlaceQuery
        /// The point that results are ordered by, with their grade; without one they are ordered by grade, category,
        /// name and id.
        package var near: Coordinate?
        /// The part of the map that results lie in; nil for the whole directory.
        package var box: Box?
        /// The filter that results must pass.
        package var filter: PlaceFilter
        /// The state of hours at the moment the filter names; called once for all places with the same hours.
        package var opening: (PlaceHours) -> OpeningState

        /// A search, by default of the whole directory.
        package init(
            _ query: PlaceQuery,
            near: Coordinate? = nil,
            box: Box? = nil,
            filter: PlaceFilter = PlaceFilter(),
            opening: @escaping (PlaceHours) -> OpeningState = { _ in .unknown }
        ) {
            self.query = query
            self.near = near
            self.box = box
            self.filter = filter
            self.opening = opening
        }
    }

    /// The most results of a search, on all pages together.
    package static let mostResults = 200

    /// A page of the places that contain all terms of a text: the best grade first or, around a point, the least
    /// weighted distance.
    ///
    /// - Parameters:
    ///   - limit: the most places of a page.
    ///   - cursor: the end of the previous page; nil for the first one.
    package func search(_ search: Search, limit: Int, after cursor: PlaceCursor? = nil) -> PlacePage {
        precondition(limit > 0, "A page has at least one place")
        let rest = PlaceIndex.mostResults - (cursor?.shown ?? 0)
        guard rest > 0, count > 0 else { return PlacePage() }
        let size = min(limit, rest)
        var filter = RowFilter(search.filter, self, newestRevision: cursor?.version, opening: search.opening)
        var page: PlacePage
        if let near = search.near {
            var nearSearch = NearSearch(self, search, near, &filter, limit: size + 1, after: lastRow(of: cursor))
            page = self.page(nearSearch.run(&filter), limit: size, after: cursor)
        } else {
            page = searchByName(search, &filter, size, cursor)
        }
        if size == rest { page.cursor = nil }
        return page
    }

    // MARK: - By name

    /// Grade, category and rank of the name in one number, the order of the results.
    private func place(_ grade: Int, _ category: Int, _ rank: UInt32) -> UInt64 {
        UInt64(grade) << 48 | UInt64(category) << 32 | UInt64(rank)
    }

    private func searchByName(
        _ search: Search,
        _ filter: inout RowFilter,
        _ size: Int,
        _ cursor: PlaceCursor?
    ) -> PlacePage {
        var first = FirstRows(limit: size + 1, from: cursor.map(place(behind:)) ?? 0)
        let categories = traits.list.map { Int($0.categories.first ?? UInt8.max) }
        func add(_ row: Int, _ grade: Int) {
            let place = place(grade, categories[Int(traits.classes[row])], nameOrder.rank(of: row))
            guard first.wants(place), filter.allows(row) else { return }
            guard search.box?.contains(positions.coordinates[row]) ?? true else { return }
            first.insert(place, row)
        }
        // Names that begin with the text come first: if they suffice, the search ends here.
        forEachBeginning(with: search.query.whole, add)
        guard first.lastGrade > SearchGrade.beginning else { return page(first, size, cursor) }
        var scan = TextScan(search.query, in: self)
        withSearchColumns { columns in
            for group in scan.groups {
                scan.forEachMatch(in: group, lastGrade: first.lastGrade, columns) { row, grade in
                    if grade > SearchGrade.beginning { add(row, grade) }
                }
            }
        }
        return page(first, size, cursor)
    }

    /// Calls `body` with the rows whose names begin with a text or equal it, and with their grades.
    private func forEachBeginning(with text: TextPattern, _ body: (_ row: Int, _ grade: Int) -> Void) {
        let equal = text.key.map { nameOrder.ranks(equalTo: $0, names) } ?? 0..<0
        for row in nameOrder.rows(beginningWith: text, limit: .max, names) ?? [] {
            body(row, equal.contains(Int(nameOrder.rank(of: row))) ? SearchGrade.equal : SearchGrade.beginning)
        }
    }

    /// The first position in the order after the last place of the previous page.
    private func place(behind cursor: PlaceCursor) -> UInt64 {
        guard case .name(let category, let key) = cursor.order else { return 0 }
        let number = traits.categories.firstIndex { $0.text >= category } ?? traits.categories.count
        guard number < traits.categories.count, traits.categories[number].text == category else {
            // No place has the category any more: continue with the next one. Places without one come last.
            return place(cursor.grade, category.isEmpty ? Int(UInt8.max) : number, 0)
        }
        return place(cursor.grade, number, nameOrder.rank(behind: Array(key.utf16), cursor.id, names, idColumn.ids))
    }

    private func page(_ first: FirstRows, _ size: Int, _ cursor: PlaceCursor?) -> PlacePage {
        var page = PlacePage()
        let rows = first.rows.prefix(size)
        page.entries = rows.map { PlacePage.Entry(row: PlaceRow(number: $0.row), grade: Int($0.place >> 48)) }
        page.sources = sources(of: rows.map(\.row))
        if first.rows.count > size, let end = rows.last {
            let category = traits.list[Int(traits.classes[end.row])].categories.first
            let key = String(decoding: names.key(of: end.row), as: UTF16.self)
            page.cursor = PlaceCursor(
                version: cursor?.version ?? version,
                shown: (cursor?.shown ?? 0) + rows.count,
                grade: Int(end.place >> 48),
                order: .name(category: category.map { traits.categories[Int($0)].text } ?? "", key: key),
                id: idColumn.ids[end.row]
            )
        }
        return page
    }
}

/// The first rows in the order of a number, from a number on.
private struct FirstRows {
    /// The rows so far in their order, at most ``limit``.
    private(set) var rows: [(place: UInt64, row: Int)] = []
    let limit: Int
    private let start: UInt64

    init(limit: Int, from start: UInt64) {
        self.limit = limit
        self.start = start
    }

    /// The last grade whose rows can still be among the first.
    var lastGrade: Int { rows.count < limit ? SearchGrade.last : rows.last.map { Int($0.place >> 48) } ?? 0 }

    /// `true` if a row at this position is one of the first so far.
    func wants(_ place: UInt64) -> Bool {
        guard place >= start else { return false }
        return rows.count < limit || rows.last.map { place < $0.place } ?? false
    }

    /// Adds a row that is wanted.
    mutating func insert(_ place: UInt64, _ row: Int) {
        if rows.count == limit { rows.removeLast() }
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) >> 1
            if rows[middle].place < place { low = middle + 1 } else { high = middle }
        }
        rows.insert((place, row), at: low)
    }
}
