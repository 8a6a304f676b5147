// Not in a file with Foundation, through which `stat` is not visible.
internal import Glibc

/// The files and sockets of this process.
enum OpenFiles {
    private static let folder = "/proc/self/fd"

    /// How many are open; 0 when it can't be told. Linux 6.2 and later tell the number as the size of the folder; before,
    /// its entries are counted.
    static var count: Int {
        var status = stat()
        if stat(folder, &status) == 0, status.st_size > 0 { return Int(status.st_size) }
        return counted
    }

    /// How many may be open.
    static var limit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { return 0 }
        return Int(clamping: limit.rlim_cur)
    }

    /// The entries of the folder without its own two.
    private static var counted: Int {
        guard let entries = opendir(folder) else { return 0 }
        defer { closedir(entries) }
        var count = 0
        while readdir(entries) != nil { count += 1 }
        return max(0, count - 2)
    }
}
