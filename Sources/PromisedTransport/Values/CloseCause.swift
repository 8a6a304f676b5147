/// Why a connection has ended.
public enum CloseCause: Sendable, Hashable {
    /// The peer sent a close frame first; the code is 1005 when it named none.
    case byPeer(code: UInt16, text: String)
    /// This end closed it: asked to, or because a limit or deadline was passed, or the peer broke the protocol.
    case byThisEnd(code: UInt16)
    /// The connection broke without a close frame.
    case lost

    /// The code of the close frame; 1006 when there was none.
    public var code: UInt16 {
        switch self {
        case .byPeer(let code, _), .byThisEnd(let code): code
        case .lost: 1006
        }
    }
}
