#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes log lines to standard error, each with one call to the system, so that lines of several threads never mix.
struct StandardErrorSink: LogSink {
    /// Where the lines go; standard error unless a test reads them.
    var descriptor = STDERR_FILENO

    /// Writes a line. What cannot be written is given up: there is nowhere left to complain.
    func write(_ line: String) {
        var rest = Array(line.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}

/// `write` of the C library, whose name the method takes.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
