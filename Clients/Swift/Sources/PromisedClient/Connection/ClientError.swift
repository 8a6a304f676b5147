public import PromisedProtocol

/// The reason that a call has no reply.
public enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server refused the request.
    case refused(WireErrorReply)
    /// The connection was lost before the reply arrived; the request may or may not have been executed.
    case disconnected
    /// There was no reply, or no connection, in time.
    case timedOut
    /// The calling task was cancelled.
    case cancelled
    /// The client was closed.
    case closed
    /// The protocol does not define the reply for this request.
    case unexpectedReply
    /// The request cannot be written in the codec.
    case unencodable
    /// A feed was read too slowly and ended; follow the promise again from the last mark.
    case readTooSlowly
    /// The bytes of a file do not have its size or its SHA-256.
    case corrupted

    /// The server's code, if it refused with one that this version knows.
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
        case .timedOut: "the server did not answer in time"
        case .cancelled: "cancelled"
        case .closed: "the client is closed"
        case .unexpectedReply: "the server sent an unexpected reply"
        case .unencodable: "the request cannot be encoded"
        case .readTooSlowly: "the app read the feed too slowly"
        case .corrupted: "the bytes of the file do not match its size or its digest"
        }
    }
}

extension WireErrorReply {
    /// The error of a server that could not decode a frame, from the reason of its close: a sentence, and behind a colon the
    /// field, if it names one.
    init(malformedFrame reason: String) {
        self.init(.requestInvalid, message: reason)
        if let colon = reason.lastIndex(of: ":") { field = String(reason[colon...].dropFirst(2)) }
    }
}
