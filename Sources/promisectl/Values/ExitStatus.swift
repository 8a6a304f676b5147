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
