internal import Foundation
internal import Glibc

/// What the kernel says of this process and its surroundings.
enum ProcessReading {
    /// Resident memory in bytes; 0 when the kernel does not tell.
    static var residentBytes: Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }

    /// Memory of the machine in bytes that programs may still take, and all of it; nil when the kernel does not tell.
    static var memory: (available: Int, total: Int)? {
        guard let text = try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8) else { return nil }
        func bytes(_ name: String) -> Int? {
            let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1_024 }
        }
        guard let available = bytes("MemAvailable"), let total = bytes("MemTotal") else { return nil }
        return (available, total)
    }

    /// How many files are open, and how many may be; nil when the kernel does not tell.
    static var files: (open: Int, limit: Int)? {
        var limit = rlimit()
        guard let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
            getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0
        else { return nil }
        return (open, Int(clamping: limit.rlim_cur))
    }

    /// The free and the whole space in bytes of the file system that a path lies on; nil when it can't be asked.
    static func space(at path: String) -> (free: Int, total: Int)? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let block = Int(clamping: status.f_frsize)
        return (Int(clamping: status.f_bavail) * block, Int(clamping: status.f_blocks) * block)
    }
}
