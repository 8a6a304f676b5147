internal import Foundation
internal import Glibc

/// What the system says of the machine.
enum MachineReading {
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

    /// The free and the whole space in bytes of the file system that a path lies on; nil when it can't be asked.
    static func space(at path: String) -> (free: Int, total: Int)? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let block = Int(clamping: status.f_frsize)
        return (Int(clamping: status.f_bavail) * block, Int(clamping: status.f_blocks) * block)
    }
}
