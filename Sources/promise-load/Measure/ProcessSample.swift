import Foundation

/// The kernel's counters of a process (Linux, `/proc`).
struct ProcessSample: Hashable, Sendable {
    /// Processor time in user and kernel mode since its start, in seconds.
    var cpuSeconds: Double
    /// Resident memory in bytes, without the kernel's socket buffers.
    var memoryBytes: Int

    /// A sample of a process; nil if it has ended or belongs to another user.
    init?(pid: Int32) {
        guard let status = Self.text(of: "/proc/\(pid)/stat"), let cpu = Self.cpuSeconds(stat: status),
            let memory = Self.text(of: "/proc/\(pid)/status").flatMap(Self.memoryBytes)
        else { return nil }
        cpuSeconds = cpu
        memoryBytes = memory
    }

    init(cpuSeconds: Double, memoryBytes: Int) {
        self.cpuSeconds = cpuSeconds
        self.memoryBytes = memoryBytes
    }

    /// From the line of `stat`, fields 14 and 15 of proc(5); the second field, a name in parentheses, may contain
    /// spaces.
    static func cpuSeconds(stat: String) -> Double? {
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// From `status`: the line `VmRSS`, in KiB.
    static func memoryBytes(status: String) -> Int? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }) else { return nil }
        return line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }.map {
            $0 * 1_024
        }
    }

    private static func text(of path: String) -> String? {
        // Files in /proc have no length: they are read to their end. A missing file is a valid result.
        guard let file = FileHandle(forReadingAtPath: path), let bytes = try? file.readToEnd() else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The peer's usage during the measurement.
struct PeerUsage: Hashable, Sendable {
    /// The peer's memory at one moment.
    struct Memory: Hashable, Sendable, Codable {
        /// The seconds since the measurement began.
        var second: Double
        var bytes: Int
    }

    /// The first sample; nil if the process is unknown.
    var first: ProcessSample?
    var last: ProcessSample?
    /// Sampled every ten seconds in between.
    var memory: [Memory] = []

    /// Processor seconds used; nil if unknown.
    var cpuSeconds: Double? {
        guard let first, let last else { return nil }
        return last.cpuSeconds - first.cpuSeconds
    }

    /// The growth of the memory from the end of the third minute to the end; nil for a shorter run.
    var growthBytes: Int? {
        guard let last, let base = memory.first(where: { $0.second >= 180 }) else { return nil }
        return last.memoryBytes - base.bytes
    }
}
