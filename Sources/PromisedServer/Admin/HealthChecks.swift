internal import Foundation
internal import Glibc
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedGateway
internal import PromisedProtocol
internal import PromisedSettings
internal import PromisedStore
internal import PromisedWire

/// The health checks of `promisectl doctor`, and the facts of this process.
struct HealthChecks: HostProcess {
    let store: StoreUpkeep
    let files: Files
    let settings: ServerSettings
    let clock: ClockCheck
    let integrity: IntegrityWatch

    var version: String { ProductVersion.text }
    var residentBytes: Int { ProcessReading.now().residentBytes }

    func checks() async -> [WireAdminHealthCheck] {
        var findings = [await storage(), await integrity.finding(), await migrations()]
        findings += [
            Self.disk(space: MachineReading.space(at: settings.dataDirectory)),
            clock.finding(at: RealTime.now, .now),
            Self.certificate(file: settings.tls.certificate, at: RealTime.now),
            .ok("version", "promised \(ProductVersion.text)"),
            Self.files((OpenFiles.count, OpenFiles.limit)),
            Self.memory(resident: ProcessReading.now().residentBytes, machine: MachineReading.memory),
        ]
        let kept = await self.kept()
        findings += kept
        return findings.map(\.wire)
    }

    // MARK: - The store

    private func storage() async -> HealthFinding {
        do throws(StoreError) {
            try await store.checkWritable()
            return .ok("storage", "The database can be written.")
        } catch {
            let advice = "Check the data directory for a full disk or wrong permissions; the log has details."
            return .failed("storage", "The database cannot be written: \(error).", advice: advice)
        }
    }

    private func migrations() async -> HealthFinding {
        do throws(StoreError) {
            let last = try await store.appliedMigrations().last ?? "none"
            return .ok("migrations", "No migration is pending; the last one was \(last).")
        } catch {
            return .failed("migrations", "The schema cannot be read: \(error).", advice: "The log has details.")
        }
    }

    // MARK: - What users keep

    private func kept() async -> [HealthFinding] {
        do {
            let statistics = try await files.statistics()
            return [
                Self.keptFiles(
                    (statistics.fileCount, statistics.fileBytes),
                    uploads: statistics.uploads,
                    free: statistics.freeBytes,
                    keepFree: Int64(settings.files.keepFree)
                ),
                Self.unreadable(await files.unreadable),
                .ok("recordings", "Recordings that have not ended: \(statistics.openRecordings)."),
                Self.exports(statistics.exports),
            ]
        } catch {
            let detail = "Files, recordings and exports cannot be counted: \(error)."
            return [.failed("kept-files", detail, advice: "The log has details.")]
        }
    }

    /// Warns while the server rejects uploads.
    static func keptFiles(
        _ files: (count: Int, bytes: Int64),
        uploads: Int,
        free: Int64?,
        keepFree: Int64
    ) -> HealthFinding {
        let name = "kept-files"
        let size = SizeText.rounded(Int(files.bytes))
        let detail = "Files of users: \(files.count) with \(size); uploads that are not complete: \(uploads)."
        guard let free else {
            let advice = "Check the folder `files` of the data directory and its permissions."
            return .failed(name, detail + " Their folder cannot be checked.", advice: advice)
        }
        guard free < keepFree else { return .ok(name, detail) }
        let advice = "Free space on the disk of the data directory, or lower files.keep-free."
        return .warning(name, detail + " The server rejects uploads: the disk is too full.", advice: advice)
    }

    /// Warns if a file could not be read.
    static func unreadable(_ files: UnreadableFiles) -> HealthFinding {
        let name = "readable-files"
        guard let last = files.last else { return .ok(name, "All files that were asked for could be read.") }
        return .warning(
            name,
            "Files that were asked for and could not be read since the start: \(files.count), the last one \(last).",
            advice: "Run promisectl verify, and put the files that it names back from a backup."
        )
    }

    /// Warns above 20 pending exports, because the server makes one at a time.
    static func exports(_ waiting: Int) -> HealthFinding {
        let detail = "Exports that the server has to make: \(waiting)."
        guard waiting > 20 else { return .ok("exports", detail) }
        let advice = "If the number does not fall, look for \"Exports wait for storage\" in the log."
        return .warning("exports", detail, advice: advice)
    }

    // MARK: - The machine

    /// Warns below 1 GiB or 5 %, fails below 64 MiB.
    static func disk(space: (free: Int, total: Int)?) -> HealthFinding {
        guard let (free, total) = space else {
            return .failed("disk", "The data directory cannot be checked.", advice: "Check its path and permissions.")
        }
        let detail = "\(SizeText.rounded(free)) of \(SizeText.rounded(total)) are free."
        let advice = "Free space on the disk of the data directory, or shorten the retention of positions."
        if free < 64 << 20 { return .failed("disk", detail, advice: advice) }
        return free < min(1 << 30, total / 20) ? .warning("disk", detail, advice: advice) : .ok("disk", detail)
    }

    /// - Parameter files: both 0 if the system does not provide them.
    static func files(_ files: (open: Int, limit: Int)) -> HealthFinding {
        let (open, limit) = files
        guard open > 0, limit > 0 else { return .skipped("files", "The system does not provide this number.") }
        let detail = "\(open) of \(limit) files are open."
        let advice = "Raise the limit of open files (LimitNOFILE of the unit), or lower limits.connections."
        return open > limit / 10 * 9 ? .warning("files", detail, advice: advice) : .ok("files", detail)
    }

    static func memory(resident: Int, machine: (available: Int, total: Int)?) -> HealthFinding {
        let own = "The server uses \(SizeText.rounded(resident))"
        guard let (available, total) = machine else { return .ok("memory", own + ".") }
        let detail = "\(own); \(SizeText.rounded(available)) of \(SizeText.rounded(total)) are available."
        guard available < total / 20 else { return .ok("memory", detail) }
        return .warning("memory", detail, advice: "Add memory to the machine, or find the processes that use it.")
    }

    // MARK: - The certificate

    /// Warns from 14 days before the expiry.
    static func certificate(file: String?, at now: Instant) -> HealthFinding {
        guard let file else { return .skipped("certificate", "The server runs without TLS.") }
        let advice = "Renew the certificate, then send the server SIGHUP."
        guard let end = CertificateEnd(file: file)?.instant else {
            return .failed("certificate", "\(file) contains no readable certificate.", advice: advice)
        }
        let detail = "\(file) is valid until \(end.rfc3339)."
        if end <= now { return .failed("certificate", detail, advice: advice) }
        return end - now < .days(14) ? .warning("certificate", detail, advice: advice) : .ok("certificate", detail)
    }
}

/// Readings of the machine.
enum MachineReading {
    /// The machine's available and total memory in bytes; nil if the kernel does not provide them.
    static var memory: (available: Int, total: Int)? {
        guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8) else { return nil }
        func bytes(_ name: String) -> Int? {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
        }
        guard let available = bytes("MemAvailable"), let total = bytes("MemTotal") else { return nil }
        return (available, total)
    }

    /// The free and total bytes of the file system of a path; nil if it cannot be queried.
    static func space(at path: String) -> (free: Int, total: Int)? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let block = Int(clamping: status.f_frsize)
        return (Int(clamping: status.f_bavail) * block, Int(clamping: status.f_blocks) * block)
    }
}
