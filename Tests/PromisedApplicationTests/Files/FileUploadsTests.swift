import Crypto
import PromisedDomain
import PromisedJournal
import PromisedStore
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

@Suite(.timeLimit(.minutes(5))) struct FileUploadsTests {
    @Test(.proves("15.1")) func `resumes an upload interrupted at any chunk`() async throws {
        let bytes = PhotoBytes.withPosition
        for cut in stride(from: 0, to: bytes.count, by: 60) {
            try await FilesWorld.run { world in
                let begun = try await world.files.uploads.begin(.of(bytes), of: .user(1)).upload
                for start in stride(from: 0, to: cut, by: 60) {
                    let piece = Array(bytes[start..<min(start + 60, bytes.count)])
                    _ = try await world.files.uploads.put(piece, at: Int64(start), into: begun.id, of: .user(1))
                }
                let resumed = try await world.files.uploads.begin(.of(bytes), of: .user(1)).upload
                #expect(resumed.id == begun.id && resumed.offset == Int64(cut))
                let file = try await world.upload(bytes)
                // A repeated key returns the file, without any chunk.
                #expect(try await world.files.uploads.begin(.of(bytes), of: .user(1)).file == file)
            }
        }
    }

    @Test(arguments: [StoredFile.Kind.photo, .track])
    func `resumes an upload after a restart, without the running digest`(kind: StoredFile.Kind) async throws {
        let track = Array("<gpx>\(String(repeating: " ", count: 300))</gpx>".utf8)
        let bytes = kind == .photo ? PhotoBytes.withPosition : track
        for cut in [0, 100, bytes.count - 1] {
            try await FilesWorld.run { world in
                let begun = try await world.files.uploads.begin(.of(bytes, kind), of: .user(1)).upload
                if cut > 0 {
                    _ = try await world.files.uploads.put(Array(bytes[..<cut]), at: 0, into: begun.id, of: .user(1))
                }
                let file = try await world.restarted().upload(bytes, kind)
                let kept = try await world.read(file.id)
                #expect(file.sha256 == Array(SHA256.hash(data: kept)) && Int64(kept.count) == file.bytes)
                #expect(kind == .photo || kept == bytes)
                #expect(try await world.storage.contents().uploads.isEmpty)
            }
        }
    }

    @Test func `the last chunk of a track does not reread the others`() async throws {
        try await FilesWorld.run { world in
            _ = try await world.upload(Array("<gpx>   </gpx>".utf8), .track, chunk: 3)
            #expect(world.storage.opened == 0)
            _ = try await world.upload(PhotoBytes.withPosition, key: "2")
            #expect(world.storage.opened == 1)
        }
    }

    @Test(arguments: [StoredFile.Kind.photo, .track])
    func `restarts an upload with lost bytes`(kind: StoredFile.Kind) async throws {
        try await FilesWorld.run { world in
            let bytes = kind == .photo ? PhotoBytes.withPosition : Array("<gpx/>".utf8)
            let upload = try await world.files.uploads.begin(.of(bytes, kind), of: .user(1)).upload
            world.storage.keepFailure = .full
            await #expect(throws: ApplicationError.self) {
                try await world.files.uploads.put(bytes, at: 0, into: upload.id, of: .user(1))
            }
            world.storage.keepFailure = nil
            try await world.storage.discard(upload.id)
            let refusal = await world.refusal {
                _ = try await world.files.uploads.begin(.of(bytes, kind), of: .user(1))
            }
            #expect(refusal == .fileMismatch)
            #expect(try await world.upload(bytes, kind).kind == kind)
        }
    }

    @Test func `rejects a chunk out of order without a change`() async throws {
        try await FilesWorld.run { world in
            let bytes = PhotoBytes.withPosition
            let upload = try await world.files.uploads.begin(.of(bytes), of: .user(1)).upload
            _ = try await world.files.uploads.put(Array(bytes[..<100]), at: 0, into: upload.id, of: .user(1))
            for offset: Int64 in [0, 99, 101] {
                let refusal = await world.refusal {
                    _ = try await world.files.uploads.put([1], at: offset, into: upload.id, of: .user(1))
                }
                #expect(refusal == .invalid(field: "offset"))
            }
            let foreign = await world.refusal {
                _ = try await world.files.uploads.put([1], at: 100, into: upload.id, of: .user(2))
            }
            #expect(foreign == .fileNotFound)
            #expect(try await world.upload(bytes).kind == .photo)
        }
    }

    @Test func `a wrong digest restarts the upload`() async throws {
        try await FilesWorld.run { world in
            let bytes = PhotoBytes.withPosition
            let upload = try await world.files.uploads.begin(.of(bytes), of: .user(1)).upload
            var damaged = bytes
            damaged[bytes.count - 3] ^= 1
            let refusal = await world.refusal {
                _ = try await world.files.uploads.put(damaged, at: 0, into: upload.id, of: .user(1))
            }
            #expect(refusal == .fileMismatch)
            #expect(try await world.files.uploads.begin(.of(bytes), of: .user(1)).upload.offset == 0)
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
        try await FilesWorld.run { world in
            let refusal = await world.refusal { _ = try await world.upload(bytes, kind) }
            #expect(refusal == .fileUnsupported)
            let contents = try await world.storage.contents()
            let uploads = try await world.store.files.uploadIDs()
            #expect(contents == FileStorageContents() && uploads.isEmpty)
        }
    }

    @Test func `counts the end of each upload, with the reason of a rejected picture`() async throws {
        try await FilesWorld.run { world in
            let bytes = PhotoBytes.withPosition
            let upload = try await world.files.uploads.begin(.of(bytes), of: .user(1)).upload
            let zeros = [UInt8](repeating: 0, count: bytes.count)
            let wrong = await world.refusal {
                _ = try await world.files.uploads.put(zeros, at: 0, into: upload.id, of: .user(1))
            }
            #expect(wrong == .fileMismatch)
            _ = try await world.upload(bytes)
            for (text, kind) in [("no picture", StoredFile.Kind.photo), ("no element", .track)] {
                let refusal = await world.refusal { _ = try await world.upload(Array(text.utf8), kind, key: "\(kind)") }
                #expect(refusal == .fileUnsupported)
            }
            _ = try await world.files.uploads.begin(.of(bytes, key: "left"), of: .user(1))
            world.clock.advance(by: .hours(1) + .milliseconds(1))
            try await world.files.deletions.sweep()
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
        try await FilesWorld.run { world in
            let bytes = Array("\u{FEFF}\n<gpx version=\"1.1\"/>".utf8)
            let file = try await world.upload(bytes, .track)
            #expect(file.contentType == "application/gpx+xml")
            #expect(try await world.read(file.id) == bytes)
        }
    }

    @Test func `a complete upload becomes a file later if the disk was full`() async throws {
        try await FilesWorld.run { world in
            world.storage.keepFailure = .full
            await #expect(throws: ApplicationError.self) { try await world.upload(PhotoBytes.withPosition) }
            world.storage.keepFailure = nil
            let file = try await world.files.uploads.begin(.of(PhotoBytes.withPosition), of: .user(1)).file
            #expect(try await world.read(try #require(file).id).isEmpty == false)
        }
    }

    @Test func `reports a full disk, and the upload continues once there is room`() async throws {
        try await FilesWorld.run { world in
            let bytes = PhotoBytes.withPosition
            world.storage.free = 1_073_741_823
            #expect(await world.refusal { _ = try await world.upload(bytes) } == .fileNoSpace)
            world.storage.free = 1_073_741_824
            let upload = try await world.files.uploads.begin(.of(bytes), of: .user(1)).upload
            world.storage.failure = .full
            await #expect(throws: ApplicationError.self) {
                try await world.files.uploads.put(Array(bytes[..<10]), at: 0, into: upload.id, of: .user(1))
            }
            world.storage.failure = nil
            #expect(try await world.upload(bytes).kind == .photo)
        }
    }
}
