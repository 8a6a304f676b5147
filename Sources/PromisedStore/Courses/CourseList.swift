internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces

extension Course {
    /// Approximate size in a frame, in bytes.
    fileprivate var frameBytes: Int {
        let texts = notes.memo.utf8.count + way.shape.outlines.reduce(0) { $0 + $1.utf8.count }
        return texts + 100 * sharing.people.count + 200 * (notes.photos.count + waypoints.count)
    }
}

/// A page of a list of courses.
struct CourseList: Sendable {
    let filter: CourseFilter
    let viewer: UserID
    let cursor: CourseCursor?
    let limit: Int

    /// Reads the page, which ends early once its texts reach ``PageRule/mostBytes``.
    func page(_ db: SQLConnection) throws -> Page<Course, CourseCursor> {
        let ids = try filter.near.map { try nearest(to: $0, db) } ?? lastChanged(db)
        var (courses, bytes) = ([Course](), 0)
        for entry in ids.prefix(limit) {
            guard bytes < PageRule.mostBytes else { break }
            guard let course = try CourseRecord.fetch(entry.id, from: db) else {
                throw StoreError.broken("A listed course is missing")
            }
            courses.append(course.seen(by: viewer))
            bytes += course.frameBytes
        }
        return Page(items: courses, next: courses.count < ids.count ? ids[courses.count - 1].cursor : nil)
    }

    private struct Entry {
        var id: CourseID
        var cursor: CourseCursor
    }

    /// The next courses by change, one more than the page holds.
    private func lastChanged(_ db: SQLConnection) throws -> [Entry] {
        guard case .changed(let at, let id) = cursor ?? .beginning else { return [] }
        var values = arguments
        (values["at"], values["id"], values["limit"]) = (at, id, limit + 1)
        return try db.rows(sql.page, named: values).map { row in
            let id: CourseID = try row.value("id")
            return Entry(id: id, cursor: .changed(at: try row.value("changed_at"), id))
        }
    }

    /// The next courses by distance, one more than the page holds. Reads the boxes of the whole list.
    private func nearest(to point: Coordinate, _ db: SQLConnection) throws -> [Entry] {
        var start: NearestCourses.Entry?
        if let cursor {
            guard case .near(let metres, let id) = cursor else { return [] }
            start = NearestCourses.Entry(metres: metres, id: id)
        }
        var nearest = NearestCourses(limit: limit + 1, after: start)
        let rows = try db.cursor(sql.boxes, named: arguments)
        while let row = try rows.next() {
            let metres = try CourseListQuery.box(row).centre.distanceMetres(to: point)
            nearest.insert(NearestCourses.Entry(metres: metres, id: try row.value(0)))
        }
        return nearest.entries.map { Entry(id: $0.id, cursor: .near(metres: $0.metres, $0.id)) }
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
