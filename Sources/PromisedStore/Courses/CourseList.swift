internal import GRDB
package import PromisedDomain

/// The courses that a list shows.
package enum CourseSet: Hashable, Sendable {
    /// The caller's own, or those of one of their folders.
    case mine(FolderID?)
    /// Those that friends share with the caller, or those of one friend.
    case shared(UserID?)
    /// Those that the operator recommends.
    case recommended
}

/// A list of courses; all parts narrow it.
package struct CourseFilter: Hashable, Sendable {
    /// The set.
    package var set: CourseSet
    /// Only courses whose box touches this one. Of others' courses only what they show counts.
    package var box: Box?
    /// The nearest to this point first, by the centres of their boxes, without those that hide theirs; nil for the last
    /// changed first.
    package var near: Coordinate?

    /// A list.
    package init(_ set: CourseSet, box: Box? = nil, near: Coordinate? = nil) {
        self.set = set
        self.box = box
        self.near = near
    }
}

/// A page of a list of courses.
struct CourseList: Sendable {
    let filter: CourseFilter
    let viewer: UserID
    let cursor: CourseCursor?
    let limit: Int

    /// Reads the page; it ends early if its memos have ``Store/mostPageBytes``.
    func page(_ db: Database) throws -> Page<Course, CourseCursor> {
        let ids = try filter.near.map { try nearest(to: $0, db) } ?? lastChanged(db)
        var (courses, bytes) = ([Course](), 0)
        for entry in ids.prefix(limit) {
            guard bytes < Store.mostPageBytes else { break }
            guard let course = try CourseRecord.fetch(entry.id, from: db) else {
                throw StoreError.broken("A listed course is missing")
            }
            courses.append(course.seen(by: viewer))
            bytes += course.notes.memo.utf8.count
        }
        return Page(items: courses, next: courses.count < ids.count ? ids[courses.count - 1].cursor : nil)
    }

    private struct Entry {
        var id: CourseID
        var cursor: CourseCursor
    }

    /// The next courses by change, one more than the page has.
    private func lastChanged(_ db: Database) throws -> [Entry] {
        guard case .changed(let at, let id) = cursor ?? .beginning else { return [] }
        var values = arguments
        (values["at"], values["id"], values["limit"]) = (at, id, limit + 1)
        return try db.rows(sql.page, named: values).map { row in
            let id: CourseID = try row.value("id")
            return Entry(id: id, cursor: .changed(at: try row.value("changed_at"), id))
        }
    }

    /// The next courses by distance, one more than the page has. Looks at all of the list.
    private func nearest(to point: Coordinate, _ db: Database) throws -> [Entry] {
        var start: (metres: Double, id: CourseID)?
        if let cursor {
            guard case .near(let metres, let id) = cursor else { return [] }
            start = (metres, id)
        }
        var found: [(metres: Double, id: CourseID)] = []
        for row in try db.rows(sql.boxes, named: arguments) {
            guard let box = try CourseRecord.box(row, prefix: "") else { continue }
            let entry = (metres: box.centre.distanceMetres(to: point), id: try row.value("id") as CourseID)
            if let start, !CourseList.isNearer(start, entry) { continue }
            found.append(entry)
        }
        return found.sorted(by: CourseList.isNearer).prefix(limit + 1).map { entry in
            Entry(id: entry.id, cursor: .near(metres: entry.metres, entry.id))
        }
    }

    private static func isNearer(
        _ left: (metres: Double, id: CourseID),
        _ right: (metres: Double, id: CourseID)
    ) -> Bool {
        left.metres == right.metres ? left.id > right.id : left.metres < right.metres
    }

    private var sql: CourseListQuery {
        switch filter.set {
        case .mine(nil): .mine
        case .mine: .folder
        case .shared(nil): .shared
        case .shared: .sharedByUser
        case .recommended: .recommended
        }
    }

    private var arguments: [String: (any StoredValue)?] {
        var values: [String: (any StoredValue)?] = [
            "south": filter.box?.south, "west": filter.box?.west, "north": filter.box?.north,
            "east": filter.box?.east,
        ]
        switch filter.set {
        case .mine(let folder):
            values["viewer"] = viewer
            if let folder { values["folder"] = folder }
        case .shared(let user):
            values["viewer"] = viewer
            if let user { values["user"] = user }
        case .recommended: break
        }
        return values
    }
}
