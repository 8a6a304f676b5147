import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct UploadStoreTests {
    static let now = Instant.meeting

    private static func upload(_ number: UInt64, _ announcement: Upload.Announcement, at now: Instant = now) -> Upload {
        Upload(id: .upload(number), userID: .user(1), announcement: announcement, offset: 0, touchedAt: now)
    }

    @Test func `an upload continues at its offset after each chunk and becomes a file`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let announcement = Upload.Announcement.sample(bytes: 100_000)
            var expected = Self.upload(1, announcement)
            #expect(try await store.begin(1, announcement) == .success(.open(expected)))
            for (index, count) in [45_000, 45_000, 10_000].enumerated() {
                let later = Self.now + .minutes(Int64(index) + 1)
                let offset = expected.offset
                try expected.take(chunkAt: offset, count: count, at: later)
                let taken = try await store.files.takeChunk(
                    of: .upload(1),
                    of: .user(1),
                    at: offset,
                    count: count,
                    now: later
                )
                #expect(taken == .success(expected))
                // The id of a repeated request is not used.
                #expect(try await store.begin(2, announcement, at: later) == .success(.open(expected)))
            }
            #expect(try await store.files.upload(.upload(1), of: .user(1)) == expected)
            #expect(try await store.files.upload(.upload(1), of: .user(2)) == nil)
            #expect(try await store.files.uploadIDs() == [.upload(1)])
            let compared = try await store.files.compareUpload(.upload(1), of: .user(1), sha256: announcement.sha256)
            #expect(compared == .success(expected))
            let file = StoredFile.sample(9, bytes: 99_000)
            #expect(try await store.files.finishUpload(.upload(1), as: file, at: Self.now) == .success(file))
            #expect(try await store.files.uploadIDs() == [])
            let kept = KeptFile(file: file, item: nil, createdAt: Self.now, usedAt: nil)
            #expect(try await store.files.file(file.id) == kept)
            #expect(try await store.files.finishUpload(.upload(1), as: file, at: Self.now) == .failure(.fileNotFound))
        }
    }

    /// The result of beginning again with the key of a finished upload, by its bytes and the time since.
    @Test(arguments: [
        (
            UInt8(7), TimeSpan.hours(24) - .milliseconds(1),
            Result<UploadBeginning, Refusal>.success(.finished(.sample(9)))
        ),
        (7, .hours(24), .success(.open(upload(2, .sample(), at: now + .hours(24))))),
        (8, .hours(24) - .milliseconds(1), .failure(.requestKeyReused)),
        (8, .hours(24), .success(.open(upload(2, .sample(digest: 8), at: now + .hours(24))))),
    ])
    func `a key identifies one file for a day`(
        digest: UInt8,
        later: TimeSpan,
        expected: Result<UploadBeginning, Refusal>
    ) async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.finish(1, .sample(), as: .sample(9))
            #expect(try await store.begin(2, .sample(digest: digest), at: Self.now + later) == expected)
            let others = try await store.begin(3, .sample(digest: digest), of: .user(2), at: Self.now)
            #expect(try others.get() != .finished(.sample(9)))
        }
    }

    @Test func `a key whose file was deleted is free again`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.finish(1, .sample(), as: .sample(9))
            #expect(try await store.files.deleteUnusedFiles(before: Self.now + .seconds(1)) == [.file(9)])
            #expect(try await store.begin(2, .sample()) == .success(.open(Self.upload(2, .sample()))))
        }
    }

    @Test func `rejects a promise's key for an upload`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.open(.sample(), key: "k")
            let begun = try await store.begin(1, .sample("k"), at: Promise.sample().createdAt)
            #expect(begun == .failure(.requestKeyReused))
        }
    }

    @Test func `rejects a fourth open upload until one expires`() async throws {
        try await withStore(users: 1...2) { store async throws in
            for number in 1...3 as ClosedRange<UInt64> {
                let begun = try await store.begin(number, .sample("\(number)"), at: Self.now + .minutes(Int64(number)))
                _ = try begun.get()
            }
            let end = Self.now + .minutes(61)
            #expect(try await store.begin(4, .sample("4"), at: end - .milliseconds(1)) == .failure(.fileLimit))
            _ = try await store.begin(9, .sample("4"), of: .user(2), at: end - .milliseconds(1)).get()
            #expect(try await store.files.forgetUploads(at: end - .milliseconds(1)) == [])
            _ = try await store.begin(4, .sample("4"), at: end).get()
            let late = try await store.files.takeChunk(of: .upload(1), of: .user(1), at: 0, count: 1, now: end)
            #expect(late == .failure(.fileNotFound))
            #expect(try await store.files.forgetUploads(at: end) == [.upload(1)])
            #expect(try await store.files.upload(.upload(1), of: .user(1)) == nil)
            #expect(try await store.files.dropUpload(.upload(2), of: .user(1)))
            #expect(try await !store.files.dropUpload(.upload(3), of: .user(2)))
            #expect(try await store.files.uploadIDs() == [.upload(3), .upload(4), .upload(9)])
        }
    }

    /// One byte below, at, and above the quota, with 300 bytes of files, and 200 announced.
    @Test(
        .proves("15.4"),
        .defends("endless-uploads"),
        arguments: [(499, true), (500, true), (501, false)] as [(Int64, Bool)]
    )
    func `counts files and open uploads for the quota, not exports`(bytes: Int64, fits: Bool) async throws {
        try await withStore(users: 1...2) { store async throws in
            try await store.add([
                .sample(1, bytes: 100), .sample(2, kind: .track, bytes: 200), .sample(3, kind: .export, bytes: 5_000),
                .sample(4, of: .user(2), bytes: 5_000),
            ])
            #expect(try await store.files.usedBytes(of: .user(1)) == 300)
            let space = FileSpace(perUser: 1_000, keepFree: 0)
            _ = try await store.begin(1, .sample("open", bytes: 200), space: space).get()
            let begun = try await store.begin(2, .sample(bytes: bytes), space: space)
            let expected = UploadBeginning.open(Self.upload(2, .sample(bytes: bytes)))
            #expect(begun == (fits ? .success(expected) : .failure(.fileQuota)))
        }
    }

    @Test(.proves("15.4")) func `checks the required free space`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let space = FileSpace(perUser: 1_000, keepFree: 50)
            #expect(try await store.begin(1, .sample(), space: space, free: 49) == .failure(.fileNoSpace))
            _ = try await store.begin(1, .sample(), space: space, free: 50).get()
        }
    }

    @Test func `a different digest restarts an upload`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let announcement = Upload.Announcement.sample(bytes: 10)
            _ = try await store.begin(1, announcement).get()
            await #expect(throws: StoreError.broken("A digest of a part of a file")) {
                _ = try await store.files.compareUpload(.upload(1), of: .user(1), sha256: announcement.sha256)
            }
            await #expect(throws: StoreError.broken("A file of a part of an upload")) {
                _ = try await store.files.finishUpload(.upload(1), as: .sample(1), at: Self.now)
            }
            _ = try await store.files.takeChunk(of: .upload(1), of: .user(1), at: 0, count: 10, now: Self.now).get()
            let compared = try await store.files.compareUpload(.upload(1), of: .user(1), sha256: [1])
            #expect(compared == .failure(.fileMismatch))
            #expect(try await store.files.upload(.upload(1), of: .user(1)) == Self.upload(1, announcement))
            let unknown = try await store.files.compareUpload(.upload(2), of: .user(1), sha256: [1])
            #expect(unknown == .failure(.fileNotFound))
        }
    }

    /// Offset and size of a chunk of an upload of 60,000 bytes with 45,000 there.
    @Test(arguments: [(0, 1), (44_999, 1), (45_001, 1), (45_000, 0), (45_000, 15_001)] as [(Int64, Int)])
    func `a rejected chunk changes nothing`(offset: Int64, count: Int) async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.begin(1, .sample(bytes: 60_000)).get()
            func take(_ offset: Int64, _ count: Int) async throws -> Result<Upload, Refusal> {
                try await store.files.takeChunk(of: .upload(1), of: .user(1), at: offset, count: count, now: Self.now)
            }
            let before = try await take(0, 45_000).get()
            await #expect(throws: Refusal.self) { try await take(offset, count).get() }
            #expect(try await store.files.upload(.upload(1), of: .user(1)) == before)
        }
    }

    @Test func `creates a file and deletes its upload together`() async throws {
        try await withStore(users: 1...1) { store async throws in
            try await store.add([.sample(9)])
            _ = try await store.begin(1, .sample(bytes: 10)).get()
            let upload = try await store.files.takeChunk(of: .upload(1), of: .user(1), at: 0, count: 10, now: Self.now)
                .get()
            // The id exists.
            await #expect(throws: StoreError.self) {
                _ = try await store.files.finishUpload(.upload(1), as: .sample(9, bytes: 10), at: Self.now)
            }
            #expect(try await store.files.upload(.upload(1), of: .user(1)) == upload)
            #expect(try await store.begin(2, .sample(bytes: 10)) == .success(.open(upload)))
        }
    }

    @Test func `rejects uploads without an account`() async throws {
        try await withStore(users: 1...1) { store async throws in
            _ = try await store.deletions.beginDeletion(of: .user(1), at: Self.now, subjectKey: { _ in [] })
            await #expect(throws: StoreError.broken("An upload of a user without an account")) {
                _ = try await store.begin(1, .sample())
            }
        }
    }
}

extension Store {
    fileprivate func begin(
        _ number: UInt64,
        _ announcement: Upload.Announcement,
        of user: UserID = .user(1),
        space: FileSpace = FileSpace(),
        free: Int64? = nil,
        at now: Instant = .meeting
    ) async throws(StoreError) -> Result<UploadBeginning, Refusal> {
        try await files.beginUpload(
            announcement,
            of: user,
            space: space,
            free: free,
            id: .upload(number),
            at: now
        )
    }

    fileprivate func finish(
        _ number: UInt64,
        _ announcement: Upload.Announcement,
        as file: StoredFile
    ) async throws {
        _ = try await begin(number, announcement).get()
        let count = Int(announcement.bytes)
        _ = try await files.takeChunk(of: .upload(number), of: .user(1), at: 0, count: count, now: .meeting).get()
        #expect(try await files.finishUpload(.upload(number), as: file, at: .meeting) == .success(file))
    }
}
