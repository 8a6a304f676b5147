import PromisedProtocol

/// A line for everything that happens, where output is no terminal.
struct LineScreen: WatchScreen {
    private let console: any Console

    init(_ console: any Console) {
        self.console = console
    }

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
