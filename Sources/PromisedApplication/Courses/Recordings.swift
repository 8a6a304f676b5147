package import Logging
internal import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedJournal
internal import PromisedPlaces
package import PromisedStore

/// Ways that users record outside promises. Only the user sees their own.
package struct Recordings: Sendable {
    private let store: (accounts: AccountStore, recordings: RecordingStore)
    private let files: Files
    private let work: CourseWork
    private let zones: TimeZones
    private let notifications: NotificationQueue
    private let news: any News
    private let clock: any WallClock
    private let random: RandomSource
    private let log: Logger

    package init(
        store: some HasAccounts & HasRecordings,
        files: Files,
        work: CourseWork,
        zones: TimeZones,
        notifications: NotificationQueue,
        news: any News,
        clock: any WallClock,
        random: RandomSource,
        log: Logger
    ) {
        self.store = (store.accounts, store.recordings)
        self.files = files
        self.work = work
        self.zones = zones
        self.notifications = notifications
        self.news = news
        self.clock = clock
        self.random = random
        self.log = log
    }

    /// Starts a recording. The same key with the same content returns the current recording.
    ///
    /// - Throws: `TextProblem`, `recordingLimit`, `requestKeyReused`.
    package func start(
        _ activity: Activity,
        title: String?,
        key: String,
        contentHash: [UInt8],
        by userID: UserID
    ) async throws -> Recording {
        let now = clock.now
        var generator = random
        return try await store.recordings.startRecording(
            activity,
            title: try title.map { title in try TextRule.title.clean(title) } ?? "",
            id: RecordingID(at: now, using: &generator),
            of: userID,
            key: try TextRule.creationKey.clean(key),
            contentHash: contentHash,
            at: now
        ).get()
    }

    /// Adds points to a recording, each once, in any order.
    ///
    /// - Throws: `recordingNotFound`, `recordingClosed`, `recordingLimit`, `invalid` with the field.
    package func append(
        _ batch: RecordedBatch,
        to id: RecordingID,
        at now: Instant,
        by userID: UserID
    ) async throws -> RecordingReceipt {
        try await store.recordings.appendRecording(id, of: userID, batch, at: now).get().receipt
    }

    /// Ends a recording and saves it as a course. A repetition returns the same course.
    ///
    /// - Throws: `TextProblem`, `recordingNotFound`, also if the course was deleted, `courseTooShort`, `courseTitleTaken`,
    ///   `courseLimit`, `folderNotFound`, `folderLimit`, `fileNotFound`.
    package func finish(_ id: RecordingID, _ content: CourseContent, by userID: UserID) async throws -> ShownCourse {
        let content = try content.cleaned()
        // Retried if points arrive meanwhile.
        for _ in 0..<3 {
            let end = try await end(of: id, content, by: userID)
            let outcome = try await store.recordings.finishRecording(
                id,
                of: userID,
                as: end.course,
                measured: end.measured,
                in: end.folder,
                at: end.now
            )
            guard case .course(let course) = try outcome.get() else { continue }
            await work.prepare([course])
            return try await ShownCourse.single(course, to: userID, files: files, accounts: store.accounts)
        }
        throw ApplicationError.unavailable(retryAfter: .seconds(1))
    }

    /// Deletes an open recording with its points. Throws `recordingNotFound`, `recordingClosed`.
    package func discard(_ id: RecordingID, by userID: UserID) async throws {
        await files.deletions.remove(try await store.recordings.discardRecording(id, of: userID, at: clock.now).get())
    }

    /// The open recordings of a user, newest first.
    package func list(of userID: UserID) async throws -> [Recording] {
        try await store.recordings.openRecordings(of: userID)
    }

    // MARK: - By the clock

    /// Interrupts recordings without a point for 6 h, and ends those without one for 30 days: at most a page, the
    /// others at the next call. Logs failures, and retries at the next call.
    package func wakeDue() async {
        do throws(StoreError) {
            for recording in try await store.recordings.dueRecordings(at: clock.now) { await wake(recording) }
        } catch {
            log.error("Recordings could not be ended", metadata: ["error": "\(error)"])
        }
    }

    /// The interval of ``wakeDue()``: a minute of the server's clock, but at least a second and at most a minute of real
    /// time.
    package static func wakeInterval(atRate rate: Double) -> Duration {
        .milliseconds(Int64(min(max(60_000 / rate, 1_000), 60_000)))
    }

    private func wake(_ due: DueRecording) async {
        do {
            try await interruptOrEnd(due)
        } catch {
            log.error("A recording could not be ended", metadata: ["recording": "\(due.id)", "error": "\(error)"])
        }
    }

    private func interruptOrEnd(_ due: DueRecording) async throws {
        switch try await store.recordings.wakeRecording(due, at: clock.now) {
        case .none: break
        case .interrupted(let recording):
            notifications.raise(.recordingInterrupted(recording.id), for: [due.userID])
            news.tell(.recordingInterrupted(recording), to: .user(due.userID))
        case .expired:
            let end = try await end(of: due.id, CourseContent(), by: due.userID)
            let expiry = try await store.recordings.expireRecording(
                due.id,
                of: due.userID,
                as: end.course,
                measured: end.measured,
                in: end.folder,
                at: end.now
            )
            if case .course(let course) = expiry { await work.prepare([course]) }
        }
    }

    // MARK: - Parts

    private struct End {
        var course: NewCourse
        /// The number of points from which it was computed.
        var measured: Int
        var folder: FolderChoice
        var now: Instant
    }

    private func end(of id: RecordingID, _ content: CourseContent, by userID: UserID) async throws -> End {
        let now = clock.now
        guard let recorded = try await store.recordings.recordedTrack(of: id, of: userID) else {
            throw Refusal.recordingNotFound
        }
        let recording = recorded.recording
        let title = try await title(of: recording, by: userID)
        let secret = try await work.secret(of: userID)
        let draft = try await work.run(for: userID) { names in
            var notes = content.notes(titled: title)
            notes.activity = content.activity ?? recording.activity
            return CourseDraft(
                source: .recording,
                notes: notes,
                isTitleChosen: content.title != nil,
                raw: recorded.track,
                secret: secret,
                names: names,
                at: now
            )
        }
        var generator = random
        return End(
            course: NewCourse(draft, id: CourseID(at: now, using: &generator)),
            measured: recording.points,
            folder: try await work.folder(content.folderID, of: userID, id: FolderID(at: now, using: &generator)),
            now: now
        )
    }

    /// The title of the recording, or the local date of its start.
    private func title(of recording: Recording, by userID: UserID) async throws -> String {
        guard recording.title.isEmpty else { return recording.title }
        let zone = try await store.accounts.account(userID).flatMap { zones.offsets(of: $0.timeZone) } ?? .utc
        let local = zone.localMilliseconds(at: recording.startedAt)
        return String(Instant(milliseconds: local).rfc3339.prefix(10))
    }
}
