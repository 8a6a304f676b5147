/// Every WebSocket close code of the protocol's own range (docs/reference.md#close-codes).
///
/// After 4000–4499 the client should reconnect, with jitter, and resume; after 4500–4999 it should not.
public enum CloseCode: UInt16, Hashable, Sendable, CaseIterable {
    /// The server is about to stop.
    case draining = 4_001
    /// The client reads too slowly.
    case slowReader = 4_002
    /// Nothing was received from the client for 45 s.
    case silent = 4_003
    /// No sign-in within 10 s.
    case noSignIn = 4_004
    /// The client kept sending requests after many were refused for their rate.
    case rate = 4_005
    /// The token is invalid or has expired; reconnect only with a refreshed one.
    case tokenInvalid = 4_500
    /// The session was ended.
    case sessionRevoked = 4_501
    /// A frame could not be decoded.
    case malformedFrame = 4_502
    /// The server does not support the client's version of the protocol.
    case unsupportedVersion = 4_503
    /// The user opened another connection beyond the limit, and this was the oldest.
    case tooManyConnections = 4_504
    /// The account was deleted or disabled.
    case accountGone = 4_505
    /// The same device connected again.
    case replaced = 4_506

    /// `true` if the client should reconnect by itself.
    public var mayReconnect: Bool { Self.mayReconnect(after: rawValue) }

    /// `true` if a client should reconnect by itself after this close code, known or not: any but 4500–4999.
    public static func mayReconnect(after code: UInt16) -> Bool { !(4_500...4_999).contains(code) }

    /// A short sentence for the close frame; ASCII and below the 123 bytes that a close frame holds.
    public var sentence: String {
        switch self {
        case .draining: "The server is shutting down."
        case .slowReader: "The connection is too slow."
        case .silent: "The client sent nothing for too long."
        case .noSignIn: "The client did not sign in in time."
        case .rate: "Too many requests."
        case .tokenInvalid: "The token is invalid or has expired."
        case .sessionRevoked: "The session has ended."
        case .malformedFrame: "The server could not decode a frame."
        case .unsupportedVersion: "The server does not support this version of the protocol."
        case .tooManyConnections: "Too many connections of this user or token."
        case .accountGone: "The account is deleted or disabled."
        case .replaced: "The same device connected again."
        }
    }
}
