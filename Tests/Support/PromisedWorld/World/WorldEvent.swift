internal import PromisedDomain

/// An entry of a world's queue.
enum WorldEvent: Sendable {
    case wake(VirtualClock, Int)
    /// Completes an operation of a server's disk; one of a dead server has no effect.
    case disk(number: Int)
    /// The next act of the story.
    case act(Int)
    /// A frame arrives at the server.
    indirect case up(ClientMessage)
    /// A frame arrives at a client.
    indirect case down(ServerMessage)
    /// The server detects the end of a connection.
    case notice(ConnectionNumber)
    /// A client detects the end of its connection.
    case lose(phone: Int, ConnectionNumber)
    /// A phone makes its next fix.
    indirect case fix(phone: Int, Walk, number: Int)
    /// A phone makes the next points of a recording.
    case point(phone: Int, recording: Int)
    /// A client's wait for an answer times out.
    case impatience(phone: Int, request: UInt32)
    case connect(phone: Int)
    /// The app detects the end of its connection.
    case appCut(ConnectionNumber, code: UInt16)
    /// The app's phone makes its next position, or its next points.
    indirect case appFix(Walk, number: Int)
    case appPoints(left: Int)
    /// The world checks that the app knows the events of its promises.
    case appLook
    /// The database may grow again.
    case unchoke
    /// The server is restarted.
    case start
    /// The network and the disk become reliable, and everyone reconnects.
    case calm
    /// Everyone requests their statistics.
    case lookBack
}
