import CWebSockets

/// How the process deals with memory that it no longer uses.
///
/// The C library gives each thread a heap of its own and keeps what was freed. After thousands of connections have signed
/// in at once, whose tasks need several times the memory that a connection holds later, most of that would be lost.
public enum ProcessMemory {
    /// Has the threads share two heaps. To be called before there are many threads.
    public static func shareHeaps() { _ = cws_limit_heaps(2) }

    /// Gives what is free back to the system; takes some milliseconds, during which threads that allocate may wait.
    public static func giveBack() { cws_trim_heaps() }
}
