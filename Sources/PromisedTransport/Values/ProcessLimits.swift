import CWebSockets
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

/// How the process deals with memory that it no longer uses.
///
/// The C library gives each thread a heap of its own and keeps what was freed. After thousands of connections have signed
/// in at once, whose tasks need several times the memory that a connection holds later, most of that would be lost.
public enum ProcessMemory {
    /// Has all threads share one heap: what one frees another uses. To be called before there is a second thread, for heaps
    /// that are there remain.
    public static func shareHeap() { cws_share_heap() }

    /// Gives what is free back to the system; takes some milliseconds, during which threads that allocate may wait.
    public static func giveBack() { cws_trim_heap() }
}
