internal import Glibc
internal import Logging
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedStore
internal import PromisedWire

/// Backups and checks of the database while it is in use.
struct BackupAdministration: Sendable {
    /// At most so many breaches are shown.
    static let breachLimit = 500

    let store: Store
    let archive: StoreArchive
    /// The folder that backups must be below; nil for anywhere.
    let directory: String?
    let log: Logger
    /// Each reads everything, so there is one at a time.
    private let isBusy = Guarded(false)

    init(store: Store, archive: StoreArchive, directory: String?, log: Logger) {
        self.store = store
        self.archive = archive
        self.directory = directory
        self.log = log
    }

    /// Answers `backUp`.
    func backUp(_ request: WireAdminBackUp, from caller: AdminCaller) async throws(RequestError) -> AdminReply {
        let path = try BackupPath(request.path, below: directory).path
        return try await alone { () async throws(RequestError) in
            let begun = ContinuousClock.now
            var reply = WireAdminBackup()
            reply.path = path
            reply.startedAt = WireTimestamp(RealTime.now)
            // What waits to be written behind is not acknowledged, but nobody wants a backup without it.
            if await !archive.flush() { log.warning("Positions that wait to be written are not in the backup") }
            try await RequestError.stored { () async throws(StoreError) in
                try await store.record(caller.audit("backUp", detail: path))
            }
            reply.bytes = Double(try await write(to: path))
            reply.tookMs = begun.millisecondsUntilNow
            return .backup(reply)
        }
    }

    /// Answers `verify`.
    func verify() async throws(RequestError) -> AdminReply {
        try await alone { () async throws(RequestError) in
            let begun = ContinuousClock.now
            let violations = try await RequestError.stored { () async throws(StoreError) in try await store.verify() }
            var reply = WireAdminVerification()
            reply.breaches = violations.prefix(Self.breachLimit).map { violation in
                var breach = WireAdminBreach()
                breach.check = violation.check
                breach.detail = violation.detail.bounded(characters: 40)
                return breach
            }
            reply.tookMs = begun.millisecondsUntilNow
            return .verification(reply)
        }
    }

    private func write(to path: String) async throws(RequestError) -> Int {
        do throws(StoreError) {
            return try await store.backUp(to: path)
        } catch .fileSystem(let code) {
            guard code != EEXIST else { throw BackupPath.problem("There is something at this path already.") }
            throw BackupPath.problem("It cannot be written: \(String(cString: strerror(code))).")
        } catch {
            log.error("A backup could not be made", metadata: ["error": "\(error)"])
            throw RequestError(error)
        }
    }

    private func alone(
        _ work: () async throws(RequestError) -> AdminReply
    ) async throws(RequestError) -> AdminReply {
        let isFirst = isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
        guard isFirst else {
            throw RequestError(
                .serverUnavailable,
                message: "A backup or a check is under way.",
                retryAfter: .seconds(5)
            )
        }
        defer { isBusy.withLock { $0 = false } }
        return try await work()
    }
}

extension ContinuousClock.Instant {
    /// How long ago this was, in milliseconds.
    var millisecondsUntilNow: Double { (ContinuousClock.now - self) / .milliseconds(1) }
}
