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
