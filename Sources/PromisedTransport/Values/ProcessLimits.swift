import CWebSockets
import Glibc

enum OpenFileLimit {
    /// The limit is never raised beyond this: the library allocates a table with that many entries per thread.
    private static let ceiling: rlim_t = 1 << 20
    private static let kind = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))

    /// Raises the soft limit to the hard one, but at most to 2²⁰, and returns it.
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

/// How the process manages unused memory.
///
/// The C library gives each thread its own heap and keeps freed memory. Tasks of a sign-in need several times the
/// memory that a connection uses later: after thousands at once, most of that memory would stay unused.
package enum ProcessMemory {
    /// Makes all threads share one heap, so that each can reuse memory freed by another. Call this before there is a
    /// second thread: existing heaps stay.
    package static func shareHeap() { cws_share_heap() }

    /// Returns free memory to the system; takes several milliseconds, during which threads that allocate may wait.
    package static func giveBack() { cws_trim_heap() }
}
