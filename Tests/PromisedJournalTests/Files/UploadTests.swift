import PromisedDomain
import PromisedJournal
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct UploadTests {
    private static let now = Instant.meeting
    private static let mebibyte: Int64 = 1_048_576
    private static let digest = [UInt8](repeating: 7, count: 32)

    private static func announcement(
        _ key: String = "a",
        kind: StoredFile.Kind = .photo,
        bytes: Int64 = 100_000,
        sha256: [UInt8] = digest
    ) -> Upload.Announcement {
        Upload.Announcement(key: key, kind: kind, bytes: bytes, sha256: sha256)
    }

    private static func id(_ number: UInt64) -> UploadID {
        UploadID(high: 0x7000, low: 0x8000_0000_0000_0000 | number)
    }

    private static func upload(
        _ number: UInt64 = 1,
        _ announcement: Upload.Announcement = announcement(),
        offset: Int64 = 0,
        touched: Instant = now
    ) -> Upload {
        Upload(id: id(number), userID: .user(1), announcement: announcement, offset: offset, touchedAt: touched)
    }

    private static func begin(
        _ announcement: Upload.Announcement = announcement(),
        among uploads: [Upload] = [],
        space: FileSpace = FileSpace(),
        used: Int64 = 0,
        free: Int64? = nil,
        at instant: Instant = now
    ) throws(Refusal) -> UploadStart {
        try UploadStart(
            announcement,
            of: .user(1),
            among: uploads,
            space: space,
            used: used,
            free: free,
            id: id(9),
            at: instant
        )
    }

    private static func refusal(_ body: () throws(Refusal) -> Void) -> Refusal? {
        do throws(Refusal) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Begin

    struct Limit: CustomTestStringConvertible, Sendable {
        let name: String
        /// The last accepted value; the next one is rejected.
        let most: Int64
        let refusal: Refusal
        let begin: @Sendable (Int64) throws(Refusal) -> Void
        var testDescription: String { name }
    }

    static let limits = [
        Limit(name: "bytes of a photo", most: 5 * mebibyte, refusal: .fileTooLarge) { (count) throws(Refusal) in
            _ = try begin(announcement(bytes: count))
        },
        Limit(name: "bytes of a track", most: 16 * mebibyte, refusal: .fileTooLarge) { (count) throws(Refusal) in
            _ = try begin(announcement(kind: .track, bytes: count))
        },
        Limit(name: "open uploads, this one included", most: 3, refusal: .fileLimit) { (count) throws(Refusal) in
            _ = try begin(among: (1..<count).map { upload(UInt64($0), announcement("other \($0)")) })
        },
        Limit(name: "bytes of a user, this file included", most: 500 * mebibyte, refusal: .fileQuota) {
            (count) throws(Refusal) in
            _ = try begin(announcement(bytes: 1_000), used: count - 1_000)
        },
        Limit(name: "bytes of a user with open uploads", most: 500 * mebibyte, refusal: .fileQuota) {
            (count) throws(Refusal) in
            let other = upload(2, announcement("other", bytes: 2_000), offset: 500)
            _ = try begin(announcement(bytes: 1_000), among: [other], used: count - 3_000)
        },
        Limit(name: "a quota of the operator", most: 10, refusal: .fileQuota) { (count) throws(Refusal) in
            _ = try begin(announcement(bytes: count), space: FileSpace(perUser: 10))
        },
        Limit(name: "bytes missing from the free space", most: -1_073_741_824, refusal: .fileNoSpace) {
            (missing) throws(Refusal) in
            _ = try begin(free: -missing)
        },
    ]

    @Test(.proves("15.4", "file.quota", "file.limit"), .defends("endless-uploads"), arguments: limits)
    func `accepts values up to the limit and rejects one above`(limit: Limit) {
        #expect(Self.refusal { () throws(Refusal) in try limit.begin(limit.most - 1) } == nil)
        #expect(Self.refusal { () throws(Refusal) in try limit.begin(limit.most) } == nil)
        #expect(Self.refusal { () throws(Refusal) in try limit.begin(limit.most + 1) } == limit.refusal)
    }

    @Test(
        .proves("file.too-large"),
        arguments: [
            (announcement(kind: .export), Refusal.invalid(field: "kind")),
            (announcement(bytes: 0), .invalid(field: "bytes")),
            (announcement(bytes: -1), .invalid(field: "bytes")), (announcement(sha256: [1]), .invalid(field: "sha256")),
            (announcement(bytes: .max), .fileTooLarge),
        ]
    )
    func `rejects impossible announcements`(announcement: Upload.Announcement, refusal: Refusal) {
        #expect(throws: refusal) { try Self.begin(announcement) }
    }

    @Test func `a new upload begins at 0, and the same key resumes it at its offset`() throws {
        #expect(try Self.begin() == .begun(Self.upload(9)))
        let open = Self.upload(1, offset: 90_000)
        #expect(try Self.begin(among: [open]) == .resumed(open))
        // Even if a new one could not start.
        let others = [open] + (2...3).map { Self.upload($0, Self.announcement("other \($0)")) }
        #expect(try Self.begin(among: others, used: 500 * Self.mebibyte, free: 0) == .resumed(open))
    }

    @Test func `rejects the key of an open upload for another file`() {
        for other in [
            Self.announcement(kind: .track), Self.announcement(bytes: 1), Self.announcement(sha256: Array(0..<32)),
        ] {
            #expect(throws: Refusal.requestKeyReused) { try Self.begin(other, among: [Self.upload()]) }
        }
    }

    @Test(.proves("15.6", "file.not-found")) func `an upload expires an hour after its last chunk`() throws {
        let open = Self.upload(1, offset: 45_000)
        #expect(open.expiresAt == Self.now + .hours(1))
        let last = open.expiresAt - .milliseconds(1)
        #expect(try Self.begin(among: [open], at: last) == .resumed(open))
        var taking = open
        #expect(Self.refusal { () throws(Refusal) in try taking.take(chunkAt: 45_000, count: 1, at: last) } == nil)
        #expect(taking.expiresAt == last + .hours(1))

        for instant in [open.expiresAt, open.expiresAt + .milliseconds(1)] {
            #expect(try Self.begin(among: [open], at: instant) == .begun(Self.upload(9, touched: instant)))
            var late = open
            #expect(throws: Refusal.fileNotFound) { try late.take(chunkAt: 45_000, count: 1, at: instant) }
        }
    }

    // MARK: - Chunks

    @Test(.proves("15.1")) func `accepts chunks of at most 45,000 bytes in order, up to the announced size`() throws {
        var upload = Self.upload()
        for (offset, count, field) in [
            (0, 0, "data"), (0, 45_001, "data"), (0, -1, "data"), (1, 1, "offset"), (-1, 1, "offset"), (0, 45_000, nil),
            (0, 45_000, "offset"), (44_999, 1, "offset"), (45_001, 1, "offset"), (45_000, 44_999, nil),
            (89_999, 10_002, "data"), (89_999, 10_001, nil), (100_000, 1, "data"),
        ] as [(Int64, Int, String?)] {
            let before = upload
            let refusal = Self.refusal { () throws(Refusal) in
                try upload.take(chunkAt: offset, count: count, at: Self.now)
            }
            #expect(refusal == field.map { .invalid(field: $0) }, "\(count) bytes at \(offset)")
            #expect(upload.offset == (field == nil ? offset + Int64(count) : before.offset))
            #expect(upload.isComplete == (upload.offset == 100_000))
        }
    }

    @Test(.proves("15.1", "file.mismatch")) func `a wrong digest restarts an upload, the right one completes it`()
        throws
    {
        var upload = Self.upload(1, offset: 100_000)
        let isWrongTaken = upload.finish(sha256: Array(0..<32))
        #expect(!isWrongTaken)
        #expect(upload == Self.upload())
        try upload.take(chunkAt: 0, count: 45_000, at: Self.now)
        try upload.take(chunkAt: 45_000, count: 45_000, at: Self.now)
        try upload.take(chunkAt: 90_000, count: 10_000, at: Self.now)
        let isRightTaken = upload.finish(sha256: Self.digest)
        #expect(isRightTaken)
        #expect(upload.isComplete)
    }

    @Test(.proves("15.1"), arguments: 1...20)
    func `an upload interrupted at any chunk resumes and completes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let size = Int64.random(in: 1...300_000, using: &generator)
        let announcement = Self.announcement(bytes: size)
        var stored = Self.upload(1, announcement)
        var clientOffset: Int64 = 0
        var chunks = 0
        while !stored.isComplete {
            let count = Int(min(size - clientOffset, Int64.random(in: 1...45_000, using: &generator)))
            try stored.take(chunkAt: clientOffset, count: count, at: Self.now)
            chunks += 1
            if Bool.random(using: &generator) {
                clientOffset = stored.offset
                continue
            }
            // The reply is lost: the client repeats the chunk, which is rejected, and requests the offset.
            let before = stored
            #expect(throws: Refusal.self, "seed \(seed)") {
                try stored.take(chunkAt: clientOffset, count: count, at: Self.now)
            }
            #expect(stored == before)
            guard case .resumed(let upload) = try Self.begin(announcement, among: [stored]) else {
                Issue.record("seed \(seed): a new upload begins after \(chunks) chunks")
                return
            }
            clientOffset = upload.offset
        }
        #expect(stored.offset == size)
    }

    // MARK: - Reading

    @Test(
        arguments: [
            (0, 131_072, 0..<131_072), (0, 131_073, 0..<131_072), (0, 1, 0..<1), (131_072, 131_072, 131_072..<200_000),
            (199_999, 9, 199_999..<200_000), (200_000, 9, 200_000..<200_000),
        ] as [(Int64, Int, Range<Int64>)]
    )
    func `a read returns at most 131,072 bytes of the file`(offset: Int64, limit: Int, range: Range<Int64>) throws {
        #expect(try Self.file.range(from: offset, limit: limit) == range)
    }

    @Test(
        arguments: [(-1, 1, "offset"), (200_001, 1, "offset"), (0, 0, "limit"), (.max, 1, "offset")]
            as [(Int64, Int, String)]
    )
    func `rejects reads outside the file`(offset: Int64, limit: Int, field: String) {
        #expect(throws: Refusal.invalid(field: field)) { try Self.file.range(from: offset, limit: limit) }
    }

    @Test func `rejects uploads of exports and excludes exports from the quota`() {
        #expect(StoredFile.Kind.allCases.filter(\.countsForQuota) == [.photo, .track, .picture])
        #expect(StoredFile.Kind.export.mostBytes == nil)
    }

    private static let file = StoredFile(
        id: FileID(high: 0x7000, low: 0x8000_0000_0000_0001),
        userID: .user(1),
        kind: .photo,
        contentType: "image/jpeg",
        bytes: 200_000,
        sha256: digest
    )
}
