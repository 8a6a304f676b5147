import PromisedProtocol

/// The output of a watch, one kind per reader.
protocol WatchScreen: Sendable {
    /// Called with a snapshot: the first, or another after a lost connection.
    mutating func began(_ reply: WireSubscribed, _ board: WatchBoard) throws(Failure)
    mutating func heard(_ event: WireEvent, _ board: WatchBoard) throws(Failure)
    /// Called when the terminal's size has changed.
    mutating func resized(_ board: WatchBoard)
    /// Shows a message about the watch itself.
    mutating func note(_ text: String, _ board: WatchBoard)
    /// Called once at the end, after `began`.
    mutating func ended(_ board: WatchBoard) throws(Failure)
}

extension WatchScreen {
    mutating func resized(_ board: WatchBoard) {}
}

/// A line for every event, if output is not a terminal.
struct LineScreen: WatchScreen {
    private let console: any Console

    init(_ console: any Console) { self.console = console }

    func began(_ reply: WireSubscribed, _ board: WatchBoard) {
        console.write(WatchFrame.lines(of: board, .plain).joined(separator: "\n") + "\n\n")
    }

    func heard(_ event: WireEvent, _ board: WatchBoard) {
        for line in WatchLines.lines(of: event, on: board) { console.write(line + "\n") }
    }

    func note(_ text: String, _ board: WatchBoard) { console.warn("promisectl: \(text)") }

    func ended(_ board: WatchBoard) {
        if let result = board.result { console.write("\n" + Report.result(result).text(.plain) + "\n") }
    }
}

/// The server's frames, one per line: `subscribed` with a snapshot, then each `event`.
struct FrameScreen: WatchScreen {
    private let console: any Console

    init(_ console: any Console) { self.console = console }

    func began(_ reply: WireSubscribed, _ board: WatchBoard) throws(Failure) { try write(.subscribed(reply)) }
    func heard(_ event: WireEvent, _ board: WatchBoard) throws(Failure) { try write(.event(event)) }
    func note(_ text: String, _ board: WatchBoard) { console.warn("promisectl: \(text)") }

    func ended(_ board: WatchBoard) {}

    private func write(_ content: WireContent) throws(Failure) {
        var frame = WireServerFrame()
        frame.content = content
        console.write(try Document(frame).json() + "\n")
    }
}

/// Shows nothing until the end, then the promise, and its result if that is final.
struct DocumentScreen: WatchScreen {
    private let console: any Console

    init(_ console: any Console) { self.console = console }

    func began(_ reply: WireSubscribed, _ board: WatchBoard) {}

    func heard(_ event: WireEvent, _ board: WatchBoard) {}

    func note(_ text: String, _ board: WatchBoard) { console.warn("promisectl: \(text)") }

    func ended(_ board: WatchBoard) throws(Failure) {
        let promise = try Document(board.promise).json()
        guard let result = board.result else { return console.write(#"{"promise":\#(promise)}"# + "\n") }
        console.write(#"{"promise":\#(promise),"result":\#(try Document(result).json())}"# + "\n")
    }
}

/// A table that is redrawn in place on a terminal. The cursor is hidden until the end.
struct LiveScreen: WatchScreen {
    /// Control sequences of ECMA-48 and, for the cursor, of DEC's terminals.
    private enum Sequence {
        static let hideCursor = "\u{1B}[?25l"
        static let showCursor = "\u{1B}[?25h"
        static let clearLine = "\u{1B}[K"
        static let clearBelow = "\u{1B}[J"
        static let clearAll = "\u{1B}[2J\u{1B}[H"
        static func up(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)A" : "" }
    }

    private let console: any Console
    /// The number of lines above the cursor.
    private var drawn = 0
    private var note = ""

    init(_ console: any Console) { self.console = console }

    mutating func began(_ reply: WireSubscribed, _ board: WatchBoard) {
        note = ""
        console.write(Sequence.hideCursor)
        draw(board)
    }

    mutating func heard(_ event: WireEvent, _ board: WatchBoard) { draw(board) }

    mutating func resized(_ board: WatchBoard) {
        // The terminal has rewrapped the lines, so the start of the table is unknown.
        console.write(Sequence.clearAll)
        drawn = 0
        draw(board)
    }

    mutating func note(_ text: String, _ board: WatchBoard) {
        note = text
        draw(board)
    }

    mutating func ended(_ board: WatchBoard) {
        console.write(Sequence.showCursor)
        if let result = board.result { console.write("\n" + Report.result(result).text(console.style) + "\n") }
    }

    private mutating func draw(_ board: WatchBoard) {
        let lines = fitted(board)
        let text = lines.map { $0 + Sequence.clearLine + "\n" }.joined()
        console.write(Sequence.up(drawn) + "\r" + text + Sequence.clearBelow)
        drawn = lines.count
    }

    /// The lines that fit on the terminal, none wider than it, because a wrapped line would spoil the next redraw.
    private func fitted(_ board: WatchBoard) -> [String] {
        let size = console.size ?? TerminalSize(columns: 80, rows: 24)
        let style = console.style
        // Widths are those of the plain lines, because colours take no room. A clipped line loses its colours.
        var lines = zip(lines(board, .plain), lines(board, style)).map { plain, painted in
            TextWidth.columns(of: plain) < size.columns ? painted : TextWidth.clip(plain, to: size.columns - 1)
        }
        let room = max(1, size.rows - 1)
        if lines.count > room { lines = lines.prefix(room - 1) + ["…"] }
        return lines
    }

    private func lines(_ board: WatchBoard, _ style: Style) -> [String] {
        WatchFrame.lines(of: board, style) + (note.isEmpty ? [] : ["", style.paint(note, .warning)])
    }
}
