package import PromisedDomain
package import PromisedJournal

/// A recording after a batch of points.
package struct RecordingAppend: Hashable, Sendable {
    /// The recording as it is now.
    package let recording: Recording
    /// The outcome for each point.
    package let receipt: RecordingReceipt
}

/// Recordings of courses.
package struct RecordingStore: StorePart {
    let driver: any StoreDriver

    /// Starts a recording, once per key, in one transaction. Primary keys, index `recording_open`.
    ///
    /// - Parameters:
    ///   - title: the title of the future course, at most 60 characters, possibly empty.
    ///   - key: the client's name for this request.
    ///   - contentHash: a hash of the request's content, to distinguish a repetition from a reuse.
    /// - Returns: the recording, also if the same request created it less than 24 h ago; or `requestKeyReused`,
    ///   `invalid` with the field `title`, `recordingLimit` if ``Recording/openLimit`` are already open. A key whose
    ///   recording has been deleted counts as unused.
    /// - Throws: ``StoreError/broken(_:)`` if the user is unknown or deleted.
    package func startRecording(
        _ activity: Activity,
        title: String = "",
        id: RecordingID,
        of user: UserID,
        key: String,
        contentHash: [UInt8],
        at now: Instant
    ) async throws(StoreError) -> Result<Recording, Refusal> {
        let use = KeyUse(.recording, owner: user, key: key, contentHash: contentHash, at: now)
        return try await writeUnlessRefused { db in
            guard try AccountRecord.isAlive(user, in: db) else {
                throw StoreError.broken("A recording of a user without an account")
            }
            let earlier: EarlierUse<RecordingSubject>? = try use.earlier(in: db)
            if case .other = earlier { throw Refusal.requestKeyReused }
            if case .same(let id) = earlier, let known = try RecordingRecord.fetch(id, of: user, from: db) {
                return known
            }
            guard title.count <= CourseLimits.title.upperBound else { throw Refusal.invalid(field: "title") }
            guard try db.number(RecordingQuery.openCount, named: ["user": user]) < Recording.openLimit else {
                throw Refusal.recordingLimit
            }
            let recording = Recording(id: id, activity: activity, title: title, startedAt: now)
            try RecordingRecord.save(RecordingMachine(recording), of: user, in: db)
            try use.remember(id, in: db)
            return recording
        }
    }

    /// A recording of a user, open or not; nil if they have no recording with this id. Primary key.
    package func recording(_ id: RecordingID, of user: UserID) async throws(StoreError) -> Recording? {
        try await read { db in try RecordingRecord.fetch(id, of: user, from: db) }
    }

    /// A user's open recordings, at most ``Recording/openLimit``, newest first. Index `recording_open`.
    package func openRecordings(of user: UserID) async throws(StoreError) -> [Recording] {
        try await read { db in try db.rows(RecordingQuery.open, [user]).map(RecordingRecord.recording) }
    }

    /// Adds points to a user's recording by ``RecordingMachine``, each once, in one transaction. Primary key.
    ///
    /// The clock readings in the batch are the only information about the device's clock.
    ///
    /// - Returns: the outcome for the points; or `recordingNotFound`, `recordingClosed`, `invalid` with the field,
    ///   `recordingLimit` beyond ``Recording/mostPoints``.
    package func appendRecording(
        _ id: RecordingID,
        of user: UserID,
        _ batch: RecordedBatch,
        at now: Instant
    ) async throws(StoreError) -> Result<RecordingAppend, Refusal> {
        try await writeUnlessRefused { db in
            guard let recording = try RecordingRecord.fetch(id, of: user, from: db) else {
                throw Refusal.recordingNotFound
            }
            guard recording.points + batch.points.count <= Recording.mostPoints else { throw Refusal.recordingLimit }
            var machine = RecordingMachine(recording)
            let reply = try machine.carryOut(.append(batch), of: user, at: now, in: db)
            guard case .recorded(let receipt) = reply else { throw StoreError.broken("Points without a receipt") }
            return RecordingAppend(recording: machine.recording, receipt: receipt)
        }
    }

    /// Deletes a user's open recording with its points, and the archive that may contain it, in one transaction.
    /// Primary key, index `recording_chunk_by_recording`.
    ///
    /// - Returns: the deleted files, whose bytes the caller deletes; or `recordingNotFound`, `recordingClosed` once it
    ///   is a course.
    package func discardRecording(
        _ id: RecordingID,
        of user: UserID,
        at now: Instant
    ) async throws(StoreError) -> Result<[FileID], Refusal> {
        defer { driver.noteErasure() }
        return try await writeAlone { db in
            guard let recording = try RecordingRecord.fetch(id, of: user, from: db) else {
                return .failure(.recordingNotFound)
            }
            var machine = RecordingMachine(recording)
            do {
                _ = try machine.carryOut(.discard, of: user, at: now, in: db)
            } catch let refusal as Refusal {
                // A refusal precedes all writes.
                return .failure(refusal)
            }
            return .success(try FileRecord.deleteArchive(of: user, from: db))
        }
    }

    /// How many recordings there are in each state, from running totals; every state has an entry.
    package func recordingCounts() async throws(StoreError) -> [Recording.State: Int] {
        try await read { db in
            var counts: [Recording.State: Int] = [:]
            for state in Recording.State.allCases { counts[state] = 0 }
            for row in try db.rows(TotalQuery.kinds, ["recording"]) {
                counts[try row.raw("kind")] = try row.value("count")
            }
            return counts
        }
    }
}

extension RecordingMachine {
    /// Applies an event and makes its changes in the store, except for the course, which the caller has already stored.
    ///
    /// - Returns: the reply; nil if the event has none.
    /// - Throws: the refusal of a request.
    mutating func carryOut(
        _ event: RecordingEvent,
        of user: UserID,
        at now: Instant,
        in db: SQLConnection
    ) throws -> RecordingReply? {
        var reply: RecordingReply?
        for effect in receive(event, at: now) {
            switch effect {
            case .keep(let points): try RecordingRecord.keep(points, of: recording.id, in: db)
            case .save: try RecordingRecord.save(self, of: user, in: db)
            case .makeCourse: try RecordingRecord.deletePoints(of: recording.id, from: db)
            case .remove: try RecordingRecord.delete(recording.id, from: db)
            case .reply(.refused(let refusal)): throw Refusal(refusal)
            case .reply(let answer): reply = answer
            case .measure, .tellInterrupted, .wake: break
            }
        }
        return reply
    }
}

package protocol HasRecordings: Sendable {
    var recordings: RecordingStore { get }
}
