import ArgumentParser

/// A password from the command line or from standard input.
struct PasswordOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The password; others on this machine may see it there.", valueName: "password"))
    var password: String?

    @Flag(help: "Read the password from standard input, one line.")
    var passwordStdin = false

    func validate() throws {
        guard password == nil || !passwordStdin else {
            throw ValidationError("Use --password or --password-stdin, not both.")
        }
    }

    /// The password; nil when none was given.
    func password(in context: Context) throws(Failure) -> String? {
        guard passwordStdin else { return password }
        guard let line = context.console.readLine(), !line.isEmpty else {
            throw .usage("there is no password on standard input")
        }
        return line
    }
}
