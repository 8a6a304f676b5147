internal import PromisedDomain

/// An entry of a world's agenda.
enum Happening: Sendable {
    /// A sleeper's instant has come.
    case wake(VirtualClock, Int)
    /// The disk of a server is done; work of a dead one ends without effect.
    case disk(number: Int)
    /// The next act of the story.
    case act(Int)
    /// A request arrives at the server.
    indirect case request(Request)
    /// A frame arrives at a client.
    indirect case frame(Frame, ConnectionNumber)
    /// The server notices the end of a connection.
    case notice(ConnectionNumber)
    /// A client learns of the end of its connection.
    case lose(phone: Int, ConnectionNumber)
    /// A phone makes its next fix.
    indirect case fix(phone: Int, Walk, number: Int)
    /// A phone makes the next points of a recording.
    case point(phone: Int, recording: Int)
    /// A client has waited long enough for an answer.
    case impatience(phone: Int, request: Int)
    /// A client tries to connect.
    case connect(phone: Int)
    /// A message of the app, or for it, arrives; or the app learns of the end of its connection.
    case appUp(ConnectionNumber, [UInt8])
    case appDown(ConnectionNumber, [UInt8])
    case appCut(ConnectionNumber)
    /// The app's phone makes its next position, or its next points.
    indirect case appFix(Walk, number: Int)
    case appPoints(left: Int)
    /// The world looks whether the app knows the events of its promises.
    case appLook
    /// The database may grow again.
    case unchoke
    /// The server is started again.
    case start
    /// The network and the disk become sound, and everybody connects anew.
    case calm
    /// Everybody looks at their statistics.
    case lookBack
}
