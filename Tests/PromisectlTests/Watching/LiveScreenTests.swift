import PromisedProtocol
import Testing

@testable import promisectl

@Suite("A live table")
struct LiveScreenTests {
    /// A terminal that understands the sequences of the screen; it has no colours.
    private struct Terminal {
        private(set) var lines: [String] = [""]
        private var row = 0

        init(_ text: String) {
            var rest = text.unicodeScalars[...]
            while let scalar = rest.popFirst() {
                switch scalar {
                case "\u{1B}": control(&rest)
                case "\n": newLine()
                case "\r": lines[row] = ""
                default: lines[row].unicodeScalars.append(scalar)
                }
            }
        }

        private mutating func newLine() {
            row += 1
            if row == lines.count { lines.append("") }
            lines[row] = ""
        }

        private mutating func control(_ rest: inout Substring.UnicodeScalarView) {
            rest.removeFirst()
            var parameter = ""
            while let scalar = rest.popFirst() {
                if scalar.properties.isAlphabetic { return apply(scalar, Int(parameter) ?? 0) }
                parameter.unicodeScalars.append(scalar)
            }
        }

        private mutating func apply(_ final: Unicode.Scalar, _ count: Int) {
            switch (final, count) {
            case ("A", _): row -= count
            case ("J", 2): (lines, row) = ([""], 0)
            case ("J", _): lines.removeSubrange((row + 1)...)
            default: break
            }
        }
    }

    @Test func `is drawn in its own place`() throws {
        let console = StubConsole(isTerminal: true, size: TerminalSize(columns: 80, rows: 24))
        var screen = LiveScreen(console)
        let reply = try WireSubscribed.sample()
        var board = WatchBoard(reply)
        screen.began(reply, board)
        for metres in [900.0, 800, 700] {
            let event = try WireEvent.positions([("ada", metres)])
            _ = board.take(event)
            screen.heard(event, board)
        }
        let lines = Terminal(console.output).lines
        #expect(lines.filter { $0.contains("RANK") }.count == 1)
        #expect(lines.contains { $0.contains("ada") && $0.contains("700 m") })
        #expect(!lines.contains { $0.contains("800 m") })
        #expect(lines.count == 6)
    }

    @Test func `never outgrows the terminal`() throws {
        let console = StubConsole(isTerminal: true, size: TerminalSize(columns: 20, rows: 6))
        var screen = LiveScreen(console)
        let reply = try WireSubscribed.sample((1...20).map { "somebody\($0)" })
        screen.began(reply, WatchBoard(reply))
        let lines = Terminal(console.output).lines
        #expect(lines.count <= 6)
        #expect(lines.allSatisfy { TextWidth.columns(of: $0) < 20 })
        #expect(lines.contains("…"))
    }

    @Test func `starts over on a terminal of another size`() throws {
        let console = StubConsole(isTerminal: true, size: TerminalSize(columns: 80, rows: 24))
        var screen = LiveScreen(console)
        let reply = try WireSubscribed.sample()
        let board = WatchBoard(reply)
        screen.began(reply, board)
        screen.note("the connection was lost", board)
        screen.resized(board)
        let lines = Terminal(console.output).lines
        #expect(lines.filter { $0.contains("RANK") }.count == 1)
        #expect(lines.filter { $0.contains("the connection was lost") }.count == 1)
    }
}
