internal import Foundation
internal import Glibc
internal import PromisedDomain
internal import PromisedStore

/// Copies the files of a data directory to a folder beside a backup of its database, and back.
struct FileBackups {
    private let directory: String
    private let storage: DiskFileStorage

    init(_ directory: String) {
        self.directory = directory
        storage = DiskFileStorage(path: directory + "/files")
    }

    /// Copies the files of a backup into a new folder, which is published complete or not at all. Needs no lock: files
    /// never change, and a file that a running server deletes meanwhile is reported as missing.
    ///
    /// - Throws: ``MaintenanceError``, and `StoreError` for the backup.
    func copy(of backup: String, to folder: String) async throws -> FileCopyReport {
        let files = try await Store.files(ofBackup: backup)
        do throws(FileStorageError) {
            let draft = try FolderDraft(folder)
            do throws(FileStorageError) {
                let target = DiskFileStorage(path: draft.draftPath)
                let report = try await FileCopy(source: storage, target: target).copy(files)
                try draft.publish()
                return report
            } catch {
                draft.discard()
                throw error
            }
        } catch {
            throw MaintenanceError.impossible(
                "\(folder): \(error). No files were copied; the copy of the database is complete."
            )
        }
    }

    /// Restores a backup and its files into the directory, which must have neither a database nor files.
    ///
    /// - Parameter skippingMissing: `true` to restore even if files are missing in the folder.
    /// - Returns: the size of the database in bytes, and the files.
    /// - Throws: ``MaintenanceError``, `StoreError`, `FileStorageError`; then nothing was changed.
    func restore(
        _ backup: String,
        from folder: String,
        skippingMissing: Bool
    ) async throws -> (bytes: Int, files: FileCopyReport) {
        try await requireEmpty(for: folder)
        let files = try await Store.files(ofBackup: backup)
        try makeDirectory()
        let draft = try FolderDraft(directory + "/files")
        let report: FileCopyReport
        let bytes: Int
        do {
            report = try await FileCopy(
                source: DiskFileStorage(path: folder),
                target: DiskFileStorage(path: draft.draftPath)
            ).copy(files)
            try require(report, from: folder, skippingMissing: skippingMissing)
            bytes = try await Store.restore(backup, into: directory)
        } catch {
            draft.discard()
            throw error
        }
        try draft.publish()
        return (bytes, report)
    }

    // MARK: - Checks

    private func requireEmpty(for folder: String) async throws {
        // Restoring the database checks this again, under the lock.
        guard access(directory + "/promised.sqlite", F_OK) != 0 else { throw StoreError.occupied }
        guard try await storage.contents() == FileStorageContents() else {
            throw MaintenanceError.impossible(
                "\(directory)/files already has files: move them away first. Nothing was changed."
            )
        }
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw MaintenanceError.impossible("\(folder) is not a folder: nothing was changed.")
        }
    }

    private func makeDirectory() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw MaintenanceError.impossible("\(directory): \(error.localizedDescription)")
        }
    }

    private func require(_ report: FileCopyReport, from folder: String, skippingMissing: Bool) throws {
        if let first = report.damaged.first {
            let count = report.damaged.count
            throw MaintenanceError.impossible(
                "\(folder): the file \(first) does not fit the backup (\(count) in all). Nothing was changed."
            )
        }
        guard let first = report.missing.first, !skippingMissing else { return }
        let count = report.missing.count
        throw MaintenanceError.impossible(
            "\(folder): the file \(first) of the backup is missing (\(count) in all). Nothing was changed; "
                + "--skip-missing restores the others."
        )
    }
}
