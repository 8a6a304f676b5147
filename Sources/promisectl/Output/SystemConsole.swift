import Foundation
import UnixSignals

/// The process's own streams, environment and signals.
struct SystemConsole: Console {
    var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
    var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    var size: TerminalSize? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }

    func variable(_ name: String) -> String? {
        ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    func warn(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    func readLine() -> String? { Swift.readLine(strippingNewline: true) }

    func interruptions() async -> AsyncStream<ExitStatus> {
        await stream(of: [.sigint, .sigterm]) { $0 == .sigint ? .interrupted : .terminated }
    }

    func resizes() async -> AsyncStream<Void> { await stream(of: [.sigwinch]) { _ in } }

    private func stream<Value: Sendable>(
        of trapped: [UnixSignal],
        _ value: @escaping @Sendable (UnixSignal) -> Value
    ) async -> AsyncStream<Value> {
        let signals = await UnixSignalsSequence(trapping: trapped)
        // Only that there was one matters, not how many.
        let (stream, continuation) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingOldest(1))
        // Ended when the stream's reader ends.
        let listening = Task {
            for await signal in signals { continuation.yield(value(signal)) }
            continuation.finish()
        }
        continuation.onTermination = { _ in listening.cancel() }
        return stream
    }
}
