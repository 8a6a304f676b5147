internal import PromisedApplication
internal import PromisedDomain
internal import PromisedJournal
internal import PromisedStore

// Checks of users' belongings at the end.
extension World {
    /// - Throws: an acknowledged point that is not stored exactly once, or bytes that differ from the files'.
    func checkBelongings(_ left: SimulatedStore) throws {
        guard story.hasErrands else { return }
        for (id, recording) in checker.committed.owned.recordings.sorted(by: { $0.key < $1.key }) {
            let track = try Waiting.run {
                if let course = recording.courseID {
                    return try await left.store.courses.track(of: course, seenBy: recording.userID)?.raw
                }
                return try await left.store.recordings.recordedTrack(of: id, of: recording.userID)?.track
            }
            let points = checker.errands.acknowledged[id] ?? []
            let kept = track?.points.map(\.coordinate) ?? []
            try BelongingEnd.check(points.map { position(of: $0, in: id) }, among: kept)
        }
        for (id, copy) in checker.errands.copies.foreign.sorted(by: { $0.key < $1.key }) {
            let track = try Waiting.run { try await left.store.courses.track(of: id, seenBy: copy.ownerID)?.raw }
            if let track { try CopyWatch.check(track, of: copy) }
        }
        try checkFiles(left)
    }

    private func position(of point: ErrandWatch.Point, in id: RecordingID) -> Coordinate? {
        if point.deviceID == app?.app.deviceID {
            return SimulatedRecording.position(point.seq, phone: AppPhone.number, recording: AppPhone.recording)
        }
        for (phone, client) in clients.enumerated() where client.phone.key.deviceID == point.deviceID {
            guard let number = client.luggage.recordings.values.first(where: { $0.id == id })?.number else { continue }
            return SimulatedRecording.position(point.seq, phone: phone, recording: number)
        }
        return nil
    }

    /// Checks that two hours later all uploads have expired, and a sweep leaves only the files with a row.
    private func checkFiles(_ left: SimulatedStore) throws {
        queue.advance(to: now + .hours(2))
        process.shelf.mend()
        let clock = VirtualClock(queue)
        try Waiting.run { [process] in
            let files = Files(
                store: left.store,
                storage: SimulatedVault(shelf: process.shelf, clock: clock),
                space: ServerSurroundings.space,
                clock: clock,
                random: RandomSource { 0 },
                on: .calling,
                log: .silent
            )
            try await files.deletions.sweep()
        }
        let shelf = process.shelf.files
        let rows = checker.committed.owned.files
        guard process.shelf.uploads == 0, shelf.mapValues({ Int64($0.count) }) == rows.mapValues(\.bytes) else {
            throw Violation(.quota, "\(shelf.count) files are kept, \(rows.count) have a row")
        }
        for (id, bytes) in shelf { try checkContent(bytes, of: id, rows[id]?.userID) }
    }

    private func checkContent(_ bytes: [UInt8], of id: FileID, _ userID: UserID?) throws(Violation) {
        let uploads = clients.filter { $0.userID == userID }.flatMap(\.luggage.uploads.values)
        guard let upload = uploads.first(where: { $0.file == id }) ?? uploadOfApp(id) else { return }
        if upload.announcement.kind == .track {
            guard bytes == upload.bytes, !upload.lies else { throw Violation(.quota, "a file has other bytes") }
        } else if String(decoding: bytes, as: UTF8.self).contains("zq") {
            throw Violation(.erased, "a picture keeps its metadata")
        }
    }
}

/// Checks of belongings at the end that need no world.
enum BelongingEnd {
    /// Tables in which a deleted user keeps a row under the tombstone: past promises, results, and others' belongings.
    private static let tombstones: Set<String> = [
        "promise", "participant", "result_row", "arrival", "companion", "fix",
    ]

    /// - Parameters:
    ///   - expected: the positions of acknowledged points; nil for an unknown one.
    ///   - kept: the stored positions.
    /// - Throws: a point that is missing or stored twice.
    static func check(_ expected: [Coordinate?], among kept: [Coordinate]) throws(Violation) {
        var counts: [[Int64]: Int] = [:]
        for coordinate in kept { counts[coordinate.rounded, default: 0] += 1 }
        for coordinate in expected {
            guard let coordinate, counts[coordinate.rounded] == 1 else {
                throw Violation(.recordings, "a point is kept \(coordinate.flatMap { counts[$0.rounded] } ?? 0) times")
            }
        }
        guard counts.values.allSatisfy({ $0 == 1 }) else { throw Violation(.recordings, "a point is kept twice") }
    }

    /// - Throws: a row of a deleted user in a table without tombstones.
    static func requireNoRows(of users: [UserID], in store: SimulatedStore) throws {
        let columns = try store.rows(
            """
            SELECT m.name, p.name FROM sqlite_master AS m, pragma_table_info(m.name) AS p
            WHERE m.type = 'table' AND p.name IN ('user_id', 'owner_id', 'first', 'second') ORDER BY 1, 2
            """
        )
        let ids = users.map { "x'" + $0.description.filter { $0 != "-" } + "'" }.joined(separator: ", ")
        for column in columns where !tombstones.contains(column[0]) {
            let found = try store.rows("SELECT count(*) FROM \(column[0]) WHERE \(column[1]) IN (\(ids))")
            guard found == [["0"]] else { throw Violation(.erased, "table \(column[0]) has rows of a deleted account") }
        }
    }
}

extension Coordinate {
    /// Rounded to a millionth of a degree: points are stored a little finer.
    fileprivate var rounded: [Int64] {
        [Int64((latitude * 1e6).rounded()), Int64((longitude * 1e6).rounded())]
    }
}
