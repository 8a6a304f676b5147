internal import PromisedApplication
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedPlaces
internal import PromisedProtocol
internal import PromisedWire

/// The requests about courses (docs/courses.md).
struct CourseRequests: Sendable {
    let courses: Courses
    let keeping: CourseKeeping
    let exports: CourseFiles

    // MARK: - Making

    func save(_ request: WireSaveCourse, from caller: Caller) async throws -> Answer<WireContent> {
        var content = CourseContent()
        if request.hasFolderID { content.folderID = try FolderID(wire: request.folderID, field: "folderId") }
        if request.hasTitle { content.title = request.title }
        if request.hasMemo { content.memo = request.memo }
        let course = try await keeping.keepWay(
            of: try PromiseID(wire: request.promiseID, field: "promiseId"),
            content,
            key: request.key,
            contentHash: try request.contentHash(),
            by: caller.userID
        )
        return .reply(.course(WireCourse(course)))
    }

    func importFile(_ request: WireImportCourse, from caller: Caller) async throws -> Answer<WireContent> {
        let made = try await keeping.importFile(
            try FileID(wire: request.fileID, field: "fileId"),
            to: request.hasFolderID ? try FolderID(wire: request.folderID, field: "folderId") : nil,
            request.hasActivity ? try Activity(request.activity, field: "activity") : nil,
            key: request.key,
            contentHash: try request.contentHash(),
            by: caller.userID
        )
        // The omitted ones are available from `listCourses`.
        var capacity = FrameCapacity(caller.frame)
        var reply = WireCourses()
        reply.courses = made.courses.map { WireCourse($0) }.filter { capacity.take($0) }
        reply.dropped = UInt32(clamping: made.dropped)
        if let line = made.brokenOffLine { reply.brokenOffAtLine = UInt32(clamping: line) }
        return .reply(.courses(reply))
    }

    func copy(_ request: WireCopyCourse, from caller: Caller) async throws -> Answer<WireContent> {
        let course = try await courses.copy(
            try CourseID(wire: request.courseID, field: "courseId"),
            to: request.hasFolderID ? try FolderID(wire: request.folderID, field: "folderId") : nil,
            key: request.key,
            contentHash: try request.contentHash(),
            by: caller.userID
        )
        return .reply(.course(WireCourse(course)))
    }

    // MARK: - Reading

    func get(_ request: WireGetCourse, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try CourseID(wire: request.courseID, field: "courseId")
        return .reply(.course(WireCourse(try await courses.get(id, by: caller.userID))))
    }

    /// Answers `getTrack` with at most ``pagePoints``, as many as fit into a frame. The cursor is the number of points
    /// before the page.
    func track(_ request: WireGetTrack, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try CourseID(wire: request.courseID, field: "courseId")
        let start = try PageRequest<Int>.cursor(request.cursor) { text in Int(text).flatMap { $0 > 0 ? $0 : nil } } ?? 0
        let maxPoints = request.hasMaxPoints ? Int(request.maxPoints) : nil
        let part = TrackPart(of: maxPoints, from: start, limit: CourseRequests.pagePoints)
        let page = try await courses.track(
            of: id,
            part,
            hiding: request.hasHideMetres ? Int(request.hideMetres) : nil,
            by: caller.userID
        )
        guard start == 0 || start < page.total else { throw RequestError(.requestInvalid, field: "cursor") }
        var capacity = FrameCapacity(caller.frame)
        var reply = WireTrack()
        for point in page.points.lazy.map(WireTrackPoint.init) {
            guard capacity.take(point) else { break }
            reply.points.append(point)
        }
        let end = start + reply.points.count
        if end < page.total { reply.cursor = "\(end)" }
        return .reply(.track(reply))
    }

    /// The most points on a page: as messages and JSON they take half a megabyte.
    private static let pagePoints = 2_000

    /// Answers `listCourses` with as many courses as fit into a frame.
    func list(_ request: WireListCourses, from caller: Caller) async throws -> Answer<WireContent> {
        let asked = try PageRequest(request) { CourseCursor($0) }
        let filter = try CourseFilter(request)
        let page = try await courses.list(filter, after: asked.cursor, limit: asked.limit, by: caller.userID)
        var capacity = FrameCapacity(caller.frame)
        func cursor(after shown: ShownCourse) -> CourseCursor { filter.cursor(after: shown.course) }
        var (listed, next) = capacity.fill(with: page, cursor: cursor(after:), WireCourse.init)
        if listed.isEmpty, let first = page.items.first {
            // The limits of its fields keep a single course below any frame size.
            (listed, next) = ([WireCourse(first)], page.items.count > 1 ? cursor(after: first) : page.next)
        }
        var reply = WireCourses()
        reply.courses = listed
        reply.cursor = next?.description ?? ""
        return .reply(.courses(reply))
    }

    func export(_ request: WireExportCourse, from caller: Caller) async throws -> Answer<WireContent> {
        let id = try CourseID(wire: request.courseID, field: "courseId")
        let format: CourseFormat? =
            switch request.format {
            case .gpx: .gpx
            case .geojson: .geoJSON
            default: nil
            }
        guard let format else { throw RequestError(.requestInvalid, field: "format") }
        var reply = WireFileReply()
        reply.file = WireStoredFile(try await exports.export(id, as: format, by: caller.userID))
        return .reply(.file(reply))
    }

    // MARK: - Changing

    func update(_ request: WireUpdateCourse, from caller: Caller) async throws -> Answer<WireContent> {
        let course = try await courses.update(
            try CourseID(wire: request.courseID, field: "courseId"),
            version: Int(request.version),
            try CourseContent(request),
            by: caller.userID
        )
        return .reply(.course(WireCourse(course)))
    }

    func delete(_ request: WireDeleteCourse, from caller: Caller) async throws -> Answer<WireContent> {
        try await courses.delete(try CourseID(wire: request.courseID, field: "courseId"), by: caller.userID)
        return .done
    }

    func share(_ request: WireShareCourse, from caller: Caller) async throws -> Answer<WireContent> {
        let course = try await courses.share(
            try CourseID(wire: request.courseID, field: "courseId"),
            with: try Audience(request.audience, field: "audience"),
            people: try UserID.list(wire: request.userIds, field: "userIds"),
            hideMetres: request.hasHideMetres ? Int(request.hideMetres) : nil,
            by: caller.userID
        )
        return .reply(.course(WireCourse(course)))
    }
}

extension WireCourse {
    /// A course as its viewer sees it.
    init(_ shown: ShownCourse) {
        self.init(shown.course, isOwn: shown.isOwn, files: shown.files) { id in
            shown.cards[id] ?? .tombstone(of: id)
        }
    }
}

extension CourseContent {
    fileprivate init(_ request: WireUpdateCourse) throws(WireError) {
        self.init()
        if request.hasFolderID { folderID = try FolderID(wire: request.folderID, field: "folderId") }
        if request.hasTitle { title = request.title }
        if request.hasMemo { memo = request.memo }
        if request.hasActivity { activity = try Activity(request.activity, field: "activity") }
        guard !request.withoutPhotos || request.photos.isEmpty else { throw .invalid(field: "photos") }
        guard !request.withoutWaypoints || request.waypoints.isEmpty else { throw .invalid(field: "waypoints") }
        if request.withoutPhotos || !request.photos.isEmpty { photos = try Photo.list(wire: request.photos) }
        if request.withoutWaypoints || !request.waypoints.isEmpty {
            waypoints = try CourseWaypoint.list(wire: request.waypoints)
        }
    }
}

extension CourseFilter {
    fileprivate init(_ request: WireListCourses) throws {
        let folderID = request.hasFolderID ? try FolderID(wire: request.folderID, field: "folderId") : nil
        let userID = request.hasUserID ? try UserID(wire: request.userID, field: "userId") : nil
        let set: CourseSet
        switch request.list {
        case .mine: set = .mine(folderID)
        case .shared: set = .shared(userID)
        case .recommended: set = .recommended
        default: throw RequestError(.requestInvalid, field: "list")
        }
        self.init(
            set,
            box: request.hasBox ? try WireError.inside("box") { () throws(WireError) in try Box(request.box) } : nil,
            near: request.hasNear
                ? try WireError.inside("near") { () throws(WireError) in try Coordinate(request.near) } : nil
        )
    }
}

extension WireListCourses: PagedRequest {}
