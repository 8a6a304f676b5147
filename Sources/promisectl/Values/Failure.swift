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

/// What the program ends with; scripts rely on these numbers.
enum ExitStatus: Int32, Sendable {
    /// It is done.
    case done = 0
    /// The server said no, or it was found that something is wrong.
    case refused = 1
    /// The command line is wrong.
    case usage = 2
    /// The server cannot be reached, or the connection was lost.
    case unreachable = 3
    /// There is no administrator's token, or it is not good.
    case notPermitted = 4
    /// Ended by SIGINT, as shells count it.
    case interrupted = 130
    /// Ended by SIGTERM, as shells count it.
    case terminated = 143

    /// What the help says about them.
    static let help = """
        Exit codes: 0 done, 1 refused or something found wrong, 2 the command line is wrong, 3 the server is unreachable \
        (one attempt of 5 seconds) or was lost, 4 not permitted; a watch that is interrupted ends with 130 (SIGINT) or 143 \
        (SIGTERM).
        """
}

/// The version of this program.
enum ProgramVersion {
    /// Major, minor and patch; the same as the server's that it is built with, which a test compares.
    static let text = "0.1.0"
}
