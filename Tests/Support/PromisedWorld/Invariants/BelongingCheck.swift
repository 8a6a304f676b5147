internal import PromisedDomain
internal import PromisedPlaces

/// Stored data of a user, until they delete it.
enum Belonging: Hashable, Sendable {
    case visit(VisitID)
    case course(CourseID)
    case recording(RecordingID)
    case favourite(FavouriteID)
}

extension OwnedRows {
    /// `true` if a visit, a course or a recording of a user was deleted.
    fileprivate func hasLost(since old: OwnedRows, of userID: UserID) -> Bool {
        old.visits.contains { $0.value.userID == userID && visits[$0.key] == nil }
            || old.courses.contains { $0.value.userID == userID && courses[$0.key] == nil }
            || old.recordings.contains { $0.value.userID == userID && recordings[$0.key] == nil }
    }
}

/// Checks users' belongings: none changes or disappears without a request, and the counts agree.
enum BelongingCheck {
    /// - Parameter wanted: everything whose deletion was ever requested.
    /// - Throws: something deleted without a request, or a changed copy of a place in a promise.
    static func compare(_ before: CommittedRows, with after: CommittedRows, wanted: Set<Belonging>) throws(Violation) {
        let (old, new) = (before.owned, after.owned)
        for (id, visit) in old.visits where !after.deleted.contains(visit.userID) {
            guard let now = new.visits[id] else {
                if wanted.contains(.visit(id)) { continue }
                throw Violation(.kept, "a visit is gone")
            }
            if now.version < visit.version { throw Violation(.kept, "a visit is older than it was") }
        }
        for (id, course) in old.courses where new.courses[id] == nil && !wanted.contains(.course(id)) {
            guard after.deleted.contains(course.userID) else { throw Violation(.kept, "a course is gone") }
        }
        for (id, recording) in old.recordings where new.recordings[id] == nil && !wanted.contains(.recording(id)) {
            if let course = recording.courseID, wanted.contains(.course(course)) { continue }
            guard after.deleted.contains(recording.userID) else { throw Violation(.kept, "a recording is gone") }
        }
        for (id, userID) in old.favourites where new.favourites[id] == nil && !wanted.contains(.favourite(id)) {
            guard after.deleted.contains(userID) else { throw Violation(.kept, "a favourite is gone") }
        }
        for (id, file) in old.files where new.files[id] == nil {
            if let visit = file.visitID, wanted.contains(.visit(visit)) { continue }
            // The deletion of an archived item deletes the archive.
            if file.kind == "export", new.hasLost(since: old, of: file.userID) { continue }
            guard after.deleted.contains(file.userID) else { throw Violation(.kept, "a file is gone") }
        }
        for (id, place) in old.places where new.places[id]?.ref != place.ref {
            throw Violation(.kept, "a place of the directory is gone, or is another one")
        }
        try comparePlaces(before, with: after)
    }

    private static func comparePlaces(_ before: CommittedRows, with after: CommittedRows) throws(Violation) {
        for (id, promise) in before.promises where after.promises[id]?.placeName != promise.placeName {
            if after.promises[id]?.placeName == "", !after.hasReaders(id) { continue }
            let news = (after.events[id] ?? []).dropFirst(before.events[id]?.count ?? 0)
            guard news.contains(where: { $0.event == .edited }) else {
                throw Violation(.kept, "the place of a promise changed without an edit")
            }
        }
    }

    /// - Throws: counts that do not agree: of points, of courses, of bytes.
    static func check(_ committed: CommittedRows, quota: Int64, at now: Instant) throws(Violation) {
        let owned = committed.owned
        for recording in owned.recordings.values where recording.courseID == nil {
            guard recording.points == recording.kept else {
                throw Violation(.recordings, "\(recording.kept) points of \(recording.points)")
            }
        }
        var (ways, finished, recorded): (Set<[String]>, [UserID: Int], [UserID: Int]) = ([], [:], [:])
        for recording in owned.recordings.values where recording.courseID != nil {
            finished[recording.userID, default: 0] += 1
        }
        for course in owned.courses.values {
            if course.source == "recording" { recorded[course.userID, default: 0] += 1 }
            guard course.source == "promise", let promise = course.promiseID else { continue }
            guard ways.insert(["\(course.userID)", "\(promise)"]).inserted else {
                throw Violation(.once, "a way of a promise is kept twice")
            }
        }
        guard finished == recorded else {
            throw Violation(.recordings, "courses of recordings: \(recorded), not \(finished)")
        }
        try checkBytes(owned, quota: quota, at: now)
    }

    private static func checkBytes(_ owned: OwnedRows, quota: Int64, at now: Instant) throws(Violation) {
        var bytes: [UserID: Int64] = [:]
        for file in owned.files.values where file.kind != "export" { bytes[file.userID, default: 0] += file.bytes }
        for upload in owned.uploads.values where now < upload.touchedAt + .hours(1) {
            bytes[upload.userID, default: 0] += upload.bytes
        }
        for (userID, count) in bytes where count > quota {
            throw Violation(.quota, "\(count) bytes of \(userID.low & 0xFF)")
        }
    }
}
