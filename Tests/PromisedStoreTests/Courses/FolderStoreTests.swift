import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct FolderStoreTests {
    @Test func `lists folders by their last change, with the sums of their courses`() async throws {
        try await withStore(users: 1...2) { store async throws in
            for number in 1...3 as ClosedRange<UInt64> {
                _ = try await store.createFolder(number, at: .meeting + .minutes(Int64(number))).get()
            }
            _ = try await store.createFolder(9, of: .user(2)).get()
            let first = try await store.createCourse(1, in: 1, at: .meeting + .hours(1))
            let second = try await store.createCourse(2, in: 1, at: .meeting + .hours(2))
            let listed = try await store.courses.folders(of: .user(1))
            #expect(listed.map(\.folder.id) == [1, 3, 2].map(FolderID.folder))
            #expect(listed.map(\.courses) == [2, 0, 0])
            let metres = first.way.statistics.distanceMetres + second.way.statistics.distanceMetres
            #expect(listed[0].distanceMetres == metres && metres > 1_900)
            #expect(listed[0].folder.changedAt == .meeting + .hours(2))
            _ = try await store.courses.deleteCourse(.course(1), of: .user(1), at: .meeting + .hours(3))
            #expect(try await store.courses.folders(of: .user(1)).first?.folder.changedAt == .meeting + .hours(3))
        }
    }

    @Test func `a key creates a folder once`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let made = try await store.createFolder(1, key: "k").get()
            #expect(try await store.createFolder(2, title: "Other", key: "k").get() == made)
            #expect(try await store.createFolder(3, key: "k", hash: 2) == .failure(.requestKeyReused))
            _ = try await store.courses.deleteFolder(.folder(1), of: .user(1), withCourses: false, at: .meeting).get()
            #expect(try await store.createFolder(4, key: "k").get().folder.id == .folder(4))
            await #expect(throws: StoreError.broken("A folder of a user without an account")) {
                _ = try await store.createFolder(5, of: .user(9))
            }
        }
    }

    @Test(.proves("17.10")) func `titles are unique for each user, and untitled folders are numbered`() async throws {
        try await withStore(users: 1...2) { store async throws in
            _ = try await store.createFolder(1, title: "Rides").get()
            #expect(try await store.createFolder(2, title: "RIDES") == .failure(.folderTitleTaken))
            _ = try await store.createFolder(3, of: .user(2), title: "Rides").get()
            for (number, title) in [(4, "임시폴더"), (5, "임시폴더(2)")] as [(UInt64, String)] {
                let made = try await store.courses.createFolder(
                    title: nil,
                    emoji: "🚲",
                    language: .korean,
                    id: .folder(number),
                    of: .user(1),
                    key: "\(number)",
                    contentHash: [],
                    at: .meeting
                )
                #expect(try made.get().folder.title == title)
            }
        }
    }

    @Test func `edits a folder of the user only under its version`() async throws {
        try await withStore(users: 1...2) { store async throws in
            _ = try await store.createFolder(1, title: "Rides").get()
            _ = try await store.createFolder(2, title: "Walks").get()
            func edit(
                _ version: Int,
                _ title: String?,
                by user: UInt64 = 1
            ) async throws -> Result<FolderOverview, Refusal> {
                try await store.courses.updateFolder(
                    .folder(1),
                    of: .user(user),
                    version: version,
                    title: title,
                    emoji: "🚲",
                    at: .meeting + .hours(1)
                )
            }
            let edited = try await edit(1, "rides").get().folder
            #expect(edited.title == "rides" && edited.emoji == "🚲" && edited.version == 2)
            #expect(try await store.courses.folders(of: .user(1)).first?.folder == edited)
            #expect(try await edit(1, "Runs") == .failure(.courseStaleVersion))
            #expect(try await edit(2, "WALKS") == .failure(.folderTitleTaken))
            #expect(try await edit(2, "Runs", by: 2) == .failure(.folderNotFound))
            #expect(try await edit(2, nil).get().folder == edited)
        }
    }

    @Test func `deletes a folder only with its courses`() async throws {
        try await withStore(users: 1...2) { store async throws in
            _ = try await store.createFolder(1).get()
            try await store.add([.sample(1), .sample(2)])
            try await store.createCourse(1, in: 1, photos: [1])
            try await store.createCourse(2, in: 1, photos: [2])
            let promise = Promise.sample().carrying(.course(2))
            try await store.open(promise)
            func delete(_ withCourses: Bool, by user: UInt64 = 1) async throws -> Result<Erasure, Refusal> {
                try await store.courses.deleteFolder(
                    .folder(1),
                    of: .user(user),
                    withCourses: withCourses,
                    at: .meeting
                )
            }
            #expect(try await delete(false) == .failure(.folderNotEmpty))
            #expect(try await delete(true, by: 2) == .failure(.folderNotFound))
            let erased = try await delete(true).get()
            #expect(Set(erased.files) == [.file(1), .file(2)] && erased.isComplete)
            #expect(erased.promises == [promise.id: .course(2)])
            #expect(try await delete(true) == .failure(.folderNotFound))
            #expect(try await store.sessions.snapshot(of: promise.id, withFixes: false)?.promise == .sample())
            for table in ["course", "course_track", "course_photo", "file", "folder"] {
                #expect(try await store.count(table) == 0, "\(table)")
            }
        }
    }

    @Test(.proves("2.21"))
    func `deletes a folder of many courses in parts, hidden from the first on`() async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.createFolder(1).get()
            for number in 1...8 as ClosedRange<UInt64> { try await store.createCourse(number, in: 1) }
            // So long that the first fills the first part, and four fill a part.
            try await store.write { db in try db.run("UPDATE course SET points = 60000") }
            func delete(_ withCourses: Bool = true) async throws -> Result<Erasure, Refusal> {
                try await store.courses.deleteFolder(.folder(1), of: .user(1), withCourses: withCourses, at: .meeting)
            }
            #expect(try await !delete().get().isComplete)
            #expect(try await store.deletions.unfinishedErasures() == [.folder(.folder(1))])
            #expect(try await store.count("course") == 7)
            #expect(try await store.courses.folders(of: .user(1)) == [])
            #expect(try await delete() == .failure(.folderNotFound))
            // The title is free.
            _ = try await store.createFolder(2).get()
            #expect(try await !store.courses.eraseFolder(.folder(1)).isComplete)
            #expect(try await store.count("course") == 3)
            #expect(try await store.courses.eraseFolder(.folder(1)).isComplete)
            #expect(try await store.courses.eraseFolder(.folder(1)) == Erasure())
            #expect(try await store.deletions.unfinishedErasures() == [])
            #expect(try await store.count("folder") == 1)
            #expect(try await store.count("course") == 0)
        }
    }
}

extension Promise {
    /// The promise with a course.
    func carrying(_ course: CourseID?) -> Promise {
        var promise = self
        promise.courseID = course
        return promise
    }
}
