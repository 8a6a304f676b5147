public import PromisedWire

/// Why a call was not answered with its reply.
public enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server said no.
    case refused(WireErrorReply)
    /// The connection was lost before the reply came; whether the request was carried out is not known.
    case disconnected
    /// There was no reply, or no connection, in time.
    case timedOut
    /// The calling task was cancelled.
    case cancelled
    /// The client was closed.
    case closed
    /// The reply was not one that the protocol has for this request.
    case unexpectedReply
    /// The request cannot be written in the codec.
    case unencodable

    /// The server's code, if it said no with one that this version knows.
    public var code: ErrorCode? {
        if case .refused(let reply) = self { return reply.knownCode }
        return nil
    }

    /// A sentence for people.
    public var description: String {
        switch self {
        case .refused(let reply):
            "refused: \(reply.code)\(reply.field.isEmpty ? "" : " (\(reply.field))"): \(reply.message)"
        case .disconnected: "the connection was lost"
        case .timedOut: "no answer in time"
        case .cancelled: "cancelled"
        case .closed: "the client is closed"
        case .unexpectedReply: "the server answered something else than asked"
        case .unencodable: "the request cannot be written"
        }
    }
}

/// What a client tells besides replies.
public enum ClientNotice: Hashable, Sendable {
    /// Connected, and signed in if the client knows a session: subscribe again now.
    case connected
    /// The connection ended.
    case disconnected(code: UInt16, willReconnect: Bool)
    /// An attempt to connect failed; the next follows.
    case attemptFailed(String)
    /// An event from the server.
    case event(WireEvent)
    /// An error to a request that wanted no reply.
    case error(WireErrorReply)
}
