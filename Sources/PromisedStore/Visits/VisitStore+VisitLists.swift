package import PromisedDomain
package import PromisedJournal
internal import PromisedPlaces

extension VisitStore {
    /// A page of a user's visits that a filter allows, newest first: all visits for the user, and for others those that
    /// they may see now. Indexes `visit_by_time`, `companion_by_user`.
    ///
    /// A page of a text search ends after 1,000 visits that the rest of the filter allows: it may hold fewer than
    /// `limit` visits, even none, and the next page continues. A page also ends once its memos reach
    /// ``PageRule/mostBytes``.
    ///
    /// - Parameters:
    ///   - viewer: the caller.
    ///   - cursor: the end of the previous page; nil for the first.
    ///   - limit: the size of the page, 1 or more.
    package func visits(
        of user: UserID,
        seenBy viewer: UserID,
        filter: VisitFilter = VisitFilter(),
        after cursor: VisitCursor? = nil,
        limit: Int
    ) async throws(StoreError) -> Page<Visit, VisitCursor> {
        let list = VisitList(userID: user, viewerID: viewer, filter: filter, cursor: cursor, limit: limit)
        return try await list.isPlain ? read(list.page) : readVisits(of: user, list.page)
    }

    /// The statistics of a user's visits, including the dates of badges earned by deleted visits. Index
    /// `visit_by_time`, primary key.
    package func visitStatistics(of user: UserID) async throws(StoreError) -> VisitStatistics {
        try await readVisits(of: user) { db in try VisitQuery.statistics(of: user, from: db) }
    }

    /// The dates of badges that a user's visits have earned but that are not stored. Index `visit_by_time`, primary
    /// key.
    func newVisitMarks(of user: UserID) async throws(StoreError) -> [VisitBadge: Instant] {
        try await readVisits(of: user) { db in try VisitQuery.newMarks(of: user, from: db) }
    }

    /// Reads all visits of a user: as a short read if they are few, else as a long one.
    private func readVisits<Value: Sendable>(
        of user: UserID,
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        let count = try await read { db in try VisitRecord.count(of: user, in: db) }
        return try await count <= VisitStore.fewVisits ? read(body) : readAtLength(body)
    }

    /// The most visits in a short read.
    private static let fewVisits = 500

    /// How many visits a user has to a place of the directory. Index `visit_by_place`.
    package func visitCount(of user: UserID, to place: PlaceID) async throws(StoreError) -> Int {
        try await read { db in try db.number(VisitQuery.toPlace, named: ["place": place, "user": user]) }
    }
}

/// A page of a list of visits.
struct VisitList: Sendable {
    /// The most visits that one page of a text search reads: 35 ms if all memos have the maximum length.
    static let mostSearched = 1_000

    let userID: UserID
    let viewerID: UserID
    let filter: VisitFilter
    let cursor: VisitCursor?
    let limit: Int

    /// `true` if the page reads few rows beyond its own.
    var isPlain: Bool {
        filter.kinds.isEmpty && filter.places.categories.isEmpty && filter.places.regions.isEmpty
            && filter.placeID == nil && filter.text == nil
    }

    func page(_ db: SQLConnection) throws -> Page<Visit, VisitCursor> {
        var values = try arguments
        let isOwn = userID == viewerID
        if !isOwn {
            let relation = try VisitQuery.relation(of: viewerID, to: userID, in: db)
            guard !relation.isBlocked else { return Page(items: [], next: nil) }
            values["isFriend"] = relation.isFriend
            values["viewer"] = viewerID
        }
        let (found, end) = try found(in: db.cursor(isOwn ? VisitQuery.own : VisitQuery.shared, named: values))
        return Page(items: try found.map { try VisitRecord.complete($0, from: db) }, next: end)
    }

    /// The visits of the page without their parts, and its end if more may follow. The query fetches one row more than
    /// the page reads, to detect that.
    private func found(in rows: any SQLCursor) throws -> ([Visit], VisitCursor?) {
        var (found, last): ([Visit], Visit?) = ([], nil)
        var (looked, bytes) = (0, 0)
        while let row = try rows.next() {
            guard looked < mostRows, found.count < limit, bytes < PageRule.mostBytes else {
                return (found, last.map(VisitCursor.init))
            }
            let visit = try VisitRecord.bare(row)
            (last, looked) = (visit, looked + 1)
            guard filter.allows(visit) else { continue }
            bytes += visit.notes.memo.utf8.count
            found.append(visit)
        }
        return (found, nil)
    }

    private var mostRows: Int { filter.text == nil ? limit : max(limit, VisitList.mostSearched) }

    private var arguments: [String: (any StoredValue)?] {
        get throws {
            let start = cursor ?? .beginning
            let latest = filter.to.map(VisitCursor.before) ?? .beginning
            let end = VisitCursor.isEarlier(start, latest) ? latest : start
            return [
                "user": userID, "at": end.at, "id": end.id, "from": filter.from ?? Instant(milliseconds: .min),
                "place": filter.placeID, "kinds": try json(filter.kinds.map(\.rawValue).sorted()),
                "categories": try json(filter.places.categories.map(\.text)),
                "regions": try json(filter.places.regions.map(\.text)), "limit": mostRows + 1,
            ]
        }
    }

    private func json(_ values: [String]) throws -> String? {
        values.isEmpty ? nil : try StoredJSON.encode(values)
    }
}
