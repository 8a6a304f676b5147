import PromisedClient
import PromisedCommandLine
import PromisedProtocol

/// Why a command failed; each case has a sentence for people.
enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The server refused the command, or the program did so itself.
    case refused(String)
    /// The command line, the environment or a referenced file is invalid.
    case usage(String)
    /// The server cannot be reached, or the connection was lost.
    case unreachable(String)
    /// The token is missing or invalid.
    case notPermitted(String)

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

    /// The failure of a call to the server.
    init(_ error: ClientError) {
        switch error {
        case .refused(let reply) where reply.code.hasPrefix("auth."): self = .notPermitted(reply.explained)
        case .refused(let reply): self = .refused(reply.explained)
        case .unencodable, .unexpectedReply, .corrupted: self = .refused(error.description)
        case .disconnected, .timedOut, .cancelled, .closed, .readTooSlowly: self = .unreachable(error.description)
        }
    }

    /// The same preceded by the path of a file, if the server refused the file's content.
    ///
    /// - Parameter codes: the codes of such refusals.
    func inFile(at path: String, for codes: [ErrorCode]) -> Failure {
        guard case .refused(let text) = self, codes.contains(where: { text.hasSuffix("(\($0.rawValue))") }) else {
            return self
        }
        return .refused("\(path): \(text)")
    }
}

extension WireErrorReply {
    /// The sentence and the code, preceded by the field unless the sentence begins with it: one line that is safe for
    /// the terminal, whatever the server sends.
    fileprivate var explained: String {
        let (field, message) = (Self.shortened(field), Self.shortened(message))
        let prefix = field.isEmpty || message.hasPrefix(field) ? "" : "\(field): "
        return "\(prefix)\(message) (\(Self.shortened(code)))".printable
    }

    /// The first 500 scalars, because a character can have any number of combining marks.
    private static func shortened(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(500)))
    }
}

/// The exit status of the program; scripts rely on these numbers.
enum ExitStatus: Int32, Sendable {
    case done = 0
    /// The server refused it, or a check failed.
    case refused = 1
    /// The command line is invalid.
    case usage = 2
    /// The server cannot be reached, or the connection was lost.
    case unreachable = 3
    /// The administrator's token is missing or invalid.
    case notPermitted = 4
    /// Ended by SIGINT, by the shells' convention.
    case interrupted = 130
    /// Ended by SIGTERM, by the shells' convention.
    case terminated = 143

    /// The help text about these statuses.
    static let help = """
        Exit codes: 0 success, 1 the server refused the request or a check failed, 2 the command line is invalid, 3 the \
        server is unreachable (one attempt of 5 seconds) or the connection was lost, 4 the token is missing or invalid; \
        an interrupted watch or import exits with 130 (SIGINT) or 143 (SIGTERM).
        """
}

enum ProgramVersion {
    /// Major, minor and patch; equal to the server's, which a test checks.
    static let text = "0.1.0"
}
