import Foundation
import PromisedDomain
import PromisedJournal
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication
@testable import PromisedWorld

/// The behaviour that all implementations share.
@Suite(.timeLimit(.minutes(5))) struct FileStorageTests {
    enum Kind: CaseIterable { case directory, memory, simulated }

    private static let file = FileID(high: 0x0193_0000_0000_7000, low: 1 << 63)
    private static let upload = UploadID(high: 0x0193_0000_0000_7000, low: 1 << 63 + 1)

    /// The folder above a storage.
    private static func folder() throws -> TemporaryDirectory {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        return directory
    }

    private func with(_ kind: Kind, _ body: (any FileStorage) async throws -> Void) async throws {
        switch kind {
        case .memory: try await body(MemoryFileStorage())
        case .simulated:
            let clock = VirtualClock(EventQueue(at: .meeting))
            try await body(SimulatedVault(shelf: VaultShelf(longestMs: 0, seed: 1), clock: clock))
        case .directory:
            let directory = try Self.folder()
            try await body(DiskFileStorage(path: directory.path + "/files"))
            withExtendedLifetime(directory) {}
        }
    }

    @Test(arguments: ["directory", "link", "pipe", "socket"])
    func `reports anything but a file in its place as irregular, without waiting`(kind: String) async throws {
        let directory = try Self.folder()
        let storage = DiskFileStorage(path: directory.path + "/files")
        try await storage.keep([1, 2, 3], as: Self.file)
        let path = directory.path + "/files/\(Self.file)"
        try FileManager.default.removeItem(atPath: path)
        switch kind {
        case "directory": try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        default: #expect(mknod(path, S_IFSOCK | 0o600, 0) == 0)
        }
        await #expect(throws: FileStorageError.irregular) { try await storage.read(Self.file, 0..<1) }
        #expect(try await storage.contents().files == [Self.file: -1])
    }

    @Test(arguments: Kind.allCases)
    func `appends chunks, and a repeated one replaces the rest`(kind: Kind) async throws {
        try await with(kind) { storage in
            await #expect(throws: FileStorageError.missing) { try await storage.open(Self.upload) }
            try await storage.append([1, 2, 3], to: Self.upload, at: 0)
            try await storage.append([4, 5], to: Self.upload, at: 3)
            #expect(try await storage.open(Self.upload).all == [1, 2, 3, 4, 5])
            try await storage.append([9], to: Self.upload, at: 1)
            #expect(try await storage.open(Self.upload).all == [1, 9])
            #expect(try await storage.contents().uploads == [Self.upload])
            try await storage.discard(Self.upload)
            try await storage.discard(Self.upload)
            await #expect(throws: FileStorageError.missing) { try await storage.open(Self.upload) }
            #expect(try await storage.contents() == FileStorageContents())
        }
    }

    @Test(arguments: Kind.allCases)
    func `reads a file in parts until it is removed`(kind: Kind) async throws {
        try await with(kind) { storage in
            let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
            try await storage.keep(bytes, as: Self.file)
            #expect(try await storage.read(Self.file, 0..<0) == [])
            #expect(try await storage.read(Self.file, 131_072..<200_000) == Array(bytes[131_072...]))
            #expect(try await storage.contents().files == [Self.file: 200_000])
            await #expect(throws: FileStorageError.missing) { try await storage.read(Self.file, 199_999..<200_001) }
            try await storage.keep([7], as: Self.file)
            #expect(try await storage.read(Self.file, 0..<1) == [7])
            try await storage.remove([Self.file, FileID(high: 1, low: 2)])
            await #expect(throws: FileStorageError.missing) { try await storage.read(Self.file, 0..<1) }
            #expect(try await storage.contents() == FileStorageContents())
        }
    }

    @Test(arguments: Kind.allCases)
    func `moves the chunks of an upload to a file`(kind: Kind) async throws {
        try await with(kind) { storage in
            await #expect(throws: FileStorageError.missing) { try await storage.adopt(Self.upload, as: Self.file) }
            try await storage.append([1, 2, 3], to: Self.upload, at: 0)
            try await storage.append([4, 5], to: Self.upload, at: 3)
            try await storage.adopt(Self.upload, as: Self.file)
            #expect(try await storage.read(Self.file, 0..<5) == [1, 2, 3, 4, 5])
            let contents = try await storage.contents()
            #expect(contents.files == [Self.file: 5] && contents.uploads.isEmpty && contents.strays.isEmpty)
            await #expect(throws: FileStorageError.missing) { try await storage.adopt(Self.upload, as: Self.file) }
            #expect(try await storage.read(Self.file, 0..<5) == [1, 2, 3, 4, 5])
            try await storage.remove([Self.file])
            #expect(try await storage.contents() == FileStorageContents())
        }
    }

    @Test(arguments: Kind.allCases)
    func `copies the bytes of an upload to a file until the upload is discarded`(kind: Kind) async throws {
        try await with(kind) { storage in
            await #expect(throws: FileStorageError.missing) { try await storage.keep(Self.upload, as: Self.file) }
            try await storage.append([1, 2, 3], to: Self.upload, at: 0)
            try await storage.keep(Self.upload, as: Self.file)
            #expect(try await storage.open(Self.upload).all == [1, 2, 3])
            #expect(try await storage.read(Self.file, 0..<3) == [1, 2, 3])
            try await storage.discard(Self.upload)
            #expect(try await storage.read(Self.file, 0..<3) == [1, 2, 3])
            let contents = try await storage.contents()
            #expect(contents.files == [Self.file: 3] && contents.uploads.isEmpty && contents.drafts.isEmpty)
        }
    }

    @Test(arguments: Kind.allCases)
    func `writes a draft in pieces, which becomes a file when it is kept`(kind: Kind) async throws {
        try await with(kind) { storage in
            func write(_ bytes: [UInt8], _ draft: FileDraft, at offset: Int) throws {
                try bytes.withUnsafeBytes { try draft.write($0, offset) }
            }
            let abandoned = FileID(high: 0x0193_0000_0000_7000, low: 1 << 63 + 9)
            try write([9], try await storage.draft(of: abandoned), at: 0)
            let draft = try await storage.draft(of: Self.file)
            try write([1, 2, 3], draft, at: 0)
            try write([4, 5], draft, at: 3)
            #expect(try draft.bytes(count: 5).all == [1, 2, 3, 4, 5])
            #expect(try await storage.contents().files.isEmpty)
            try await draft.keep()
            #expect(try await storage.read(Self.file, 0..<5) == [1, 2, 3, 4, 5])
            let contents = try await storage.contents()
            #expect(contents.files == [Self.file: 5] && contents.drafts.isEmpty)
        }
    }

    @Test(arguments: Kind.allCases)
    func `an empty storage has only free space`(kind: Kind) async throws {
        try await with(kind) { storage in
            #expect(try await storage.contents() == FileStorageContents())
            let free = try #require(try await storage.freeBytes())
            #expect(free > 0)
            try await storage.remove([Self.file])
        }
    }

    @Test func `only the owner can access the directory's files, and foreign ones are strays`() async throws {
        let directory = try Self.folder()
        let path = directory.path + "/files"
        let storage = DiskFileStorage(path: path)
        try await storage.keep([1], as: Self.file)
        try await storage.append([1], to: Self.upload, at: 0)
        try Data([1]).write(to: URL(filePath: path + "/notes.txt"))
        try Data([1]).write(to: URL(filePath: path + "/\(Self.upload).old"))
        #expect(try await storage.contents().strays == ["\(Self.upload).old", "notes.txt"])
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(path) == 0o700)
        #expect(try mode("\(path)/\(Self.file)") == 0o600)
        #expect(try mode("\(path)/\(Self.upload).part") == 0o600)
        let adopted = FileID(high: 0x0193_0000_0000_7000, low: 1 << 63 + 2)
        try await storage.adopt(Self.upload, as: adopted)
        #expect(try mode("\(path)/\(adopted)") == 0o600)
    }

    @Test func `deletes incomplete files of a crash, not complete ones`() async throws {
        let directory = try Self.folder()
        let path = directory.path + "/files"
        let storage = DiskFileStorage(path: path)
        let other = FileID(high: 0x0193_0000_0000_7000, low: 1 << 63 + 3)
        try await storage.keep([1], as: Self.file)
        for file in [Self.file, other] { try Data([2]).write(to: URL(filePath: "\(path)/\(file).new")) }
        #expect(try await storage.contents().drafts == [Self.file, other])
        try await storage.discardDrafts(of: [Self.file, other])
        #expect(try await storage.contents().drafts == [])
        #expect(try await storage.read(Self.file, 0..<1) == [1])
        try await storage.discardDrafts(of: [other])
    }

    @Test func `a file that cannot be named leaves no incomplete one`() async throws {
        let directory = try Self.folder()
        let path = directory.path + "/files"
        let storage = DiskFileStorage(path: path)
        // A folder in the place of the file occupies its name.
        let folder = "\(path)/\(Self.file)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        await #expect(throws: FileStorageError.self) { try await storage.keep([1], as: Self.file) }
        try await storage.append([1], to: Self.upload, at: 0)
        await #expect(throws: FileStorageError.self) { try await storage.keep(Self.upload, as: Self.file) }
        try await storage.discard(Self.upload)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["\(Self.file)"])
    }

    @Test(.defends("symbolic-links")) func `does not follow a link in the place of a file`() async throws {
        let directory = try Self.folder()
        let path = directory.path + "/files"
        let storage = DiskFileStorage(path: path)
        try await storage.keep([1], as: Self.file)
        let outside = directory.path + "/outside"
        try Data([9]).write(to: URL(filePath: outside))
        try FileManager.default.createSymbolicLink(atPath: "\(path)/\(Self.upload).part", withDestinationPath: outside)
        await #expect(throws: FileStorageError.self) { try await storage.append([1], to: Self.upload, at: 0) }
        #expect(try Data(contentsOf: URL(filePath: outside)) == Data([9]))
    }
}

extension UploadBytes {
    /// All bytes at once.
    fileprivate var all: [UInt8] {
        get throws { try bytes(at: 0, most: count) }
    }
}
