import Foundation
import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(2))) struct CourseErasureTests {
    private static let start = Coordinate(latitude: 37.556_123_456_789, longitude: 126.972_345_678_912)

    /// The bytes of courses and recordings that must not be found after the deletion: of SQLite's numbers, of packed
    /// points, and texts.
    private static var traces: [[UInt8]] {
        let words = [start.latitude, start.longitude].map(\.bitPattern)
        let numbers = words.map { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
        let packed = words.map { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
        let texts = ["A memo that nobody finds", "A caption that", "A bench that", "A title that"]
        return numbers + packed + texts.map { Array($0.utf8) }
    }

    enum End: CaseIterable { case deleted, withFolder, beginning, tombstone }

    @Test(.defends("remains-in-files"), arguments: End.allCases)
    func `leaves no deleted course in the files`(end: End) async throws {
        try await withStore(users: 1...2) { store, directory async throws in
            try await fill(store)
            for trace in Self.traces { #expect(try directory.contains(trace)) }
            switch end {
            case .deleted:
                for number in 1...6 as ClosedRange<UInt64> {
                    let erased = try await store.courses.deleteCourse(.course(number), of: .user(1), at: .meeting)
                    #expect(erased?.files == (number < 6 ? [.file(number)] : []))
                }
                _ = try await store.recordings.discardRecording(.recording(2), of: .user(1), at: .meeting).get()
            case .withFolder:
                let folder = try #require(try await store.courses.folders(of: .user(1)).first?.folder.id)
                let erased = try await store.courses.deleteFolder(folder, of: .user(1), withCourses: true, at: .meeting)
                    .get()
                #expect(Set(erased.files) == Set((1...5 as ClosedRange<UInt64>).map(FileID.file)))
                _ = try await store.recordings.discardRecording(.recording(2), of: .user(1), at: .meeting).get()
            case .beginning:
                var part = try #require(
                    try await store.deletions.beginDeletion(of: .user(1), at: .meeting, subjectKey: { _ in [] })
                ).erasure
                var files = Set(part.files)
                while !part.isComplete {
                    part = try await store.deletions.eraseBelongings(of: .user(1))
                    files.formUnion(part.files)
                }
                #expect(files == Set((1...5 as ClosedRange<UInt64>).map(FileID.file)))
            case .tombstone:
                try await store.deletions.makeTombstone(of: .user(1), at: .meeting, subjectKey: { _ in [] })
            }
            #expect(try await store.upkeep.truncateLog())
            for trace in Self.traces { #expect(try !directory.contains(trace), "\(trace)") }
            #expect(try directory.contains(Array("Their own memo".utf8)))
            for (table, rows) in [("course", 1), ("course_photo", 0), ("recording", 0), ("recording_chunk", 0)] {
                #expect(try await store.count(table) == rows, "\(table)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `deletes with a course its user's imported tracks and exports, and no other file`(
        withFolder: Bool
    ) async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.add([
                .sample(1, kind: .track), .sample(2, kind: .track), .sample(3, kind: .export), .sample(4),
                .sample(5, of: .user(2), kind: .export),
            ])
            _ = try await store.files.requestExport(of: .user(1), at: .meeting)
            #expect(try await store.finishExport(as: .sample(6, kind: .export), at: .meeting))
            let made = try await store.courses.createCourses(
                [NewCourse(.sample(), id: .course(1))],
                in: FolderChoice(newID: .folder(1), language: .english),
                of: .user(1),
                importing: .file(1),
                key: "1",
                contentHash: [1],
                at: .meeting
            )
            _ = try made.get()
            let erased: Erasure? =
                if withFolder {
                    try await store.courses.deleteFolder(.folder(1), of: .user(1), withCourses: true, at: .meeting)
                        .get()
                } else {
                    try await store.courses.deleteCourse(.course(1), of: .user(1), at: .meeting)
                }
            #expect(Set(erased?.files ?? []) == [.file(1), .file(3), .file(6)])
            let left = try await store.files.files(limit: 9).map(\.file.id)
            #expect(left == [2, 4, 5].map(FileID.file))
            // A folder without courses removes only itself.
            try await store.createFolder(2)
            #expect(
                try await store.courses.deleteFolder(.folder(2), of: .user(1), withCourses: true, at: .meeting).get()
                    .files
                    == []
            )
        }
    }

    @Test(.defends("remains-in-files")) func `a finished recording has no positions`() async throws {
        try await withStore(users: 1...1) { store, directory async throws in
            _ = try await store.start(1).get()
            _ = try await store.append(.far(Self.start), to: 1).get()
            _ = try await store.finish(1, as: 1).get()
            let devices = try await store.read { db in
                try db.row("SELECT devices FROM recording").map { try $0.value("devices") as Data } ?? Data()
            }
            #expect(devices.count < 20)
        }
    }

    @Test func `removes a deleted friend from audiences`() async throws {
        try await withStore(users: 1...3) { store async throws in
            for friend in 2...3 as ClosedRange<UInt64> { try await store.befriend(1, friend) }
            try await store.createCourse(1)
            try await store.share(1, with: .people, [2, 3])
            try await store.deletions.makeTombstone(of: .user(2), at: .meeting, subjectKey: { _ in [] })
            #expect(try await store.courses.course(.course(1), seenBy: .user(1))?.sharing.people == [.user(3)])
            await #expect(throws: StoreError.broken("A course of a user without an account")) {
                _ = try await store.keep(.sample(), 9, of: .user(2))
            }
        }
    }

    /// Six courses of user 1, five of them with a photo and one recorded, an open recording, and a course of user 2.
    private func fill(_ store: Store) async throws {
        for number in 1...5 as ClosedRange<UInt64> {
            try await store.add([.sample(number)])
            var draft = CourseDraft.sample(
                .sample(from: Self.start),
                title: "A title that nobody finds",
                waypoints: [.note("A bench that nobody finds", metres: 0)]
            )
            draft.notes.memo = "A memo that nobody finds" + String(repeating: "가", count: number > 3 ? 1_900 : 9)
            draft.notes.photos = [Photo(fileID: .file(number), caption: "A caption that nobody finds")]
            _ = try await store.keep(draft, number).get()
        }
        for number in 1...2 as ClosedRange<UInt64> {
            _ = try await store.start(number, title: "A title that nobody finds").get()
            _ = try await store.append(.far(Self.start), to: number).get()
        }
        _ = try await store.finish(1, as: 6).get()
        var theirs = CourseDraft.sample()
        theirs.notes.memo = "Their own memo"
        _ = try await store.keep(theirs, 30, of: .user(2)).get()
    }
}

extension RecordedBatch {
    /// Sixty points that begin at a place.
    fileprivate static func far(_ start: Coordinate) -> RecordedBatch {
        var batch = sample(1...60)
        for index in batch.points.indices {
            batch.points[index].fix.coordinate = start.north(Double(index) * 10)
        }
        return batch
    }
}
