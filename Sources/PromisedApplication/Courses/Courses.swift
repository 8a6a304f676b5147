internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedJournal
package import PromisedStore

/// The courses of users: reading, editing, sharing, copying, deleting. ``CourseKeeping`` creates them.
package struct Courses: Sendable {
    private let store: (accounts: AccountStore, courses: CourseStore, friendships: FriendshipStore)
    private let files: Files
    private let work: CourseWork
    private let sessions: SessionRegistry
    private let notifications: NotificationQueue
    private let news: any News
    private let clock: any WallClock
    private let random: RandomSource

    package init(
        store: some HasAccounts & HasCourses & HasFriendships,
        files: Files,
        work: CourseWork,
        sessions: SessionRegistry,
        notifications: NotificationQueue,
        news: any News,
        clock: any WallClock,
        random: RandomSource
    ) {
        self.store = (store.accounts, store.courses, store.friendships)
        self.files = files
        self.work = work
        self.sessions = sessions
        self.notifications = notifications
        self.news = news
        self.clock = clock
        self.random = random
    }

    // MARK: - Questions

    /// A course that the user may see, as they see it. Throws `courseNotFound`.
    package func get(_ id: CourseID, by userID: UserID) async throws -> ShownCourse {
        guard let course = try await store.courses.course(id, seenBy: userID) else { throw Refusal.courseNotFound }
        return try await shown(course, to: userID)
    }

    /// A page of a list of courses as the user sees them; empty for a folder or a user that the caller may not see.
    package func list(
        _ filter: CourseFilter,
        after cursor: CourseCursor?,
        limit: Int,
        by userID: UserID
    ) async throws -> Page<ShownCourse, CourseCursor> {
        let page = try await store.courses.courses(filter, seenBy: userID, after: cursor, limit: limit)
        let items = try await ShownCourse.all(page.items, to: userID, files: files, accounts: store.accounts)
        return Page(items: items, next: page.next)
    }

    /// A part of the way of a course that the user may see. The visible form of a long way is stored when the course is
    /// saved or hides a different distance; if that failed, the first request computes it.
    ///
    /// - Parameter hideMetres: of a course of the user's own, instead the way as others would see it if the course hid
    ///   this distance from its ends; worked out for each part unless it is the course's. Nil for the way as the user
    ///   sees it.
    /// - Throws: `courseNotFound`, `invalid` with the field, `unavailable`.
    package func track(
        of id: CourseID,
        _ part: TrackPart = TrackPart(),
        hiding hideMetres: Int? = nil,
        by userID: UserID
    ) async throws -> TrackPage {
        if let maxPoints = part.maxPoints, !Track.limitRange.contains(maxPoints) {
            throw Refusal.invalid(field: "maxPoints")
        }
        if let hideMetres, !HiddenEnds.metresRange.contains(hideMetres) { throw Refusal.invalid(field: "hideMetres") }
        switch try await store.courses.shownPart(part, of: id, seenBy: userID, hiding: hideMetres) {
        case .page(let page): return page
        case .hidden: throw Refusal.courseNotFound
        case .unknown: break
        }
        guard let track = try await store.courses.track(of: id, seenBy: userID) else { throw Refusal.courseNotFound }
        let (page, way) = try await work.run(inTurnOf: userID) {
            if let hideMetres { return (part.page(of: track.forOthers(hiding: hideMetres).seen), nil as ShownWay?) }
            let seen = track.seen
            return (part.page(of: seen), ShownWay(seen, of: track))
        }
        // Replies even if the disk is full.
        if let way { try? await store.courses.keep(way, of: id) }
        return page
    }

    // MARK: - Changes

    /// Changes one of the user's courses.
    ///
    /// - Throws: `TextProblem`, `invalid` with the field, `courseNotFound`, `courseStaleVersion`, `courseTitleTaken`,
    ///   `folderNotFound`, `fileNotFound`.
    package func update(
        _ id: CourseID,
        version: Int,
        _ content: CourseContent,
        by userID: UserID
    ) async throws -> ShownCourse {
        let content = try content.cleaned()
        var edit = CourseEdit(version: version)
        edit.folderID = content.folderID
        edit.title = content.title
        edit.memo = content.memo
        edit.activity = content.activity
        edit.photos = content.photos
        if let waypoints = content.waypoints {
            guard let course = try await store.courses.course(id, seenBy: userID), course.userID == userID else {
                throw Refusal.courseNotFound
            }
            // Checked before reading the way, which is expensive.
            guard course.version == version else { throw Refusal.courseStaleVersion }
            guard let track = try await store.courses.track(of: id, seenBy: userID), track.isOwn else {
                throw Refusal.courseNotFound
            }
            edit.waypoints = try await work.run(inTurnOf: userID) { track.placing(waypoints) }
        }
        let change = try await store.courses.updateCourse(id, of: userID, edit, at: clock.now).get()
        await files.deletions.remove(change.removedFiles)
        return try await shown(change.course, to: userID)
    }

    /// Deletes one of the user's courses, with its points and photos. Throws `courseNotFound`.
    package func delete(_ id: CourseID, by userID: UserID) async throws {
        guard let erased = try await store.courses.deleteCourse(id, of: userID, at: clock.now) else {
            throw Refusal.courseNotFound
        }
        await sessions.forget(erased.promises)
        await files.deletions.remove(erased.files)
    }

    /// Chooses the people who may see a course. Notifies users who are chosen by name and could not see it before.
    ///
    /// - Parameters:
    ///   - people: the friends chosen by name; only with ``Audience/people``.
    ///   - hideMetres: the length of the way near its ends that others do not see; nil keeps the current value.
    /// - Throws: `courseNotFound`, `invalid` with the field, `userNotFound` for a user who is not a friend.
    package func share(
        _ id: CourseID,
        with audience: Audience,
        people: [UserID],
        hideMetres: Int?,
        by userID: UserID
    ) async throws -> ShownCourse {
        if let hideMetres, !HiddenEnds.metresRange.contains(hideMetres) { throw Refusal.invalid(field: "hideMetres") }
        guard people.count <= CourseLimits.people else { throw Refusal.invalid(field: "userIds") }
        try await requireFriends(people, of: userID)
        // Retried if the course is changed meanwhile.
        for _ in 0..<3 {
            let hiding = try await hiding(hideMetres, id, userID)
            let outcome = try await store.courses.shareCourse(
                id,
                of: userID,
                with: audience,
                people: people,
                hiding: hiding,
                at: clock.now
            )
            if case .failure(.courseStaleVersion) = outcome { continue }
            let share = try outcome.get()
            if hiding != nil { await work.prepare([share.course]) }
            try await tell(share.newPeople, of: id, by: userID)
            return try await shown(share.course, to: userID)
        }
        throw ApplicationError.unavailable(retryAfter: .seconds(1))
    }

    private func hiding(_ metres: Int?, _ id: CourseID, _ userID: UserID) async throws -> CourseHiding? {
        guard let metres else { return nil }
        guard let course = try await store.courses.course(id, seenBy: userID), course.userID == userID else {
            throw Refusal.courseNotFound
        }
        guard course.sharing.hideMetres != metres else { return course.hiding }
        guard let track = try await store.courses.track(of: id, seenBy: userID) else { throw Refusal.courseNotFound }
        return try await work.run(for: userID) { track.hiding(metres, named: course.named, names: $0) }
    }

    /// Notifies people of a course that was just shared with them. All of them see the same of it.
    private func tell(_ people: [UserID], of id: CourseID, by userID: UserID) async throws {
        guard !people.isEmpty else { return }
        notifications.raise(.courseShared(id), for: people, causedBy: userID)
        let viewers = try await store.courses.viewers(of: id, among: people)
        guard let viewer = viewers.first, let seen = try await store.courses.course(id, seenBy: viewer) else { return }
        news.tell(.courseShared(try await shown(seen, to: viewer)), to: .users(viewers))
    }

    /// Copies a course that the user may see, as they see it, into one of their folders. The same key with the same
    /// content returns the current copy.
    ///
    /// - Throws: `courseNotFound`, `courseTooShort`, `courseLimit`, `folderNotFound`, `folderLimit`, `requestKeyReused`.
    package func copy(
        _ id: CourseID,
        to folderID: FolderID?,
        key: String,
        contentHash: [UInt8],
        by userID: UserID
    ) async throws -> ShownCourse {
        let key = try TextRule.creationKey.clean(key)
        let earlier = try await store.courses.earlierCourses(
            of: userID,
            key: key,
            contentHash: contentHash,
            at: clock.now
        )
        if let made = try earlier.get().first { return try await shown(made, to: userID) }
        var generator = random
        for _ in 0..<3 {
            let now = clock.now
            guard let original = try await store.courses.course(id, seenBy: userID),
                let track = try await store.courses.track(of: id, seenBy: userID)
            else { throw Refusal.courseNotFound }
            let secret = try await work.secret(of: userID)
            let draft = try await work.run(for: userID) { names in
                CourseDraft(copying: original, track, secret: secret, names: names, at: now)
            }
            let outcome = try await store.courses.copyCourse(
                id,
                version: original.version,
                to: NewCourse(draft, id: CourseID(at: now, using: &generator)),
                in: try await work.folder(folderID, of: userID, id: FolderID(at: now, using: &generator)),
                of: userID,
                key: key,
                contentHash: contentHash,
                at: now
            )
            if case .failure(.courseStaleVersion) = outcome { continue }
            let course = try outcome.get()
            await work.prepare([course])
            return try await shown(course, to: userID)
        }
        throw ApplicationError.unavailable(retryAfter: .seconds(1))
    }

    // MARK: - Parts

    private func requireFriends(_ people: [UserID], of userID: UserID) async throws {
        for (index, other) in people.enumerated() where other != userID {
            let friendship = try await store.friendships.friendship(between: userID, and: other, at: clock.now)
            guard friendship.state == .friends else {
                throw ApplicationError.refused(.userNotFound, field: "userIds[\(index)]")
            }
        }
    }

    private func shown(_ course: Course, to viewer: UserID) async throws -> ShownCourse {
        try await ShownCourse.single(course, to: viewer, files: files, accounts: store.accounts)
    }
}

extension ShownCourse {
    /// A course with its cards and files, as shown to the viewer.
    static func single(
        _ course: Course,
        to viewer: UserID,
        files: Files,
        accounts: AccountStore
    ) async throws -> ShownCourse {
        guard let shown = try await all([course], to: viewer, files: files, accounts: accounts).first else {
            throw ApplicationError.broken
        }
        return shown
    }

    /// The courses with their cards and files, in two reads for all.
    static func all(
        _ courses: [Course],
        to viewer: UserID,
        files: Files,
        accounts: AccountStore
    ) async throws -> [ShownCourse] {
        let files = try await files.files(courses.flatMap(\.notes.photos).map(\.fileID))
        let cards = try await accounts.cards(of: courses.flatMap(\.sharing.people) + courses.compactMap(\.userID))
        return courses.map { course in
            ShownCourse(course: course, isOwn: course.userID == viewer, files: files, cards: cards)
        }
    }
}

extension CourseWork {
    /// A folder of a user; nil for the last changed one.
    func folder(_ folderID: FolderID?, of userID: UserID, id: FolderID) async throws -> FolderChoice {
        FolderChoice(folderID, newID: id, language: try await language(of: userID))
    }
}
