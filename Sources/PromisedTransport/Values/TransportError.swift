/// Why a server could not start or a client could not connect.
package enum TransportError: Error, Sendable, Hashable {
    /// The server can't listen on the address; `errno` and its text state why.
    case bindFailed(address: String, errno: Int32, text: String)
    /// A host name is unknown or can't be resolved.
    case hostNotFound(host: String, text: String)
    /// The WebSocket library could not be set up.
    case setUpFailed(String)
    /// The peer can't be reached, or disconnected before it replied; the text is the library's.
    case connectFailed(String)
    /// The peer did not answer in time.
    case timedOut
    /// The peer answered the handshake with this HTTP status instead of 101.
    case handshakeRefused(status: Int)
    /// A certificate or key file can't be used; the text states why.
    case badCertificate(path: String, text: String)
    /// The connecting task was cancelled.
    case cancelled
    /// The server or client has been shut down, or was never started.
    case notRunning
    /// The server was already started.
    case alreadyStarted
}

extension TransportError: CustomStringConvertible {
    /// A sentence for logs.
    package var description: String {
        switch self {
        case .bindFailed(let address, let errno, let text): "Cannot listen on \(address): \(text) (errno \(errno))."
        case .hostNotFound(let host, let text): "Cannot find the host \(host): \(text)."
        case .setUpFailed(let text): "Cannot set up the WebSocket library: \(text)."
        case .connectFailed(let text): "Cannot connect: \(text)."
        case .timedOut: "The peer did not answer in time."
        case .handshakeRefused(let status): "The peer refused the handshake with HTTP status \(status)."
        case .badCertificate(let path, let text): "Cannot use the file \(path) for TLS: \(text)."
        case .cancelled: "Connecting was cancelled."
        case .notRunning: "This endpoint is not running."
        case .alreadyStarted: "This server has already been started."
        }
    }
}
