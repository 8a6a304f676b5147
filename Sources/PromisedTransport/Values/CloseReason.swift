/// Why this end closes a connection, as sent to the peer: a code of RFC 6455 §7.4 or of the application, and a text.
///
/// The codes 4000 to 4499 ask the client to reconnect, 4500 to 4999 tell it not to.
package struct CloseReason: Sendable, Hashable {
    /// The code in the close frame.
    package let code: UInt16
    /// A text for people; truncated after the last whole character within 123 bytes of UTF-8.
    package let text: String

    package init(code: UInt16, text: String = "") {
        self.code = code
        self.text = text
    }

    /// 1000: the connection is no longer needed.
    package static let normal = CloseReason(code: 1000)
    /// 1001: this end is shutting down.
    package static let goingAway = CloseReason(code: 1001, text: "going away")
    /// 1002: a frame violates RFC 6455.
    package static let protocolError = CloseReason(code: 1002, text: "protocol error")
    /// 1007: text that is not UTF-8.
    package static let malformedText = CloseReason(code: 1007, text: "not UTF-8")
    /// 1008: a message was not completed in time.
    package static let messageTooSlow = CloseReason(code: 1008, text: "message incomplete for too long")
    /// 1009: a message is larger than allowed.
    package static let tooLarge = CloseReason(code: 1009, text: "message too large")
    /// 4001: the server is being stopped.
    package static let draining = CloseReason(code: 4001, text: "draining")
    /// 4002: the outbox is full.
    package static let tooSlow = CloseReason(code: 4002, text: "reader too slow")
    /// 4003: the peer was silent for too long.
    package static let silent = CloseReason(code: 4003, text: "silent")
    /// 4004: no sign-in in time.
    package static let notAdmitted = CloseReason(code: 4004, text: "no sign-in in time")
    /// 4502: a frame that the sub-protocol does not allow.
    package static let malformedFrame = CloseReason(code: 4502, text: "malformed frame")

    /// The text, truncated to fit into a close frame.
    package var wireText: [UInt8] {
        var bytes: [UInt8] = []
        for character in text {
            guard bytes.count + character.utf8.count <= 123 else { break }
            bytes += character.utf8
        }
        return bytes
    }
}

/// Why a connection has ended.
package enum CloseCause: Sendable, Hashable {
    /// The peer sent a close frame first; 1005 if it has no code.
    case byPeer(code: UInt16, text: String)
    /// This end closed it: on request, because of a limit or deadline, or because the peer violated the protocol.
    case byThisEnd(code: UInt16)
    /// The connection broke without a close frame.
    case lost

    /// The code of the close frame; 1006 without one.
    package var code: UInt16 {
        switch self {
        case .byPeer(let code, _), .byThisEnd(let code): code
        case .lost: 1006
        }
    }
}
