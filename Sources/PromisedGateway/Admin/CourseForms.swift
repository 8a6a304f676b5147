internal import Foundation
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedJournal
internal import PromisedProtocol
internal import PromisedWire

/// The administrators' forms for recommended courses, and for the totals of stored user data.
struct CourseForms: Sendable {
    let courses: RecommendedCourses
    let files: Files

    // MARK: - Recommended courses

    /// Answers `listRecommendedCourses` with as many courses as fit into a frame.
    func list(_ request: WireAdminListRecommendedCourses, from caller: AdminCaller) async throws -> AdminAnswer {
        let asked = try PageRequest(request) { CourseCursor($0) }
        let capacity = FrameCapacity(caller.frame)
        let reply = try await capacity.page(of: asked.limit) { limit in
            let page = try await courses.list(after: asked.cursor, limit: limit)
            var reply = WireAdminCourses()
            reply.courses = page.items.map { WireAdminCourse($0) }
            reply.cursor = page.next?.description ?? ""
            return reply
        }
        return .reply(.courses(reply))
    }

    /// Answers `importRecommendedCourse`, with the course if this was the last piece.
    func importPiece(_ request: WireAdminImportRecommendedCourse, from caller: AdminCaller) async throws -> AdminAnswer
    {
        let taken = try await courses.take(
            [UInt8](request.data),
            at: try wholeNumber(request.offset, "offset"),
            of: try RecommendedCourseOrder(request, bytes: wholeNumber(request.bytes, "bytes")),
            key: request.key,
            from: try caller.subscriber.required,
            audit: caller.audit("importRecommendedCourse")
        )
        var reply = WireAdminCourseImport()
        reply.offset = Double(taken.offset)
        if let course = taken.course { reply.course = WireAdminCourse(course) }
        return .reply(.courseImport(reply))
    }

    func remove(_ request: WireAdminRemoveRecommendedCourse, from caller: AdminCaller) async throws -> AdminAnswer {
        let id = try CourseID(wire: request.courseID, field: "courseId")
        try await courses.remove(id, audit: caller.audit("removeRecommendedCourse", of: id.wireText))
        return .done
    }

    /// Drops the import of an administrator's connection that has ended.
    func forget(_ connection: SubscriberID) async { await courses.forget(connection) }

    private func wholeNumber(_ number: Double, _ field: String) throws(RequestError) -> Int64 {
        guard number >= 0, let whole = Int64(exactly: number) else {
            throw RequestError(.requestInvalid, field: field)
        }
        return whole
    }

    // MARK: - Numbers

    func statistics() async throws -> AdminAnswer {
        .reply(.fileStatistics(WireAdminFileStatistics(try await files.statistics())))
    }
}

extension RecommendedCourseOrder {
    /// The course of a form. Its texts are checked by the act.
    fileprivate init(_ request: WireAdminImportRecommendedCourse, bytes: Int64) throws(WireError) {
        self.init(
            title: request.title,
            region: request.region,
            source: request.sourceName,
            licence: request.licence,
            activity: request.hasActivity ? try Activity(request.activity, field: "activity") : .other,
            url: request.url,
            bytes: bytes
        )
    }
}

extension WireAdminFileStatistics {
    fileprivate init(_ statistics: FileStatistics) {
        self.init()
        files = StoredFile.Kind.allCases.map { kind in
            var count = WireAdminFileCount()
            count.kind = WireFileKind.Value(kind)
            count.count = UInt32(clamping: statistics.files[kind]?.files ?? 0)
            count.bytes = Double(statistics.files[kind]?.bytes ?? 0)
            return count
        }
        users = UInt32(clamping: statistics.users)
        uploads = UInt32(clamping: statistics.uploads)
        if let free = statistics.freeBytes { freeBytes = Double(free) }
        recordings = Recording.State.allCases.map { state in
            var count = WireAdminRecordingCount()
            count.state = WireRecordingState.Value(state)
            count.count = UInt32(clamping: statistics.recordings[state] ?? 0)
            return count
        }
        courses = Course.Source.allCases.map { source in
            var count = WireAdminCourseCount()
            count.source = WireCourseSource.Value(source)
            count.count = UInt32(clamping: statistics.courses.courses[source] ?? 0)
            return count
        }
        points = Double(statistics.courses.points)
        exports = UInt32(clamping: statistics.exports)
    }
}

extension WireAdminListRecommendedCourses: PagedRequest {}
