import CWebSockets
import Glibc

enum OpenFileLimit {
    /// The limit is never raised beyond this: the library keeps a table of that many entries per thread.
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

/// How the process manages unused memory.
///
/// The C library gives each thread a heap of its own and keeps freed memory. Tasks of a sign-in need several times the
/// memory that a connection holds later: after thousands at once, most of that would be lost.
package enum ProcessMemory {
    /// Makes all threads share one heap, so that each can reuse what another frees. Call it before there is a second
    /// thread: existing heaps remain.
    package static func shareHeap() { cws_share_heap() }

    /// Gives free memory back to the system; takes some milliseconds, during which threads that allocate may wait.
    package static func giveBack() { cws_trim_heap() }
}
