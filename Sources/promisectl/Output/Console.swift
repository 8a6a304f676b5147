import Foundation
import UnixSignals

/// The input and output of a command; replaceable for tests.
protocol Console: Sendable {
    var isOutputTerminal: Bool { get }
    /// `true` if questions can be answered on a terminal.
    var isInputTerminal: Bool { get }
    /// The size of the terminal now; nil without one.
    var size: TerminalSize? { get }
    /// An environment variable; nil if it is unset or empty.
    func variable(_ name: String) -> String?
    /// Writes to standard output, unbuffered and unchanged.
    func write(_ text: String)
    /// Writes a line to standard error.
    func warn(_ line: String)
    /// A line of standard input without its line break; nil at the end of the input. Blocks.
    func readLine() -> String?
    /// Catches the signals that end the program, from now on; without this call they end it at once.
    func interruptions() async -> AsyncStream<ExitStatus>
    /// Reports changes of the terminal's size, from now on.
    func resizes() async -> AsyncStream<Void>
}

struct TerminalSize: Hashable, Sendable {
    var columns: Int
    var rows: Int
}

extension Console {
    /// The style for standard output.
    var style: Style {
        Style(isColoured: isOutputTerminal && variable("NO_COLOR") == nil && variable("TERM") != "dumb")
    }

    /// `true` if standard output is a terminal that can be redrawn.
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
        // One buffered value is enough: the reader needs no count.
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

struct Style: Hashable, Sendable {
    /// `true` if the output has colours.
    var isColoured: Bool

    /// Text without colours.
    static let plain = Style(isColoured: false)

    /// Text in a tone, if colours are on.
    func paint(_ text: String, _ tone: Tone) -> String {
        guard isColoured, let code = tone.code, !text.isEmpty else { return text }
        return "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}

/// The meaning of a piece of text, shown by its colour.
enum Tone: Hashable, Sendable {
    /// No meaning; the default colour.
    case plain
    case heading
    /// Secondary.
    case faint
    /// Everything is in order.
    case good
    /// Needs attention.
    case warning
    /// An error.
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
