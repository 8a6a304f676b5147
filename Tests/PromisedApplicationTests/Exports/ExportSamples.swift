import PromisedDomain
import PromisedEngine
import PromisedJournal
import PromisedPlaces
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// A café at each point.
struct ExportCafes: CoursePlaces {
    func places(within metres: Double, of coordinate: Coordinate) -> [Place] {
        [Place(name: "Café", coordinate: coordinate)]
    }

    func regionName(at coordinate: Coordinate) -> String? { nil }
}

extension Track {
    /// A way to the north in two segments, far from other users' ways.
    static func exported(of user: UInt64, _ count: Int = 200) -> Track {
        Track(
            (0..<count).map { number in
                TrackPoint(
                    Coordinate.exported(of: user).north(Double(number) * 10),
                    altitudeMetres: Double(number) / 3,
                    time: .meeting - .hours(5) + .milliseconds(Int64(number) * 10_001),
                    segment: number < count / 2 ? 0 : 1
                )
            }
        )
    }
}

extension Coordinate {
    /// The position of a user, far from all others.
    static func exported(of user: UInt64) -> Coordinate {
        Coordinate(latitude: 30 + Double(user) * 3.123_456_7, longitude: 120 + Double(user) * 2.765_432_1)
    }
}

extension VisitID {
    /// The visit that ``ExportWorld/fill(_:friend:photo:)`` gives a user.
    static func visit(of user: UInt64) -> VisitID { VisitID(high: 0x7002, low: 1 << 63 | user) }
}

extension ExportWorld {
    /// Creates one of each exported kind for a user, beside a friend.
    func fill(_ user: UInt64, friend: UInt64, photo: [UInt8] = [0xFF, 0xD8, 0xFF]) async throws {
        try await addMeetup(of: user, with: friend)
        let file = try await addPhoto(photo, of: user)
        let place = Place(name: "Place of \(user)", coordinate: .exported(of: user))
        let visit = VisitDraft(
            moment: VisitSite(place, in: .utc).moment(at: .meeting),
            notes: VisitNotes(memo: "Memo of \(user)\nsecond line", photos: [Photo(fileID: file, caption: "Photo")]),
            companions: [.user(.user(friend)), .named("Bea")]
        )
        _ = try await store.visits.createVisit(
            visit,
            id: .visit(of: user),
            of: .user(user),
            key: "visit",
            contentHash: [1],
            at: Self.now
        ).get()
        let favourite = Favourite(
            id: FavouriteID(high: 0x7003, low: 1 << 63 | user),
            label: "Favourite of \(user)",
            place: place,
            createdAt: Self.now
        )
        #expect(
            try await store.places.addFavourite(favourite, of: .user(user), key: "f", contentHash: [1], now: Self.now)
                == .added
        )
        try await addCourse(1, "To the pier: \"a/b\"", of: user)
        try await addCourse(2, "Café", of: user)
        try await addRecording(of: user)
        try await addNotification(of: user, causedBy: friend)
    }

    private func addMeetup(of user: UInt64, with friend: UInt64) async throws {
        let promise = Promise.sample(number: user, owner: .user(user))
        var own = Participant.accepted(.user(user))
        own.statusText = "Status of \(user)"
        #expect(
            try await store.promises.createPromise(
                promise,
                participants: [own, .accepted(.user(friend))],
                events: [],
                key: "promise",
                contentHash: [1],
                now: promise.createdAt
            ) == .created
        )
        let epoch = try await store.sessions.activate(promise.id)
        _ = try await store.fixes.writeFixes([promise.id: fixes(of: user) + fixes(of: friend)])
        var commit = SessionCommit(promiseID: promise.id)
        commit.mark = .final
        commit.arrivals = [.user(user): .exported(of: user), .user(friend): .exported(of: friend)]
        commit.result = PromiseResult(
            deciding: promise,
            participants: [own, .accepted(.user(friend))],
            arrivals: commit.arrivals
        )
        _ = try await store.sessions.commit(commit, ownerEpoch: epoch)
    }

    private func fixes(of user: UInt64) -> [ArchivedFix] {
        (0..<20).map { index in
            let fix = SettledFix.sample(
                seq: UInt32(index),
                at: .meeting - .seconds(Double(200 - index * 10)),
                metres: Double(index),
                from: .exported(of: user)
            )
            return ArchivedFix(userID: .user(user), device: DeviceKey(deviceID: "phone of \(user)"), fix: fix)
        }
    }

    /// Stores a photo without references and returns its id.
    func addPhoto(_ bytes: [UInt8], of user: UInt64, key: String = "photo") async throws -> FileID {
        var generator = RandomSource.system
        let id = FileID(at: Self.now, using: &generator)
        let uploadID = UploadID(high: id.high, low: id.low)
        let digest = [UInt8](repeating: 7, count: 32)
        let count = Int64(bytes.count)
        _ = try await store.files.beginUpload(
            Upload.Announcement(key: key, kind: .photo, bytes: count, sha256: digest),
            of: .user(user),
            space: FileSpace(),
            free: nil,
            id: uploadID,
            at: Self.now
        ).get()
        for start in stride(from: 0, to: bytes.count, by: Upload.chunkBytes) {
            let chunk = min(Upload.chunkBytes, bytes.count - start)
            _ = try await store.files.takeChunk(
                of: uploadID,
                of: .user(user),
                at: Int64(start),
                count: chunk,
                now: Self.now
            ).get()
        }
        try await storage.keep(bytes, as: id)
        let file = StoredFile(
            id: id,
            userID: .user(user),
            kind: .photo,
            contentType: "image/jpeg",
            bytes: count,
            sha256: digest,
            width: 4,
            height: 3,
            orientation: 1
        )
        return try await store.files.finishUpload(uploadID, as: file, at: Self.now).get().id
    }

    func addCourse(_ number: UInt64, _ title: String, of user: UInt64) async throws {
        let notes = CourseNotes(title: title, memo: "Course of \(user)", activity: .ride)
        let draft = CourseDraft(
            source: .file,
            notes: notes,
            raw: .exported(of: user, Int(number) * 200),
            secret: try await store.courses.endsSecret(of: .user(user)),
            names: ExportCafes(),
            at: Self.now
        )
        _ = try await store.courses.createCourse(
            NewCourse(draft, id: CourseID(high: 0x7004 + user, low: 1 << 63 | number)),
            in: FolderChoice(nil, newID: FolderID(high: 0x7005, low: 1 << 63 | user), language: .english),
            of: .user(user),
            key: "course \(number)",
            contentHash: [1],
            at: Self.now
        ).get()
    }

    private func addRecording(of user: UInt64) async throws {
        let id = RecordingID(high: 0x7006, low: 1 << 63 | user)
        _ = try await store.recordings.startRecording(
            .ride,
            title: "Recording of \(user)",
            id: id,
            of: .user(user),
            key: "recording",
            contentHash: [1],
            at: Self.now
        ).get()
        let points = (1...50 as ClosedRange<UInt32>).map { seq in
            let fix = Fix.sample(
                seq: seq,
                metres: Double(seq) * 10,
                from: .exported(of: user),
                wallMs: Double((Self.now + .seconds(Double(seq) * 10)).milliseconds)
            )
            return RecordedPoint(fix, altitudeMetres: 12)
        }
        let later = Self.now + .minutes(10)
        var batch = RecordedBatch(device: DeviceKey(deviceID: "phone"), points: points)
        batch.sent = ClockReadings(wallMs: Double(later.milliseconds))
        let appended = try await store.recordings.appendRecording(id, of: .user(user), batch, at: later).get()
        #expect(appended.recording.points == 50)
    }

    private func addNotification(of user: UInt64, causedBy friend: UInt64) async throws {
        let topic = NotificationTopic.friendRequested(.user(friend))
        let notification = UserNotification(
            id: NotificationID(of: topic, causedBy: .user(friend), for: .user(user), occasion: 1),
            at: Self.now,
            topic: topic,
            userID: .user(friend)
        )
        var changes = NotificationChanges(of: .user(user))
        changes.save(NotificationEntry(notification))
        try await store.notifications.apply([changes])
    }
}

extension Arrival {
    /// A confirmed arrival with evidence of the phone of a user.
    fileprivate static func exported(of user: UInt64) -> Arrival {
        let inside = ArrivalEvidence.Sample(time: .meeting - .seconds(30), distanceMetres: 12.5)
        let evidence = ArrivalEvidence(
            device: DeviceKey(deviceID: "phone of \(user)"),
            clause: .settled,
            provisionalAt: .meeting - .seconds(30),
            confirmedAt: .meeting,
            firstInside: inside,
            lastOutside: nil,
            fixCount: 4,
            strongCount: 3
        )
        return Arrival(
            stage: .confirmed,
            creditedAt: .meeting - .seconds(Double(user)),
            source: .gps,
            evidence: evidence
        )
    }
}
