import PromisedProtocol

/// Where a watch is shown; one kind for each reader.
protocol WatchScreen: Sendable {
    /// A snapshot came: the first, or another after a lost connection.
    mutating func began(_ reply: WireSubscribed, _ board: WatchBoard) throws(Failure)
    /// Something happened, which the board has taken.
    mutating func heard(_ event: WireEvent, _ board: WatchBoard) throws(Failure)
    /// The terminal has another size.
    mutating func resized(_ board: WatchBoard)
    /// Something about the watch itself.
    mutating func note(_ text: String, _ board: WatchBoard)
    /// The watch is over, for whatever reason; called once after `began`.
    mutating func ended(_ board: WatchBoard) throws(Failure)
}

extension WatchScreen {
    mutating func resized(_ board: WatchBoard) {}
}
