internal import Foundation
internal import Glibc

/// The files and sockets of this process.
enum OpenFiles {
    private static let folder = "/proc/self/fd"

    /// How many are open; 0 when it can't be told. Linux 6.2 and later tell the number as the size of the folder; before,
    /// its entries are counted.
    static var count: Int {
        let size = (try? FileManager.default.attributesOfItem(atPath: folder))?[.size] as? Int
        if let size, size > 0 { return size }
        return (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
    }

    /// How many may be open.
    static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }
}
