// Both modules have the C library's time types; the compiler picks those that it loads first.
internal import CoreFoundation
internal import Foundation
internal import Glibc

/// Readings of this process from `/proc/self`.
struct ProcessReading: Sendable {
    /// User and system time since the start.
    var cpuSeconds = 0.0
    /// The start of the process, in seconds since 1970.
    var startSeconds = 0.0
    var residentBytes = 0
    /// The size of the address space.
    var virtualBytes = 0
    var threads = 0
    /// The number of open files and sockets.
    var openFiles = 0
    /// The limit of open files and sockets.
    var maximumFiles = 0

    /// Reads the values; without `/proc` they stay 0.
    static func now() -> ProcessReading {
        var reading = ProcessReading()
        reading.take(stat: text(of: "/proc/self/stat"), bootSeconds: bootSeconds)
        reading.openFiles = OpenFiles.count
        reading.maximumFiles = OpenFiles.limit
        return reading
    }

    /// Parses `/proc/self/stat` (proc_pid_stat(5)). The second field is the name in parentheses, which may itself
    /// contain spaces and parentheses, so the fields are counted from the last one.
    mutating func take(stat text: String, bootSeconds: Double) {
        guard let end = text.lastIndex(of: ")") else { return }
        let fields = text[text.index(after: end)...].split(separator: " ")
        func field(_ number: Int) -> Double {
            let index = number - 3
            return fields.indices.contains(index) ? Double(fields[index]) ?? 0 : 0
        }
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        cpuSeconds = (field(14) + field(15)) / ticks
        threads = Int(field(20))
        startSeconds = bootSeconds + field(22) / ticks
        virtualBytes = Int(field(23))
        residentBytes = Int(field(24)) * max(1, sysconf(Int32(_SC_PAGESIZE)))
    }

    /// When the machine started, in seconds since 1970. Not from `/proc/stat`, which a sandboxed service cannot read.
    private static var bootSeconds: Double { seconds(on: CLOCK_REALTIME) - seconds(on: CLOCK_BOOTTIME) }

    private static func seconds(on clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The text of a file of `/proc`, which has no size and is read to its end; empty if it can't be read.
    private static func text(of path: String) -> String {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

enum OpenFiles {
    private static let folder = "/proc/self/fd"

    /// The number of open files; 0 if unknown. Linux 6.2 and later report it as the size of the folder; before, the
    /// entries are counted.
    static var count: Int {
        let size = (try? FileManager.default.attributesOfItem(atPath: folder))?[.size] as? Int
        if let size, size > 0 { return size }
        return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }
}
