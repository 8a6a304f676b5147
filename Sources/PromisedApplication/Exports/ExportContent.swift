internal import Logging
internal import PromisedAccess
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedFormats
internal import PromisedJournal
internal import PromisedStore

/// All data of a user, in the order of the archive.
///
/// Reads a page at a time, so an entry shows the data at the times its pages were read; items deleted meanwhile are
/// omitted.
struct ExportContent {
    /// Items per page: a visit or a course may have about ten kilobytes.
    private static let pageSize = 100

    private let userID: UserID
    private let store: ExportSources
    private let files: Files
    private let clock: any WallClock
    private let log: Logger
    /// The names of the courses' files, in order.
    private var courseFiles: [(id: CourseID, name: String)] = []

    /// - Parameter clock: the server's clock.
    init(of userID: UserID, store: ExportSources, files: Files, clock: any WallClock, log: Logger) {
        self.userID = userID
        self.store = store
        self.files = files
        self.clock = clock
        self.log = log
    }

    /// Writes all entries. Throws ``ExportError/outdated``, and the errors of the store and of the draft.
    mutating func write(into draft: inout ExportDraft) async throws {
        try await draft.add("README.txt", Array(ExportGuide.text(madeAt: files.exports.clock.now).utf8))
        try await writeAccount(into: &draft)
        try await writeFriends(into: &draft)
        try await writePromises(into: &draft)
        try await writePositions(into: &draft)
        try await writeVisits(into: &draft)
        try await writeFavourites(into: &draft)
        try await writeCourses(into: &draft)
        try await writeWays(into: &draft)
        try await writeRecordings(into: &draft)
        for kind in [StoredFile.Kind.photo, .picture] { try await writePhotos(kind, into: &draft) }
        try await writeNotifications(into: &draft)
    }

    // MARK: - People

    private func writeAccount(into draft: inout ExportDraft) async throws {
        guard let account = try await store.accounts.account(userID), account.deletedAt == nil,
            account.deletingAt == nil
        else {
            throw ExportError.outdated
        }
        let exported = ExportedAccount(
            account,
            settings: try await store.notifications.notificationSettings(of: userID),
            signIns: try await store.accounts.authSessions(of: userID)
        )
        try await draft.encode(exported, as: "account.json")
    }

    private func writeFriends(into draft: inout ExportDraft) async throws {
        try await draft.list("friends.json") {
            try await store.friendships.friends(of: userID, after: $0, limit: Self.pageSize)
        } items: {
            $0.map { ExportedCard($0.card) }
        }
    }

    private func cards(_ ids: some Sequence<UserID>) async throws -> [UserID: UserCard] {
        try await store.accounts.cards(of: Set(ids))
    }

    // MARK: - Promises

    private func writePromises(into draft: inout ExportDraft) async throws {
        try await draft.list("promises.json") {
            try await store.promises.parts(of: userID, after: $0, limit: Self.pageSize)
        } items: { ids in
            var items: [ExportedPromise] = []
            for id in ids {
                guard let snapshot = try await store.sessions.snapshot(of: id, withFixes: false) else { continue }
                let cards = try await cards(snapshot.participants.map(\.userID))
                if let item = ExportedPromise(snapshot, of: userID, cards: cards, at: clock.now) { items.append(item) }
            }
            return items
        }
    }

    private func writePositions(into draft: inout ExportDraft) async throws {
        var cursor: PromiseCursor?
        repeat {
            let page = try await store.promises.parts(of: userID, after: cursor, limit: Self.pageSize)
            for id in page.items {
                try draft.check()
                let fixes = try await store.fixes.fixes(of: userID, in: id)
                guard !fixes.isEmpty else { continue }
                var list = try draft.beginList("positions/\(id).json")
                let sorted = fixes.sorted { ($0.device.deviceID, $0.fix) < ($1.device.deviceID, $1.fix) }
                for fix in sorted { try await draft.append([ExportedFix(fix)], to: &list) }
                try await draft.end(list)
            }
            cursor = page.next
        } while cursor != nil
    }

    // MARK: - Visits and places

    private func writeVisits(into draft: inout ExportDraft) async throws {
        try await draft.list("visits.json") {
            try await store.visits.visits(of: userID, seenBy: userID, after: $0, limit: Self.pageSize)
        } items: { visits in
            let cards = try await cards(visits.flatMap(\.companions).compactMap(\.userID))
            let files = try await files.files(visits.flatMap(\.notes.photos).map(\.fileID))
            return visits.map { ExportedVisit($0, files: files, cards: cards) }
        }
    }

    private func writeFavourites(into draft: inout ExportDraft) async throws {
        try await draft.list("favourites.json") {
            try await store.places.favourites(of: userID, after: $0, limit: Self.pageSize)
        } items: {
            $0.map(ExportedFavourite.init)
        }
    }

    // MARK: - Courses

    private mutating func writeCourses(into draft: inout ExportDraft) async throws {
        let folders = try await store.courses.folders(of: userID)
        var list = try draft.beginList("folders.json")
        try await draft.append(folders.map(ExportedFolder.init), to: &list)
        try await draft.end(list)
        var names: [(id: CourseID, name: String)] = []
        try await draft.list("courses.json") {
            try await store.courses.courses(CourseFilter(.mine(nil)), seenBy: userID, after: $0, limit: Self.pageSize)
        } items: { courses in
            let cards = try await cards(courses.flatMap(\.sharing.people))
            let files = try await files.files(courses.flatMap(\.notes.photos).map(\.fileID))
            return courses.map { course in
                let name = ExportName.course(names.count + 1, course.notes.title)
                names.append((course.id, name))
                return ExportedCourse(course, file: name, files: files, cards: cards)
            }
        }
        courseFiles = names
    }

    private func writeWays(into draft: inout ExportDraft) async throws {
        for (id, name) in courseFiles {
            try draft.check()
            guard let course = try await store.courses.course(id, seenBy: userID),
                let track = try await store.courses.track(of: id, seenBy: userID)
            else { continue }
            try await draft.add(name, pieces: CourseFiles.gpx(of: course, track))
        }
    }

    private func writeRecordings(into draft: inout ExportDraft) async throws {
        var list = try draft.beginList("recordings.json")
        for recording in try await store.recordings.openRecordings(of: userID) {
            guard let recorded = try await store.recordings.recordedTrack(of: recording.id, of: userID) else {
                continue
            }
            let item = ExportedRecording(recorded.recording)
            var points = try await draft.begin(item, "track", in: &list)
            for point in recorded.track.points { try await draft.append([ExportedPoint(point)], to: &points) }
            try await draft.endItem(points)
        }
        try await draft.end(list)
    }

    // MARK: - Files and notifications

    private func writePhotos(_ kind: StoredFile.Kind, into draft: inout ExportDraft) async throws {
        var cursor: FileCursor?
        repeat {
            let page = try await store.files.files(of: userID, kind, after: cursor, limit: Self.pageSize)
            for file in page.items {
                do {
                    let bytes = try await files.content(of: file.id, kind, of: userID)
                    try await draft.add(ExportName.photo(file), bytes)
                } catch let refusal as Refusal where refusal == .fileNotFound || refusal == .fileUnreadable {
                    // Deleted since the page was read, or lost: the export continues with the other data.
                }
            }
            cursor = page.next
        } while cursor != nil
    }

    private func writeNotifications(into draft: inout ExportDraft) async throws {
        try await draft.list("notifications.json") {
            try await store.notifications.notifications(of: userID, after: $0, limit: Self.pageSize)
        } items: { entries in
            let cards = try await cards(entries.compactMap(\.notification.userID))
            return entries.map { ExportedNotification($0, cards: cards) }
        }
    }
}

extension Companion {
    /// The user; nil for a companion given by name.
    fileprivate var userID: UserID? { if case .user(let id) = self { id } else { nil } }
}
