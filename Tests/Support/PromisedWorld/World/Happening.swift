internal import PromisedDomain

/// An entry of a world's agenda.
enum Happening: Sendable {
    case wake(VirtualClock, Int)
    /// Completes an operation of a server's disk; one of a dead server has no effect.
    case disk(number: Int)
    /// The next act of the story.
    case act(Int)
    /// A request arrives at the server.
    indirect case request(Request)
    /// A frame arrives at a client.
    indirect case frame(Frame, ConnectionNumber)
    /// The server detects the end of a connection.
    case notice(ConnectionNumber)
    /// A client detects the end of its connection.
    case lose(phone: Int, ConnectionNumber)
    /// A phone makes its next fix.
    indirect case fix(phone: Int, Walk, number: Int)
    /// A phone makes the next points of a recording.
    case point(phone: Int, recording: Int)
    /// A client's wait for an answer times out.
    case impatience(phone: Int, request: Int)
    case connect(phone: Int)
    /// A message from or to the app arrives; or the app detects the end of its connection.
    case appUp(ConnectionNumber, [UInt8])
    case appDown(ConnectionNumber, [UInt8])
    case appCut(ConnectionNumber)
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
