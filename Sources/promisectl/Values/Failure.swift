import PromisedClient
import PromisedProtocol

/// Why a command did not do what it was asked to; each case holds a sentence for people.
enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server said no, or something here that the server would have refused.
    case refused(String)
    /// The command line, the environment or a file that they name is wrong.
    case usage(String)
    /// There is no server, or no longer.
    case unreachable(String)
    /// The token is missing, or not good.
    case notPermitted(String)

    /// What the program ends with.
    var status: ExitStatus {
        switch self {
        case .refused: .refused
        case .usage: .usage
        case .unreachable: .unreachable
        case .notPermitted: .notPermitted
        }
    }

    var description: String {
        switch self {
        case .refused(let text), .usage(let text), .unreachable(let text), .notPermitted(let text): text
        }
    }

    /// What a call to the server came to instead of its reply.
    init(_ error: ClientError) {
        switch error {
        case .refused(let reply) where reply.code.hasPrefix("auth."):
            self = .notPermitted(reply.explained)
        case .refused(let reply):
            self = .refused(reply.explained)
        case .unencodable, .unexpectedReply: self = .refused(error.description)
        case .disconnected, .timedOut, .cancelled, .closed, .readTooSlowly: self = .unreachable(error.description)
        }
    }
}

extension WireErrorReply {
    /// The sentence and the code, after the field where the sentence does not begin with it.
    fileprivate var explained: String {
        let prefix = field.isEmpty || message.hasPrefix(field) ? "" : "\(field): "
        return "\(prefix)\(message) (\(code))"
    }
}
