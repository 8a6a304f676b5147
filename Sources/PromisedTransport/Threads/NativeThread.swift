import CWebSockets
import Glibc

/// Native threads, for calls that block and so must not run on the cooperative pool.
package enum NativeThread {
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Runs `body` on a new thread; `false`, without running it, if the system cannot create a thread.
    /// - Parameter name: shown by debuggers, at most 15 bytes.
    package static func run(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        var thread = pthread_t()
        // Retained for the new thread, which takes ownership; released here only if there is no thread.
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        guard pthread_create(&thread, nil, nativeThreadMain, start.toOpaque()) == 0 else {
            start.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    fileprivate static func main(_ argument: UnsafeMutableRawPointer) {
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        _ = cws_name_thread(String(start.name.prefix(15)))
        start.body()
    }
}

private func nativeThreadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { NativeThread.main(argument) }
    return nil
}
