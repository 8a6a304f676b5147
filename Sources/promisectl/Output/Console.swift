import Foundation
import UnixSignals

/// What a command reads from and writes to; a seam for tests.
protocol Console: Sendable {
    /// Whether somebody sees standard output.
    var isOutputTerminal: Bool { get }
    /// Whether somebody can answer a question.
    var isInputTerminal: Bool { get }
    /// How wide and high the terminal is now; nil when there is none.
    var size: TerminalSize? { get }
    /// A variable of the environment; nil for one that is not set or empty.
    func variable(_ name: String) -> String?
    /// Writes to standard output, at once, and as it stands.
    func write(_ text: String)
    /// Writes a line to standard error.
    func warn(_ line: String)
    /// A line of standard input without its end; nil at the end of the input. Blocks.
    func readLine() -> String?
    /// Signals that ask the program to end, from now on; without this call they end it at once.
    func interruptions() async -> AsyncStream<ExitStatus>
    /// Changes of the terminal's size, from now on.
    func resizes() async -> AsyncStream<Void>
}

/// The size of a terminal in characters.
struct TerminalSize: Hashable, Sendable {
    var columns: Int
    var rows: Int
}

extension Console {
    /// How text may look on standard output.
    var style: Style {
        Style(isColoured: isOutputTerminal && variable("NO_COLOR") == nil && variable("TERM") != "dumb")
    }

    /// Whether standard output is a terminal that can redraw what stands there.
    var canRedraw: Bool { isOutputTerminal && variable("TERM") != "dumb" && size != nil }
}

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

/// How text may look.
struct Style: Hashable, Sendable {
    /// Whether the reader sees colours.
    var isColoured: Bool

    /// Text without any colour.
    static let plain = Style(isColoured: false)

    /// Text in a tone, as far as the reader sees it.
    func paint(_ text: String, _ tone: Tone) -> String {
        guard isColoured, let code = tone.code, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}

/// What a piece of text wants to say with its colour.
enum Tone: Hashable, Sendable {
    /// Nothing.
    case plain
    /// A heading.
    case heading
    /// Of little weight.
    case faint
    /// All is well.
    case good
    /// Somebody should look.
    case warning
    /// Something is wrong.
    case bad

    /// The parameter of the terminal's "select graphic rendition" (ECMA-48 8.3.117).
    fileprivate var code: String? {
        switch self {
        case .plain: nil
        case .heading: "1"
        case .faint: "2"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        }
    }
}
