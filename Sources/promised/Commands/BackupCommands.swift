import ArgumentParser
import Foundation
import PromisedApplication
import PromisedDomain

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database into a new file, and the files into a new folder, while no server runs.",
        discussion: """
            While a server runs, use promisectl backup, and then this command with --only-files. The copies (mode 0600) \
            contain everything but the signing key and the secrets of administrators. If the setting backup.directory names \
            a folder, the copies must be below it. Each file is compared with its SHA-256; those that are missing or damaged \
            are listed and not copied. Exit codes: 0 success, 1 failure, or files are damaged or missing (not with \
            --only-files, because users may have deleted them since), 2 the command line or the configuration is invalid.

            Example: promised backup /var/backups/promised.sqlite --files /var/backups/files --data /var/lib/promised
            """
    )

    @Argument(help: "The new file, in an existing folder.") var file: String
    @Option(help: ArgumentHelp("A new folder for the files, in an existing folder.", valueName: "folder"))
    var files: String?
    @Flag(help: "Only copy the files that the existing backup FILE names; a server may run.") var onlyFiles = false
    @OptionGroup var options: DataOptions

    func validate() throws {
        if onlyFiles, files == nil { throw ValidationError("--only-files needs --files") }
    }

    func run() async throws {
        let path = AbsolutePath.of(file)
        guard let files else {
            let bytes = try await options.maintain { maintenance async throws(MaintenanceError) in
                try await maintenance.backUp(to: path)
            }
            return StandardOutput.write("\(path): \(bytes) bytes")
        }
        let folder = AbsolutePath.of(files)
        let (bytes, report) = try await copy(to: path, folder)
        if let bytes { StandardOutput.write("\(path): \(bytes) bytes") }
        report.write(of: folder)
        guard report.damaged.isEmpty, onlyFiles || report.missing.isEmpty else { throw ExitCode.failure }
    }

    private func copy(to path: String, _ folder: String) async throws -> (bytes: Int?, files: FileCopyReport) {
        guard !onlyFiles else {
            let report = try await options.maintain { maintenance async throws(MaintenanceError) in
                try await maintenance.backUpFiles(of: path, to: folder)
            }
            return (nil, report)
        }
        let (bytes, report) = try await options.maintain { maintenance async throws(MaintenanceError) in
            try await maintenance.backUp(to: path, files: folder)
        }
        return (bytes, report)
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup into a data directory that has no database.",
        discussion: """
            Does not change the backup. The restored data is as old as the backup: anything revoked or deleted since then \
            is back, and users who signed in since then must sign in again. Clients get new snapshots of their promises. \
            With --files each file of the backup is compared with its SHA-256, and a folder that does not fit the backup is \
            refused. The signing key is not in a backup: without the old signing.key all users must sign in again. Exit \
            codes: 0 success, 1 failure (nothing was changed), 2 the command line or the configuration is invalid.

            Example: promised restore /var/backups/promised.sqlite --files /var/backups/files --data /var/lib/promised
            """
    )

    @Argument(help: "A file written by a backup.") var file: String
    @Option(help: ArgumentHelp("The folder written by a backup with --files.", valueName: "folder"))
    var files: String?
    @Flag(help: "Restore although files are missing in the folder, and list them.") var skipMissing = false
    @OptionGroup var options: DataOptions

    func validate() throws {
        if skipMissing, files == nil { throw ValidationError("--skip-missing needs --files") }
    }

    func run() async throws {
        guard let files else {
            let (directory, bytes) = try await options.maintain { maintenance async throws(MaintenanceError) in
                (maintenance.directory, try await maintenance.restore(from: file))
            }
            return StandardOutput.write("\(directory): \(bytes) bytes")
        }
        let (directory, restored) = try await options.maintain { maintenance async throws(MaintenanceError) in
            (
                maintenance.directory,
                try await maintenance.restore(from: file, files: files, skippingMissing: skipMissing)
            )
        }
        StandardOutput.write("\(directory): \(restored.bytes) bytes")
        restored.files.write(of: directory + "/files")
    }
}

private enum AbsolutePath {
    /// A path, possibly relative to the current folder, as an absolute one.
    static func of(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
}

extension FileCopyReport {
    /// Writes a line for the copied files in a folder, and one for each file that was not copied.
    fileprivate func write(of folder: String) {
        StandardOutput.write("\(folder): \(files) \(files == 1 ? "file" : "files"), \(bytes) bytes")
        for id in missing { StandardOutput.write("file-missing: \(id)") }
        for id in damaged { StandardOutput.write("file-damaged: \(id)") }
    }
}
