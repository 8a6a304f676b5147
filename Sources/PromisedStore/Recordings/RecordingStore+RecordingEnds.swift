package import PromisedDomain
package import PromisedJournal

/// The points of an open recording, from which the caller computes the course.
package struct RecordedTrack: Hashable, Sendable {
    /// The recording; a changed number of points shows that more have arrived.
    package let recording: Recording
    /// The recorded way; empty once the recording is a course.
    package let track: Track
}

/// The outcome of a request to finish a recording.
package enum RecordingFinish: Hashable, Sendable {
    /// The course that the recording became, now or by an earlier request.
    case course(Course)
    /// More points arrived after the caller computed the course: compute it again. Nothing was written.
    case grown
}

/// An open recording that is due.
package struct DueRecording: Hashable, Sendable {
    package let id: RecordingID
    package let userID: UserID
}

/// The effect of time on a recording.
package enum RecordingWake: Hashable, Sendable {
    /// No effect: a point or request arrived first.
    case none
    /// The recording is now interrupted: notify its user.
    case interrupted(Recording)
    /// The recording ends: the caller computes the course and calls ``RecordingStore/expireRecording(_:of:as:measured:in:at:)``.
    case expired
}

/// The end of a recording without a point for 30 days.
package enum RecordingExpiry: Hashable, Sendable {
    /// The recording became a course.
    case course(Course)
    /// The recording was too short and has been deleted.
    case removed
    /// The recording continues: a point or request arrived first. Nothing was written.
    case open
    /// The user has no room for another course: it is due again one day later.
    case postponed
}

extension RecordingStore {
    /// The way of a user's recording; nil if they have no recording with this id. The caller cleans it outside the
    /// cooperative pool. Primary key, index `recording_chunk_by_recording`.
    package func recordedTrack(of id: RecordingID, of user: UserID) async throws(StoreError) -> RecordedTrack? {
        try await readAtLength { db in
            guard let recording = try RecordingRecord.fetch(id, of: user, from: db) else { return nil }
            return RecordedTrack(
                recording: recording,
                track: Track(recorded: try RecordingRecord.points(of: id, from: db))
            )
        }
    }

    /// Turns a user's recording into a course and deletes its points, in one transaction. A repetition returns the same
    /// course.
    ///
    /// - Parameters:
    ///   - course: the future course, computed from all points of ``recordedTrack(of:of:)``.
    ///   - measured: the number of the recording's points at that time.
    ///   - folder: the folder of the course.
    /// - Returns: the outcome; or `recordingNotFound`, `courseTooShort`, or a refusal of
    ///   ``createCourses(_:in:of:importing:key:contentHash:at:)`` for the course: then the recording stays open.
    package func finishRecording(
        _ id: RecordingID,
        of user: UserID,
        as course: NewCourse,
        measured: Int,
        in folder: FolderChoice,
        at now: Instant
    ) async throws(StoreError) -> Result<RecordingFinish, Refusal> {
        let addition = CourseAddition([course.fromRecording], in: folder, of: user, at: now)
        let statistics = course.draft.way.statistics
        return try await writeUnlessRefused { db in
            guard let recording = try RecordingRecord.fetch(id, of: user, from: db) else {
                throw Refusal.recordingNotFound
            }
            if let made = recording.courseID {
                guard let course = try CourseRecord.fetch(made, of: user, from: db) else {
                    throw StoreError.broken("A recording without its course")
                }
                return .course(course)
            }
            guard recording.points == measured else { return .grown }
            var machine = RecordingMachine(recording)
            let added = try addition.run(in: db)
            _ = try machine.carryOut(.finish(as: course.id, statistics), of: user, at: now, in: db)
            guard let made = added.first else { throw StoreError.broken("A course that was not made") }
            return .course(made)
        }
    }

    // MARK: - By the clock

    /// The open recordings whose state changes at or before an instant, earliest first: interrupted after 6 h without a
    /// point, ended after 30 days. Index `recording_by_wake`.
    package func dueRecordings(at now: Instant, limit: Int = 256) async throws(StoreError) -> [DueRecording] {
        try await read { db in
            try db.rows(RecordingQuery.due, [now, limit]).map { row in
                DueRecording(id: try row.value("id"), userID: try row.value("user_id"))
            }
        }
    }

    /// When the next recording's state changes with time; nil if there is none. Index `recording_by_wake`.
    package func nextRecordingWake() async throws(StoreError) -> Instant? {
        try await read { db in try db.row(RecordingQuery.nextWake).map { try $0.value("wakes_at") } }
    }

    /// Applies the passage of time to a recording by ``RecordingMachine``, in one transaction. Primary key.
    package func wakeRecording(_ due: DueRecording, at now: Instant) async throws(StoreError) -> RecordingWake {
        try await write { db in
            guard let recording = try RecordingRecord.fetch(due.id, of: due.userID, from: db) else { return .none }
            var machine = RecordingMachine(recording)
            let effects = machine.receive(.wake, at: now)
            if effects.contains(.measure) { return .expired }
            guard effects.contains(.tellInterrupted) else { return .none }
            try RecordingRecord.save(machine, of: due.userID, in: db)
            return .interrupted(machine.recording)
        }
    }

    /// Ends a recording that had no point for 30 days: turns it into a course, or deletes it if it is shorter than
    /// ``RecordingMachine/shortestMetres``, in one transaction. Parameters as in
    /// ``finishRecording(_:of:as:measured:in:at:)``.
    package func expireRecording(
        _ id: RecordingID,
        of user: UserID,
        as course: NewCourse,
        measured: Int,
        in folder: FolderChoice,
        at now: Instant
    ) async throws(StoreError) -> RecordingExpiry {
        let addition = CourseAddition([course.fromRecording], in: folder, of: user, at: now)
        let statistics = course.draft.way.statistics
        return try await write { db in
            guard let recording = try RecordingRecord.fetch(id, of: user, from: db), recording.points == measured else {
                return .open
            }
            var preview = RecordingMachine(recording)
            let effects = preview.receive(.expire(as: course.id, statistics), at: now)
            guard !effects.contains(.remove) else {
                try RecordingRecord.delete(id, from: db)
                return .removed
            }
            guard effects.contains(.makeCourse(course.id)) else { return .open }
            let room = try CourseRecord.room(of: user, in: db)
            do throws(Refusal) {
                try CourseLimits.check(adding: [course.draft.way], to: room.courses, points: room.points)
            } catch {
                try db.run("UPDATE recording SET wakes_at = ? WHERE id = ?", [now + .days(1), id])
                return .postponed
            }
            let added = try addition.run(in: db)
            var machine = RecordingMachine(recording)
            _ = try machine.carryOut(.expire(as: course.id, statistics), of: user, at: now, in: db)
            guard let made = added.first else { throw StoreError.broken("A course that was not made") }
            return .course(made)
        }
    }
}

extension NewCourse {
    /// The course with `recording` as its source.
    fileprivate var fromRecording: NewCourse {
        var course = self
        course.draft.source = .recording
        return course
    }
}
