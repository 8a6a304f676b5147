import PromisedProtocol

/// Nothing until the end, then the promise as it stands, and its result when that is final.
struct DocumentScreen: WatchScreen {
    private let console: any Console

    init(_ console: any Console) {
        self.console = console
    }

    func began(_ reply: WireSubscribed, _ board: WatchBoard) {}

    func heard(_ event: WireEvent, _ board: WatchBoard) {}

    func note(_ text: String, _ board: WatchBoard) { console.warn("promisectl: \(text)") }

    func ended(_ board: WatchBoard) throws(Failure) {
        let promise = try Document(board.promise).json()
        guard let result = board.result else { return console.write(#"{"promise":\#(promise)}"# + "\n") }
        console.write(#"{"promise":\#(promise),"result":\#(try Document(result).json())}"# + "\n")
    }
}
