import Crypto
import PromisedAccess
import PromisedDomain
import PromisedEngine
import PromisedJournal
import PromisedPlaces
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct FilesTests {
    /// The files of users 1 to 3 in a store in a temporary folder, with their bytes in memory.
    struct World {
        static let now = Instant.meeting

        let store: Store
        let storage: MemoryFileStorage
        let clock = ManualClock(now: World.now)
        let metrics = CountingMetrics()
        let files: Files

        private init(_ store: Store, _ space: FileSpace, _ storage: MemoryFileStorage = MemoryFileStorage()) {
            self.store = store
            self.storage = storage
            files = Files(
                store: store,
                storage: storage,
                space: space,
                clock: clock,
                random: .system,
                metrics: metrics,
                log: .silent
            )
        }

        /// The same store and storage, with empty memory.
        func restarted() -> World { World(store, FileSpace(), storage) }

        static func run(space: FileSpace = FileSpace(), _ body: (World) async throws -> Void) async throws {
            let directory = TemporaryDirectory()
            let store = try await Store.open(directory: directory.path)
            for number: UInt64 in 1...3 { _ = try await store.accounts.createUser(.sample(number)) }
            try await body(World(store, space))
            #expect(try await store.upkeep.verify() == [])
            try await store.close()
        }

        /// Uploads bytes in chunks of some size, from the offset that the reply to `begin` names.
        func upload(
            _ bytes: [UInt8],
            _ kind: StoredFile.Kind = .photo,
            key: String = "1",
            chunk: Int = 50,
            by user: UserID = .user(1)
        ) async throws -> StoredFile {
            var state = try await files.begin(.of(bytes, kind, key: key), of: user)
            while state.file == nil {
                let start = Int(state.upload.offset)
                let piece = Array(bytes[start..<min(start + chunk, bytes.count)])
                state = try await files.put(piece, at: Int64(start), into: state.upload.id, of: user)
            }
            return try #require(state.file)
        }

        /// All bytes of a file as a user reads them, in pieces.
        func read(_ id: FileID, by user: UserID = .user(1), piece: Int = 70) async throws -> [UInt8] {
            var bytes: [UInt8] = []
            while case let next = try await files.read(id, from: Int64(bytes.count), limit: piece, by: user).bytes,
                !next.isEmpty
            {
                bytes += next
            }
            return bytes
        }

        func refusal(_ body: () async throws -> Void) async -> Refusal? {
            do {
                try await body()
                return nil
            } catch let refusal as Refusal {
                return refusal
            } catch ApplicationError.refused(let refusal, _, _) {
                return refusal
            } catch {
                Issue.record("another error: \(error)")
                return nil
            }
        }
    }

    @Test(.proves("15.5"), .defends("files-of-others"))
    func `accepts a photo in chunks, removes its position, and lets only its user read it`() async throws {
        try await World.run { world in
            let file = try await world.upload(PhotoBytes.withPosition)
            #expect(file.kind == .photo && file.contentType == "image/jpeg")
            #expect(file.width == 16 && file.height == 8 && file.orientation == 6)
            let bytes = try await world.read(file.id)
            #expect(Int64(bytes.count) == file.bytes && file.sha256 == Array(SHA256.hash(data: bytes)))
            #expect(PhotoBytes.withPosition.firstRange(of: PhotoBytes.position) != nil)
            #expect(bytes.firstRange(of: PhotoBytes.position) == nil)
            let contents = try await world.storage.contents()
            #expect(contents.files == [file.id: file.bytes] && contents.uploads.isEmpty)
            #expect(await world.refusal { _ = try await world.read(file.id, by: .user(2)) } == .fileNotFound)
            let outside = await world.refusal {
                _ = try await world.files.read(file.id, from: file.bytes + 1, limit: 1, by: .user(1))
            }
            #expect(outside == .invalid(field: "offset"))
            #expect(await world.refusal { _ = try await world.read(FileID(high: 1, low: 2)) } == .fileNotFound)
        }
    }

    @Test(.proves("15.1")) func `resumes an upload interrupted at any chunk`() async throws {
        let bytes = PhotoBytes.withPosition
        for cut in stride(from: 0, to: bytes.count, by: 60) {
            try await World.run { world in
                let begun = try await world.files.begin(.of(bytes), of: .user(1)).upload
                for start in stride(from: 0, to: cut, by: 60) {
                    let piece = Array(bytes[start..<min(start + 60, bytes.count)])
                    _ = try await world.files.put(piece, at: Int64(start), into: begun.id, of: .user(1))
                }
                let resumed = try await world.files.begin(.of(bytes), of: .user(1)).upload
                #expect(resumed.id == begun.id && resumed.offset == Int64(cut))
                let file = try await world.upload(bytes)
                // The same key again: the file, without any chunk.
                #expect(try await world.files.begin(.of(bytes), of: .user(1)).file == file)
            }
        }
    }

    @Test(arguments: [StoredFile.Kind.photo, .track])
    func `resumes an upload after a restart, without the running digest`(kind: StoredFile.Kind) async throws {
        let track = Array("<gpx>\(String(repeating: " ", count: 300))</gpx>".utf8)
        let bytes = kind == .photo ? PhotoBytes.withPosition : track
        for cut in [0, 100, bytes.count - 1] {
            try await World.run { world in
                let begun = try await world.files.begin(.of(bytes, kind), of: .user(1)).upload
                if cut > 0 { _ = try await world.files.put(Array(bytes[..<cut]), at: 0, into: begun.id, of: .user(1)) }
                let file = try await world.restarted().upload(bytes, kind)
                let kept = try await world.read(file.id)
                #expect(file.sha256 == Array(SHA256.hash(data: kept)) && Int64(kept.count) == file.bytes)
                #expect(kind == .photo || kept == bytes)
                #expect(try await world.storage.contents().uploads.isEmpty)
            }
        }
    }

    @Test func `the last chunk of a track does not reread the others`() async throws {
        try await World.run { world in
            _ = try await world.upload(Array("<gpx>   </gpx>".utf8), .track, chunk: 3)
            #expect(world.storage.opened == 0)
            _ = try await world.upload(PhotoBytes.withPosition, key: "2")
            #expect(world.storage.opened == 1)
        }
    }

    @Test(arguments: [StoredFile.Kind.photo, .track])
    func `restarts an upload with lost bytes`(kind: StoredFile.Kind) async throws {
        try await World.run { world in
            let bytes = kind == .photo ? PhotoBytes.withPosition : Array("<gpx/>".utf8)
            let upload = try await world.files.begin(.of(bytes, kind), of: .user(1)).upload
            world.storage.keepFailure = .full
            await #expect(throws: ApplicationError.self) {
                try await world.files.put(bytes, at: 0, into: upload.id, of: .user(1))
            }
            world.storage.keepFailure = nil
            try await world.storage.discard(upload.id)
            let refusal = await world.refusal { _ = try await world.files.begin(.of(bytes, kind), of: .user(1)) }
            #expect(refusal == .fileMismatch)
            #expect(try await world.upload(bytes, kind).kind == kind)
        }
    }

    @Test func `rejects a chunk out of order without a change`() async throws {
        try await World.run { world in
            let bytes = PhotoBytes.withPosition
            let upload = try await world.files.begin(.of(bytes), of: .user(1)).upload
            _ = try await world.files.put(Array(bytes[..<100]), at: 0, into: upload.id, of: .user(1))
            for offset: Int64 in [0, 99, 101] {
                let refusal = await world.refusal {
                    _ = try await world.files.put([1], at: offset, into: upload.id, of: .user(1))
                }
                #expect(refusal == .invalid(field: "offset"))
            }
            let foreign = await world.refusal {
                _ = try await world.files.put([1], at: 100, into: upload.id, of: .user(2))
            }
            #expect(foreign == .fileNotFound)
            #expect(try await world.upload(bytes).kind == .photo)
        }
    }

    @Test func `a wrong digest restarts the upload`() async throws {
        try await World.run { world in
            let bytes = PhotoBytes.withPosition
            let upload = try await world.files.begin(.of(bytes), of: .user(1)).upload
            var damaged = bytes
            damaged[bytes.count - 3] ^= 1
            let refusal = await world.refusal {
                _ = try await world.files.put(damaged, at: 0, into: upload.id, of: .user(1))
            }
            #expect(refusal == .fileMismatch)
            #expect(try await world.files.begin(.of(bytes), of: .user(1)).upload.offset == 0)
            #expect(try await world.upload(bytes).kind == .photo)
        }
    }

    @Test(arguments: [
        (Array("PK\u{3}\u{4} no picture at all".utf8), StoredFile.Kind.photo),
        (Array(PhotoBytes.withPosition.dropLast(9)), .photo), (Array("no element".utf8), .track),
    ])
    func `rejects and deletes bytes that do not match their kind`(
        bytes: [UInt8],
        kind: StoredFile.Kind
    ) async throws {
        try await World.run { world in
            let refusal = await world.refusal { _ = try await world.upload(bytes, kind) }
            #expect(refusal == .fileUnsupported)
            let contents = try await world.storage.contents()
            let uploads = try await world.store.files.uploadIDs()
            #expect(contents == FileStorageContents() && uploads.isEmpty)
        }
    }

    @Test(.proves("file.unreadable"))
    func `reports a file with missing, truncated or irregular bytes as unreadable, also to the operator`() async throws
    {
        try await World.run { world in
            let file = try await world.upload(PhotoBytes.withPosition)
            #expect(await world.files.unreadable.last == nil)
            try await world.storage.remove([file.id])
            for _ in 1...2 {
                let refusal = await world.refusal {
                    _ = try await world.files.read(file.id, from: 0, limit: 9, by: .user(1))
                }
                #expect(refusal == .fileUnreadable)
            }
            #expect(await world.files.unreadable.count == 1)
            #expect(await world.files.unreadable.last == file.id)
            let other = await world.refusal { _ = try await world.files.content(of: file.id, .photo, of: .user(1)) }
            #expect(other == .fileUnreadable)
            let unknown = await world.refusal {
                _ = try await world.files.read(file.id, from: 0, limit: 9, by: .user(2))
            }
            #expect(unknown == .fileNotFound)
        }
    }

    @Test func `counts the end of each upload, with the reason of a rejected picture`() async throws {
        try await World.run { world in
            let bytes = PhotoBytes.withPosition
            let upload = try await world.files.begin(.of(bytes), of: .user(1)).upload
            let zeros = [UInt8](repeating: 0, count: bytes.count)
            let wrong = await world.refusal {
                _ = try await world.files.put(zeros, at: 0, into: upload.id, of: .user(1))
            }
            #expect(wrong == .fileMismatch)
            _ = try await world.upload(bytes)
            for (text, kind) in [("no picture", StoredFile.Kind.photo), ("no element", .track)] {
                let refusal = await world.refusal { _ = try await world.upload(Array(text.utf8), kind, key: "\(kind)") }
                #expect(refusal == .fileUnsupported)
            }
            _ = try await world.files.begin(.of(bytes, key: "left"), of: .user(1))
            world.clock.advance(by: .hours(1) + .milliseconds(1))
            try await world.files.sweep()
            world.storage.free = 1_073_741_823
            #expect(await world.refusal { _ = try await world.upload(bytes, key: "full") } == .fileNoSpace)
            #expect(
                world.metrics.counts == [
                    "promised_uploads_total outcome=mismatch": 1, "promised_uploads_total outcome=finished": 1,
                    "promised_uploads_total outcome=refused": 2, "promised_uploads_total outcome=forgotten": 1,
                    "promised_uploads_total outcome=no-space": 1, "promised_refused_pictures_total reason=format": 1,
                ]
            )
        }
    }

    @Test func `stores a track unchanged`() async throws {
        try await World.run { world in
            let bytes = Array("\u{FEFF}\n<gpx version=\"1.1\"/>".utf8)
            let file = try await world.upload(bytes, .track)
            #expect(file.contentType == "application/gpx+xml")
            #expect(try await world.read(file.id) == bytes)
        }
    }

    @Test(.proves("15.5"), .defends("files-of-others"))
    func `only users who currently see a visit read its photo`() async throws {
        try await World.run { world in
            let file = try await world.upload(PhotoBytes.withPosition)
            _ = try await world.store.friendships.changeFriendship(between: .user(1), and: .user(2), at: World.now) {
                (pair, counts) throws(Refusal) in
                try pair.request(by: .user(1), counts: counts, at: World.now)
                try pair.accept(by: .user(2), counts: counts, at: World.now)
            }.get()
            let moment = VisitSite(Place(name: "Café", coordinate: .meetingPlace), in: .utc).moment(at: World.now)
            let notes = VisitNotes(photos: [Photo(fileID: file.id)])
            let draft = VisitDraft(moment: moment, notes: notes, audience: .friends)
            let id = VisitID(high: 7, low: 7)
            _ = try await world.store.visits.createVisit(
                draft,
                id: id,
                of: .user(1),
                key: "v",
                contentHash: [1],
                at: World.now
            ).get()
            #expect(try await world.read(file.id, by: .user(2)).isEmpty == false)
            #expect(await world.refusal { _ = try await world.read(file.id, by: .user(3)) } == .fileNotFound)
            var edit = VisitEdit(version: 1)
            edit.audience = .onlyMe
            _ = try await world.store.visits.updateVisit(id, of: .user(1), edit, at: World.now).get()
            #expect(await world.refusal { _ = try await world.read(file.id, by: .user(2)) } == .fileNotFound)
            await world.files.remove(try #require(try await world.store.visits.deleteVisit(id, of: .user(1))))
            #expect(try await world.storage.contents().files.isEmpty)
        }
    }

    @Test(.proves("15.6"), .defends("endless-uploads"))
    func `sweeps files without references after a day, uploads after an hour`() async throws {
        try await World.run { world in
            let file = try await world.upload(PhotoBytes.withPosition)
            let upload = try await world.files.begin(.of([1, 2], .track, key: "2"), of: .user(1)).upload
            _ = try await world.files.put([1], at: 0, into: upload.id, of: .user(1))
            var generator = RandomSource.system
            let stray = FileID(at: World.now, using: &generator)
            try await world.storage.keep([1], as: stray)
            try await world.files.sweep()
            #expect(try await world.storage.contents().files.count == 2)
            world.clock.advance(by: .hours(1) + .milliseconds(1))
            try await world.files.sweep()
            var contents = try await world.storage.contents()
            #expect(contents.files == [file.id: file.bytes] && contents.uploads.isEmpty)
            world.clock.advance(by: .hours(23))
            try await world.files.sweep()
            contents = try await world.storage.contents()
            #expect(contents == FileStorageContents())
            #expect(await world.refusal { _ = try await world.read(file.id) } == .fileNotFound)
        }
    }

    @Test func `deletes the bytes of files replaced by a new export`() async throws {
        try await World.run(space: FileSpace(perUser: 100)) { world in
            let first = try await world.files.keepExport([UInt8](repeating: 1, count: 60), "text/plain", for: .user(1))
            let second = try await world.files.keepExport([UInt8](repeating: 2, count: 60), "text/plain", for: .user(1))
            #expect(try await world.storage.contents().files == [second.id: 60])
            #expect(try await world.store.files.file(first.id) == nil)
        }
    }

    @Test func `sweeps incomplete files of a crash after an hour`() async throws {
        try await World.run { world in
            var generator = RandomSource.system
            let draft = FileID(at: World.now, using: &generator)
            world.storage.drafts = [draft]
            world.clock.advance(by: .hours(1))
            try await world.files.sweep()
            #expect(world.storage.drafts == [draft])
            world.clock.advance(by: .minutes(10))
            try await world.files.sweep()
            #expect(world.storage.drafts == [])
        }
    }

    @Test func `a complete upload becomes a file later if the disk was full`() async throws {
        try await World.run { world in
            world.storage.keepFailure = .full
            await #expect(throws: ApplicationError.self) { try await world.upload(PhotoBytes.withPosition) }
            world.storage.keepFailure = nil
            let file = try await world.files.begin(.of(PhotoBytes.withPosition), of: .user(1)).file
            #expect(try await world.read(try #require(file).id).isEmpty == false)
        }
    }

    @Test func `reports a full disk, and the upload continues once there is room`() async throws {
        try await World.run { world in
            let bytes = PhotoBytes.withPosition
            world.storage.free = 1_073_741_823
            #expect(await world.refusal { _ = try await world.upload(bytes) } == .fileNoSpace)
            world.storage.free = 1_073_741_824
            let upload = try await world.files.begin(.of(bytes), of: .user(1)).upload
            world.storage.failure = .full
            await #expect(throws: ApplicationError.self) {
                try await world.files.put(Array(bytes[..<10]), at: 0, into: upload.id, of: .user(1))
            }
            world.storage.failure = nil
            #expect(try await world.upload(bytes).kind == .photo)
        }
    }
}

/// A grey JPEG of 16 × 8 pixels with a position in its Exif.
private enum PhotoBytes {
    static let position = Array("N 37.5663 E 126.9779".utf8)

    static let withPosition: [UInt8] = {
        // One entry, Orientation 6, and the position behind the directory.
        let tiff: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        let tables =
            segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
            + segment(0xC4, [0x00, 1] + [UInt8](repeating: 0, count: 16))
            + segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 16))
        let frame = segment(0xC0, [8, 0, 8, 0, 16, 1, 1, 0x11, 0])
        let scan = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x0F]
        return [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + tiff + position) + tables + frame + scan
            + [0xFF, 0xD9]
    }()

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }
}

extension Upload.Announcement {
    fileprivate static func of(
        _ bytes: [UInt8],
        _ kind: StoredFile.Kind = .photo,
        key: String = "1"
    ) -> Upload.Announcement {
        Upload.Announcement(
            key: key,
            kind: kind,
            bytes: Int64(bytes.count),
            sha256: Array(SHA256.hash(data: bytes))
        )
    }
}
