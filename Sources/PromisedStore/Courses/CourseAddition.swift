internal import PromisedDomain
internal import PromisedJournal

/// Courses to be added to a folder, packed before the transaction.
struct CourseAddition: Sendable {
    private let courses: [(new: NewCourse, chunks: [TrackChunk])]
    private let folder: FolderChoice
    private let user: UserID
    private let now: Instant

    init(_ courses: [NewCourse], in folder: FolderChoice, of user: UserID, at now: Instant) {
        self.courses = courses.map { new in
            let raw = new.draft.raw
            return (new, raw.segments.map { TrackChunk(encoding: raw.points[$0]) })
        }
        self.folder = folder
        self.user = user
        self.now = now
    }

    /// Throws ``StoreError/broken(_:)`` if the user is unknown or deleted.
    func checkUser(in db: SQLConnection) throws {
        guard try AccountRecord.isAlive(user, in: db) else {
            throw StoreError.broken("A course of a user without an account")
        }
    }

    /// Adds the courses with their photos. Throws a refusal; see ``CourseRecord`` for the indexes.
    func run(in db: SQLConnection) throws -> [Course] {
        guard (1...CourseLimits.imported).contains(courses.count) else {
            throw StoreError.broken("A request that makes \(courses.count) courses")
        }
        let room = try CourseRecord.room(of: user, in: db)
        for (new, _) in courses { try new.draft.check() }
        try CourseLimits.check(adding: courses.map(\.new.draft.way), to: room.courses, points: room.points)
        let home = Course.Home(userID: user, folderID: try FolderRecord.home(folder, of: user, at: now, in: db))
        let added = try courses.map { new, chunks in try add(new, chunks, in: home, db) }
        try FolderRecord.touch(home.folderID, at: now, in: db)
        return added
    }

    private func add(
        _ new: NewCourse,
        _ chunks: [TrackChunk],
        in home: Course.Home,
        _ db: SQLConnection
    ) throws -> Course {
        let draft = new.draft
        var title = draft.notes.title
        if !draft.isTitleChosen {
            title = try CourseTitle.free(title) { try CourseRecord.isTaken($0, in: home.folderID, of: db) }
        } else if try CourseRecord.isTaken(CourseTitle.key(of: title), in: home.folderID, of: db) {
            throw Refusal.courseTitleTaken
        }
        let course = Course(draft, id: new.id, title: title, in: home, at: now)
        try CourseRecord.insert(course, chunks, into: db)
        _ = try CoursePhotoRecord.replace([], by: draft.notes.photos, of: new.id, user, at: now, in: db)
        return course
    }
}
