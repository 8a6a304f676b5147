internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
internal import PromisedFormats
package import PromisedJournal
package import PromisedStore

/// Administrators' work on the courses that the operator recommends.
///
/// A GPX file is larger than a frame, so it arrives in pieces over one connection:
/// ```
/// piece at 0 ─▶ piece, piece, … ─▶ last piece: the course is created
///                    │
///                    └─▶ another key, or the connection ends: the bytes are dropped
/// ```
package actor RecommendedCourses {
    private let store: CourseStore
    private let work: CourseWork
    private let clock: any WallClock
    private let random: RandomSource
    /// At most one per connection.
    private var imports: [SubscriberID: RecommendedCourseImport] = [:]

    package init(store: some HasCourses, work: CourseWork, clock: any WallClock, random: RandomSource) {
        self.store = store.courses
        self.work = work
        self.clock = clock
        self.random = random
    }

    /// A page of the courses as users see them, last imported first.
    package func list(after cursor: CourseCursor?, limit: Int) async throws -> Page<Course, CourseCursor> {
        try await store.recommendedCourses(after: cursor, limit: limit)
    }

    /// Accepts a piece of a course's file; the last one creates the course. A repeated piece changes nothing.
    ///
    /// - Parameters:
    ///   - piece: 1 to ``Upload/chunkBytes`` bytes.
    ///   - offset: the number of bytes before it, 0 or more.
    ///   - order: the course, the same with each piece.
    ///   - key: the client's key for the import; a different key begins another import.
    ///   - audit: written with the course, including its title.
    /// - Returns: the number of bytes received, and the course once it is created.
    /// - Throws: `TextProblem`, `invalid` with the field, `fileTooLarge`; `courseNotFound` for a piece of an import
    ///   that is not in progress; `fileMismatch` for a piece that leaves a gap, `requestKeyReused` for different
    ///   content; with the last piece `trackMalformed` with the line, `courseTooShort`, or `unavailable`, after which
    ///   it can be repeated.
    package func take(
        _ piece: [UInt8],
        at offset: Int64,
        of order: RecommendedCourseOrder,
        key: String,
        from connection: SubscriberID,
        audit: AuditEntry
    ) async throws -> (offset: Int64, course: Course?) {
        let key = try TextRule.creationKey.clean(key)
        let order = try order.cleaned()
        guard (1...Upload.chunkBytes).contains(piece.count) else { throw Refusal.invalid(field: "data") }
        try begin(order, key: key, at: offset, from: connection)
        // In place: copying the bytes for each piece would take seconds.
        try imports[connection]?.add(piece, at: offset)
        guard let current = imports[connection] else { throw ApplicationError.broken }
        guard current.isComplete, current.course == nil else { return (current.offset, current.course) }
        return (current.offset, try await make(current, for: connection, audit: audit))
    }

    /// Deletes a course; copies of it stay. Throws `courseNotFound`.
    ///
    /// - Parameter audit: written in the same transaction.
    package func remove(_ id: CourseID, audit: AuditEntry) async throws {
        guard try await store.removeRecommendedCourse(id, audit: audit) else {
            throw ApplicationError.refused(.courseNotFound, field: "courseId")
        }
    }

    /// Drops the import of a connection that has ended.
    package func forget(_ connection: SubscriberID) { imports[connection] = nil }

    // MARK: - Parts

    private func begin(
        _ order: RecommendedCourseOrder,
        key: String,
        at offset: Int64,
        from connection: SubscriberID
    ) throws {
        if let known = imports[connection], known.key == key {
            guard known.order == order else { throw Refusal.requestKeyReused }
            return
        }
        guard offset == 0 else {
            let message = "No import with this key is in progress on this connection: begin it with offset 0."
            throw ApplicationError.refused(.courseNotFound, field: "key", message: message)
        }
        imports[connection] = RecommendedCourseImport(key: key, order)
    }

    private func make(
        _ complete: RecommendedCourseImport,
        for connection: SubscriberID,
        audit: AuditEntry
    ) async throws -> Course {
        do {
            let now = clock.now
            var (generator, audit) = (random, audit)
            audit.detail = complete.order.title
            let course = NewCourse(try await draft(of: complete, at: now), id: CourseID(at: now, using: &generator))
            let made = try await store.recommendCourse(course, at: now, audit: audit).get()
            imports[connection]?.finish(as: made)
            await work.prepare([made])
            return made
        } catch {
            if !ApplicationError.isTransient(error) { imports[connection] = nil }
            throw error
        }
    }

    private func draft(of complete: RecommendedCourseImport, at now: Instant) async throws -> CourseDraft {
        let (order, bytes) = (complete.order, complete.bytes)
        let result = try await work.drafts(
            of: bytes,
            order.activity,
            inTurnOf: nil,
            in: order.language,
            field: "data",
            at: now
        )
        if let line = result.brokenOffLine {
            let message = "The file breaks off on line \(line): send the whole file."
            throw ApplicationError.refused(.trackMalformed, field: "data", message: message)
        }
        guard let way = result.drafts.first else { throw Refusal.courseTooShort }
        guard result.drafts.count == 1 else {
            let message = "The file has \(result.drafts.count) ways: send one with a single track or route."
            throw ApplicationError.refused(.trackMalformed, field: "data", message: message)
        }
        return order.draft(with: way)
    }
}
