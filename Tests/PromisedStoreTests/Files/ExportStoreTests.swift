import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct ExportStoreTests {
    static let now = Instant.meeting
    static let file = StoredFile.sample(1, kind: .export, bytes: 1_000_000)

    @Test(.proves("17.11"))
    func `an export is pending, then ready, and the next can start a day after the request`() async throws {
        try await withStore(users: 1...2) { store async throws in
            #expect(try await store.files.requestExport(of: .user(1), at: Self.now) == .begun(obsolete: []))
            #expect(
                try await store.files.requestExport(of: .user(1), at: Self.now + .days(3)) == .working(since: Self.now)
            )
            #expect(try await store.finishExport(as: Self.file, at: Self.now + .minutes(15)))
            for user in [1, 2] as [UInt64] {
                let pending = PendingExport(of: .user(user), since: Self.now)
                let file = StoredFile.sample(2, of: .user(user), kind: .export)
                #expect(try await !store.files.finish(pending, as: file, at: Self.now))
                #expect(try await !store.files.isAtWork(pending))
            }
            let day = Self.now + .hours(24)
            #expect(try await store.files.requestExport(of: .user(1), at: day - .milliseconds(1)) == .ready(Self.file))
            #expect(try await store.files.requestExport(of: .user(1), at: day) == .begun(obsolete: [Self.file.id]))
            #expect(try await store.files.file(Self.file.id) == nil)
            #expect(try await store.files.requestExport(of: .user(1), at: day) == .working(since: day))
        }
    }

    @Test func `does not repeat an export with a missing file within a day`() async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.files.requestExport(of: .user(1), at: Self.now)
            #expect(try await store.finishExport(as: Self.file, at: Self.now))
            #expect(try await store.files.deleteUnusedFiles(before: Self.now + .seconds(1)) == [Self.file.id])
            let day = Self.now + .hours(24)
            let early = try await store.files.requestExport(of: .user(1), at: day - .milliseconds(1))
            #expect(early == .tooEarly(until: day))
            #expect(try await store.files.requestExport(of: .user(1), at: day) == .begun(obsolete: []))
        }
    }

    @Test func `a failed export can be repeated at once, and pending ones are found after a start`() async throws {
        try await withStore(users: 1...3) { store async throws in
            for number in [2, 1, 3] as [UInt64] {
                _ = try await store.files.requestExport(of: .user(number), at: Self.now - .minutes(Int64(number)))
            }
            let atWork = (1...3 as ClosedRange<UInt64>).reversed().map {
                PendingExport(of: .user($0), since: Self.now - .minutes(Int64($0)))
            }
            #expect(try await store.files.exportsAtWork() == atWork)
            try await store.files.dropExport(of: .user(3))
            #expect(try await store.finishExport(as: Self.file, at: Self.now))
            try await store.files.dropExport(of: .user(1))
            #expect(try await store.files.exportsAtWork() == [atWork[1]])
            #expect(try await store.files.requestExport(of: .user(3), at: Self.now) == .begun(obsolete: []))
            #expect(try await store.files.requestExport(of: .user(1), at: Self.now) == .ready(Self.file))
        }
    }

    @Test func `a new file replaces the user's oldest generated ones, but not the data export`()
        async throws
    {
        try await withStore(users: 1...2) { store async throws in
            _ = try await store.files.requestExport(of: .user(1), at: Self.now)
            #expect(try await store.finishExport(as: Self.file, at: Self.now))
            func add(_ number: UInt64, of user: UserID = .user(1), bytes: Int64 = 40) async throws -> [FileID] {
                let file = StoredFile.sample(number, of: user, kind: .export, bytes: bytes)
                return try await store.files.addExport(file, within: 100, at: Self.now + .seconds(Double(number)))
            }
            #expect(try await add(2) == [])
            #expect(try await add(3) == [])
            #expect(try await add(4, of: .user(2)) == [])
            #expect(try await add(5, bytes: 20) == [])
            #expect(try await add(6) == [.file(2)])
            // Stores a file that is too large alone.
            #expect(try await add(7, bytes: 101) == [.file(6), .file(5), .file(3)])
            #expect(try await add(8, bytes: 0) == [.file(7)])
            let kept = try await store.files.files(limit: 9).map(\.file.id)
            #expect(kept == [Self.file.id, .file(4), .file(8)])
        }
    }

    @Test func `stores at most 100 generated files for a user`() async throws {
        try await withStore(users: 1...1) { store async throws in
            for number in 1...102 as ClosedRange<UInt64> {
                let gone = try await store.files.addExport(.sample(number, kind: .export), at: Self.now)
                #expect(gone == (number > 100 ? [.file(number - 100)] : []))
            }
        }
    }

    enum Deletion: CaseIterable { case visit, course, folder, recording }

    @Test(arguments: Deletion.allCases)
    func `a pending export restarts behind the others when its content may have been deleted`(
        deletion: Deletion
    ) async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.createVisit(1)
            try await store.createCourse(1)
            _ = try await store.start(1).get()
            let before = [1, 2].map { PendingExport(of: .user($0), since: Self.now + .seconds(Double($0))) }
            for export in before { _ = try await store.files.requestExport(of: export.userID, at: export.since) }
            switch deletion {
            case .visit: #expect(try await store.visits.deleteVisit(.visit(1), of: .user(1)) == [])
            case .course: _ = try #require(try await store.courses.deleteCourse(.course(1), of: .user(1), at: Self.now))
            case .folder:
                let folder = try #require(try await store.courses.folders(of: .user(1)).first?.folder.id)
                _ = try await store.courses.deleteFolder(folder, of: .user(1), withCourses: true, at: .meeting).get()
            case .recording:
                _ = try await store.recordings.discardRecording(.recording(1), of: .user(1), at: Self.now).get()
            }
            let again = PendingExport(of: .user(1), since: Self.now + .seconds(2) + .milliseconds(1))
            #expect(try await store.files.exportsAtWork() == [before[1], again])
            #expect(try await !store.files.isAtWork(before[0]))
            #expect(try await !store.files.finish(before[0], as: Self.file, at: Self.now + .minutes(1)))
            #expect(try await store.files.requestExport(of: .user(1), at: Self.now) == .working(since: again.since))
            #expect(try await store.files.isAtWork(again))
            #expect(try await store.files.finish(again, as: Self.file, at: Self.now + .minutes(1)))
        }
    }

    @Test func `a deleted account has no pending or ready export`() async throws {
        try await withStore(users: 1...2) { store async throws in
            for number in 1...2 as ClosedRange<UInt64> {
                _ = try await store.files.requestExport(of: .user(number), at: Self.now)
            }
            #expect(try await store.finishExport(as: Self.file, at: Self.now))
            let first = try await store.deletions.beginDeletion(of: .user(1), at: Self.now, subjectKey: { _ in [] })
            #expect(first?.erasure == Erasure(files: [Self.file.id]))
            _ = try await store.deletions.beginDeletion(of: .user(2), at: Self.now, subjectKey: { _ in [] })
            let pending = PendingExport(of: .user(2), since: Self.now)
            #expect(try await !store.files.isAtWork(pending))
            let late = StoredFile.sample(2, of: .user(2), kind: .export)
            #expect(try await !store.files.finish(pending, as: late, at: Self.now))
            #expect(try await store.files.exportsAtWork() == [])
            await #expect(throws: StoreError.broken("An export of a user without an account")) {
                _ = try await store.files.requestExport(of: .user(1), at: Self.now)
            }
            await #expect(throws: StoreError.broken("An export of a user without an account")) {
                try await store.files.addExport(.sample(3, kind: .export), at: Self.now)
            }
        }
    }
}
