internal import PromisedClient
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedProtocol

// Acts of the person with the client library, and their outcomes at the end.
extension World {
    /// Performs a planned act, if its objects exist.
    func actByApp(_ deed: AppDeed) {
        guard let (person, app) = story.app.flatMap({ person in app.map { (person, $0.app) } }) else { return }
        switch deed {
        case .walk(let promise, let from, let to, let speed, let stay):
            let walk = Walk(to: promise, from: from, to: to, at: speed, stay: stay, now: now)
            guard let number = self.app?.withPhone({ $0.beginWalk() }) else { return }
            locateApp(on: walk, number)
        case .upload(let file, let bytes, let isPicture):
            // The light clients have no file of this number.
            let upload = SimulatedUpload(
                number: 900 + file,
                size: bytes,
                isPicture: isPicture,
                lies: false,
                of: person
            )
            self.app?.withPhone { $0.uploads.append(upload) }
            Task { await app.upload(upload) }
        case .record(let batches):
            self.app?.withPhone { $0.isRecording = true }
            Task { await app.beginRecording() }
            queue.add(.appPoints(left: batches), at: now + SimulatedRecording.interval)
        }
    }

    /// Measures a position on the app's phone; repeated in five seconds.
    func locateApp(on walk: Walk, _ number: Int) {
        guard let app, app.phone.walkNumber == number, promises[walk.promise] != nil else { return }
        if let fix = self.app?.withPhone({ [now] in $0.locate(on: walk, at: now) }) {
            Task { await app.app.report(fix) }
        }
        guard now - walk.startedAt < walk.duration else { return }
        queue.add(.appFix(walk, number: number), at: now + Walk.interval)
    }

    /// Makes the next points of the app's recording, which ends with the last.
    func recordByApp(_ left: Int) {
        guard let app = app?.app, let points = self.app?.withPhone({ $0.record() }) else { return }
        Task {
            await app.record(points)
            if left <= 1 { await app.finishRecording() }
        }
        self.app?.withPhone { $0.isRecording = left > 1 }
        if left > 1 { queue.add(.appPoints(left: left - 1), at: now + SimulatedRecording.interval) }
    }

    // MARK: - The end

    /// - Throws: a position, a file or a recording without an outcome.
    func requireDone(_ device: AppDevice) throws(Violation) {
        let notes = device.app.notes
        guard notes.waitingFixes == 0 else {
            throw Violation(.evidence, "the app does not know of \(notes.waitingFixes) positions")
        }
        // With three open uploads of its user, the app waits until one expires.
        if checker.committed.owned.uploads.values.count(where: { $0.userID == device.app.userID }) < 3 {
            for upload in device.phone.uploads { try notes.requireEnded(upload.number) }
        }
        guard !notes.points.isEmpty, !notes.isRecordingOver else { return }
        guard let course = notes.courseID else { throw Violation(.settled, "the recording of the app does not end") }
        let recording = checker.committed.owned.recordings.first { $0.value.courseID?.description == course }?.key
        let taken = recording.map { checker.errands.acknowledged[$0] ?? [] } ?? []
        guard recording == nil || notes.points.subtracting(notes.rejectedPoints) == Set(taken.map(\.seq)) else {
            throw Violation(.recordings, "\(taken.count) of \(notes.points.count) points of the app are kept")
        }
    }

    /// The file of an upload of the app, if it exists.
    func uploadOfApp(_ id: FileID) -> SimulatedUpload? {
        guard let app else { return nil }
        let uploads = app.app.notes.uploads
        return app.phone.uploads.first { upload in
            guard case .success(let file) = uploads[upload.number] else { return false }
            return file == id.description
        }
    }
}
