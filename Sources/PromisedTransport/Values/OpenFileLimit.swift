import Glibc

/// How many files the process may open.
enum OpenFileLimit {
    /// More than this is neither needed nor wise: the library keeps a table of that many entries per thread.
    private static let ceiling: rlim_t = 1 << 20
    private static let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))

    /// Raises the soft limit to the hard one (2²⁰ at most, and no more than that) and returns it.
    static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return 1024 }
        let wanted = min(limit.rlim_max, ceiling)
        guard limit.rlim_cur != wanted else { return Int(wanted) }
        let before = min(limit.rlim_cur, ceiling)
        limit.rlim_cur = wanted
        return setrlimit(kind, &limit) == 0 ? Int(wanted) : Int(before)
    }
}
