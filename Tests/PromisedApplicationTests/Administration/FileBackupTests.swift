import Foundation
import PromisedDomain
import PromisedJournal
import PromisedStore
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// Backups with files, in real directories.
@Suite(.timeLimit(.minutes(1))) struct FileBackupTests {
    private static let bytes: [UInt64: [UInt8]] = [1: [1, 2, 3], 2: []]

    /// A folder in which `data` has the files of user 1, and `b` and `f` are its backup.
    private func with(_ body: (String, Maintenance) async throws -> Void) async throws {
        let folder = TemporaryDirectory()
        let maintenance = Maintenance(directory: folder.path + "/data")
        let store = try await Store.open(directory: maintenance.directory)
        _ = try await store.accounts.createUser(.sample(1))
        for (number, bytes) in Self.bytes {
            try await storage(in: folder.path + "/data/files").keep(bytes, as: .sample(number))
            try await store.files.addExport(.sample(number, bytes), at: .meeting)
        }
        try await store.close()
        let report = try await maintenance.backUp(to: folder.path + "/b", files: folder.path + "/f").files
        #expect(report.files == 2 && report.bytes == 3 && report.missing.isEmpty && report.damaged.isEmpty)
        try await body(folder.path, maintenance)
        withExtendedLifetime(folder) {}
    }

    private func storage(in folder: String) -> DiskFileStorage { DiskFileStorage(path: folder) }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func message(_ body: () async throws(MaintenanceError) -> Void) async -> String {
        do throws(MaintenanceError) {
            try await body()
            return "no error"
        } catch {
            return error.description
        }
    }

    @Test func `copies and restores the files of a backup`() async throws {
        try await with { folder, maintenance in
            let target = Maintenance(directory: folder + "/new")
            let restored = try await target.restore(from: folder + "/b", files: folder + "/f")
            #expect(restored.bytes > 0 && restored.files.files == 2 && restored.files.bytes == 3)
            for path in [folder + "/f", folder + "/new/files"] {
                #expect(try mode(path) == 0o700 && mode("\(path)/\(FileID.sample(1))") == 0o600)
                #expect(try await storage(in: path).contents().files == [.sample(1): 3, .sample(2): 0])
                #expect(try await storage(in: path).read(.sample(1), 0..<3) == [1, 2, 3])
                #expect(!exists(path + ".partial"))
            }
            #expect(try await target.verify() == [])
            #expect(try await maintenance.verify() == [])
        }
    }

    @Test func `does not overwrite an existing folder, and then copies no database`() async throws {
        try await with { folder, maintenance in
            let text = await message { () async throws(MaintenanceError) in
                _ = try await maintenance.backUp(to: folder + "/c", files: folder + "/f")
            }
            #expect(text == "\(folder)/f: A file already exists at this path.")
            #expect(!exists(folder + "/c"))
        }
    }

    @Test func `reports a file deleted after the backup of the database`() async throws {
        try await with { folder, maintenance in
            try await storage(in: folder + "/data/files").remove([.sample(1)])
            let report = try await maintenance.backUpFiles(of: folder + "/b", to: folder + "/g")
            #expect(report.files == 1 && report.missing == [.sample(1)])
            #expect(try await storage(in: folder + "/g").contents().files == [.sample(2): 0])
        }
    }

    @Test func `rejects a damaged file without a change`() async throws {
        try await with { folder, _ in
            try await storage(in: folder + "/f").keep([1, 2, 4], as: .sample(1))
            let target = Maintenance(directory: folder + "/new")
            let text = await message { () async throws(MaintenanceError) in
                _ = try await target.restore(from: folder + "/b", files: folder + "/f", skippingMissing: true)
            }
            #expect(text.contains("the file \(FileID.sample(1)) does not fit the backup (1 in all)"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/new") == [])
        }
    }

    @Test func `rejects a missing file unless allowed`() async throws {
        try await with { folder, _ in
            try await storage(in: folder + "/f").remove([.sample(1)])
            let target = Maintenance(directory: folder + "/new")
            let text = await message { () async throws(MaintenanceError) in
                _ = try await target.restore(from: folder + "/b", files: folder + "/f")
            }
            #expect(text.contains("the file \(FileID.sample(1)) of the backup is missing (1 in all)"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/new") == [])
            let restored = try await target.restore(from: folder + "/b", files: folder + "/f", skippingMissing: true)
            #expect(restored.files.files == 1 && restored.files.missing == [.sample(1)])
            #expect(
                try await target.verify() == [Breach(check: "file-missing", detail: "\(FileID.sample(1))")]
            )
        }
    }

    @Test func `does not change a directory with a database or files`() async throws {
        try await with { folder, maintenance in
            let occupied = await message { () async throws(MaintenanceError) in
                _ = try await maintenance.restore(from: folder + "/b", files: folder + "/f")
            }
            #expect(occupied.contains("already has a database"))
            try await storage(in: folder + "/data/files").remove([.sample(2)])
            try FileManager.default.removeItem(atPath: folder + "/data/promised.sqlite")
            let full = await message { () async throws(MaintenanceError) in
                _ = try await maintenance.restore(from: folder + "/b", files: folder + "/f")
            }
            #expect(full.contains("already has files"))
            #expect(try await storage(in: folder + "/data/files").contents().files == [.sample(1): 3])
        }
    }

    @Test func `rejects a path to a file and replaces the remains of an interrupted run`() async throws {
        try await with { folder, _ in
            let target = Maintenance(directory: folder + "/new")
            let text = await message { () async throws(MaintenanceError) in
                _ = try await target.restore(from: folder + "/b", files: folder + "/none")
            }
            #expect(text.contains("is not a folder") && !exists(folder + "/new"))
            try FileManager.default.createDirectory(atPath: folder + "/new", withIntermediateDirectories: true)
            try await storage(in: folder + "/new/files.partial").keep([9], as: .sample(9))
            _ = try await target.restore(from: folder + "/b", files: folder + "/f")
            #expect(try await storage(in: folder + "/new/files").contents().files == [.sample(1): 3, .sample(2): 0])
        }
    }

    @Test func `reports a foreign file as a stray, but not one being written`() async throws {
        try await with { folder, maintenance in
            var generator = RandomSource.system
            let abandoned = "\(FileID.sample(9)).new"
            for name in ["notes.txt", abandoned, "\(FileID(at: RealTime.now, using: &generator)).new"] {
                try Data([1]).write(to: URL(filePath: "\(folder)/data/files/\(name)"))
            }
            #expect(try await maintenance.verify().map(\.detail) == ["draft \(FileID.sample(9))", "notes.txt"])
        }
    }
}
