internal import Foundation
internal import Glibc
package import Logging
internal import PromisedAccess
internal import PromisedConcurrency
package import PromisedDomain
package import PromisedJournal
package import PromisedPlaces
package import PromisedStore

/// Backups and checks of the database in use.
package struct Backups: Sendable {
    private let store:
        (administration: AdministrationStore, deletions: DeletionStore, files: FileStore, upkeep: StoreUpkeep)
    private let archive: StoreArchive
    private let storage: any FileStorage
    private let directory: String?
    private let categories: CategoryTable
    private let log: Logger
    /// Each job reads everything, so only one runs at a time.
    private let running = Guarded<DatabaseJob?>(nil)

    /// - Parameters:
    ///   - storage: contains the bytes of the store's files.
    ///   - directory: the folder that must contain backups; nil allows any.
    ///   - categories: the valid categories of places; a check reports others.
    package init(
        store: some HasAdministration & HasDeletions & HasFiles & HasUpkeep,
        archive: StoreArchive,
        storage: any FileStorage,
        directory: String?,
        categories: CategoryTable = .builtIn,
        log: Logger
    ) {
        self.store = (store.administration, store.deletions, store.files, store.upkeep)
        self.archive = archive
        self.storage = storage
        self.directory = directory
        self.categories = categories
        self.log = log
    }

    /// Copies the database into a new file.
    ///
    /// - Parameter audit: creates the entry from the path of the copy.
    /// - Returns: the path and the size in bytes.
    /// - Throws: `invalid` for the field `path`, `unavailable` while another backup or check runs.
    package func backUp(
        to path: String,
        audit: @Sendable (_ path: String) -> AuditEntry
    ) async throws -> (path: String, bytes: Int) {
        let path = try BackupPath(path, below: directory).path
        return try await alone(as: .backUp) {
            // Buffered positions are not acknowledged, but a backup should contain them.
            if await !archive.flush() { log.warning("The backup lacks positions that are not yet written") }
            try await store.administration.record(audit(path))
            return (path, try await write(to: path))
        }
    }

    /// Checks the invariants, and finds missing, damaged and stray files. Throws `unavailable` while a backup or
    /// another check runs.
    ///
    /// - Returns: the violations, and at most ``mostErasings`` deletions that are still being erased.
    package func verify() async throws -> (violations: [InvariantViolation], erasings: [ErasingReport]) {
        try await alone(as: .verify) {
            let inDatabase = try await store.upkeep.verify(categories: categories) { done in
                note(done * Self.shareOfDatabase)
            }
            let files = FileVerification(store: store.files, storage: storage)
            let inFiles = try await files.violations(at: RealTime.now) { done in
                note(Self.shareOfDatabase + done * (1 - Self.shareOfDatabase))
            }
            return (inDatabase + inFiles, try await store.deletions.erasingReports(limit: Self.mostErasings))
        }
    }

    /// The most reported deletions that are still being erased.
    package static let mostErasings = 500
    /// The database's share of a check's progress; the files have the rest.
    private static let shareOfDatabase = 0.5

    /// The backup or check in progress; nil if there is none.
    package var job: DatabaseJob? {
        guard var job = running.withLock({ $0 }) else { return nil }
        if let draft = job.draft {
            let attributes = try? FileManager.default.attributesOfItem(atPath: draft)
            let size = (attributes?[.size] as? NSNumber)?.doubleValue ?? 0
            job.progress = min(size / Double(max(store.upkeep.fileBytes, 1)), 1)
        }
        return job
    }

    private func note(_ progress: Double) { running.withLock { $0?.progress = progress } }

    private func write(to path: String) async throws -> Int {
        do throws(StoreError) {
            return try await store.upkeep.backUp(to: path) { [running] draft in running.withLock { $0?.draft = draft } }
        } catch .fileSystem(let code) {
            guard code != EEXIST else { throw BackupPath.problem("A file already exists at this path.") }
            throw BackupPath.problem("The server cannot write to it: \(String(cString: strerror(code))).")
        } catch {
            log.error("A backup failed", metadata: ["error": "\(error)"])
            throw error
        }
    }

    private func alone<Value: Sendable>(
        as kind: DatabaseJob.Kind,
        _ work: () async throws -> Value
    ) async throws -> Value {
        let isFirst = running.withLock { job in
            guard job == nil else { return false }
            job = DatabaseJob(kind: kind, startedAt: RealTime.now)
            return true
        }
        guard isFirst else {
            throw ApplicationError.unavailable(
                retryAfter: .seconds(5),
                message: "Another backup or check is in progress."
            )
        }
        defer { running.withLock { $0 = nil } }
        return try await work()
    }
}

/// A backup or check of the whole database in progress.
package struct DatabaseJob: Hashable, Sendable {
    /// Raw values are the names of their forms.
    package enum Kind: String, Sendable {
        case backUp
        case verify
    }

    package let kind: Kind
    /// When it began, in real time.
    package let startedAt: Instant
    /// The fraction done, from 0 to 1.
    package fileprivate(set) var progress = 0.0
    /// The path of the copy in progress.
    fileprivate var draft: String?

    fileprivate init(kind: Kind, startedAt: Instant) {
        self.kind = kind
        self.startedAt = startedAt
    }
}

/// The path of a requested backup, validated: absolute and unused, in an existing folder.
///
/// Resolves all links in the folder, so that none leads out of `backup.directory`.
struct BackupPath {
    /// The path with its folder's links resolved.
    let path: String

    /// Validates a path.
    ///
    /// - Parameter directory: the folder that must contain it; nil allows any.
    /// - Throws: `invalid` for the field `path`, with the reason.
    init(_ text: String, below directory: String?) throws {
        try TextWeight.check(text, of: "path", longest: TextWeight.name)
        guard text.hasPrefix("/"), text.unicodeScalars.allSatisfy(TextRule.isAllowed) else {
            throw Self.problem("It must be an absolute path.")
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard let name = parts.last, !parts.contains(""), !parts.contains("."), !parts.contains("..") else {
            throw Self.problem("It must be the path of a file, without empty parts, \".\" or \"..\".")
        }
        let folder = try Self.resolve("/" + parts.dropLast().joined(separator: "/"))
        if let directory { try Self.require(folder, below: directory) }
        path = (folder == "/" ? "" : folder) + "/" + name
        // The attributes of a link itself, not of its target; a path without attributes is unused.
        guard (try? FileManager.default.attributesOfItem(atPath: path)) == nil else {
            throw Self.problem("A file already exists at this path.")
        }
    }

    private static func require(_ folder: String, below directory: String) throws {
        let allowed = try resolve(directory)
        guard folder == allowed || folder.hasPrefix(allowed == "/" ? "/" : allowed + "/") else {
            throw problem("It must be below backup.directory.")
        }
    }

    private static func resolve(_ folder: String) throws -> String {
        guard let resolved = realpath(folder, nil) else { throw problem("Its folder does not exist.") }
        defer { free(resolved) }
        let path = String(cString: resolved)
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw problem("Its parent is not a folder.")
        }
        return path
    }

    static func problem(_ message: String) -> ApplicationError { .refused(.invalid(field: "path"), message: message) }
}
