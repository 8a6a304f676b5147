import PromisedProtocol

/// What the server sent, one frame a line: `subscribed` with a snapshot, then each `event`.
struct FrameScreen: WatchScreen {
    private let console: any Console

    init(_ console: any Console) {
        self.console = console
    }

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
