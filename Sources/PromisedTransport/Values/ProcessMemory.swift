import CWebSockets

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
