import ArgumentParser
import PromisedClient
import PromisedCommandLine
import PromisedFormats
import PromisedProtocol

struct UserCreateCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an account.",
        discussion: """
            Example: promisectl user create --nickname ada --email ada@example.org --password-stdin < \
            password.txt
            """
    )

    @Option(
        help: ArgumentHelp("The nickname: 2 to 20 letters, digits or _; unique regardless of case.", valueName: "name")
    )
    var nickname: String

    @Option(help: ArgumentHelp("The e-mail address; unique regardless of case.", valueName: "address"))
    var email: String

    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        guard let secret = try password.password(in: context) else {
            throw .usage("no password given: use --password-stdin or --password")
        }
        let made = try await administration.ask(.createUser(nickname: nickname, email: email, password: secret))
        return .user(made)
    }
}

struct UserImportCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Create accounts from a CSV file with the header nickname,email,password.",
        discussion: """
            Checks all rows first, also for duplicates within the file. If any row is invalid, imports nothing unless \
            --skip-bad is given. Exits with 1 if it imported nothing for that reason, or if the server refused a row that \
            had passed the check. Example: promisectl user import people.csv --skip-bad
            """
    )

    @Argument(help: "The file (RFC 4180, UTF-8); - for standard input.", completion: .file(extensions: ["csv"]))
    var csv: String

    @Flag(help: "Import the valid rows even if others are invalid.") var skipBad = false
    @Flag(help: "Check the rows without importing them.") var check = false
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let rows: AccountRows
        do throws(Failure) {
            rows = try AccountRows(csv: try text(in: context))
        } catch {
            throw .usage("\(csv == "-" ? "standard input" : csv.printable): \(error)")
        }
        let accounts = AccountImport(skipsBad: skipBad, onlyChecks: check)
        let outcome = try await accounts.run(rows, with: administration)
        return .imported(outcome, onlyChecked: check, skipsBad: skipBad)
    }

    private func text(in context: Context) throws(Failure) -> String {
        guard csv != "-" else {
            var lines: [String] = []
            while let line = context.console.readLine() { lines.append(line) }
            return lines.joined(separator: "\n")
        }
        do throws(FormatError) {
            return try TextFile.text(atPath: csv, as: "CSV")
        } catch {
            throw Failure(error)
        }
    }
}

struct UserResetPasswordCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password",
        abstract: "Reset an account's password and end all its sessions.",
        discussion: """
            Without a password option, the server generates one and shows it only once. Example: promisectl user \
            reset-password ada --yes
            """
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.") var user: String
    @OptionGroup var password: PasswordOptions
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let secret = try password.password(in: context)
        let found = try await administration.user(named: user)
        try options.confirmation.confirm("reset the password of \(found.label)", in: context)
        let reply = try await administration.ask(.resetPassword(of: found.user.userID, to: secret))
        return .password(reply, of: found)
    }
}

struct UserDisableCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disable an account: end its sessions and reject its sign-ins.",
        discussion: "Example: promisectl user disable ada --yes"
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.") var user: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        try options.confirmation.confirm("disable the user \(found.label)", in: context)
        return .user(try await administration.ask(.disableUser(found.user.userID)))
    }
}

struct UserEnableCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Enable a disabled account.",
        discussion: "Example: promisectl user enable ada"
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.") var user: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        return .user(try await administration.ask(.enableUser(found.user.userID)))
    }
}

struct UserDeleteCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete an account, as its user could.",
        discussion: """
            Unfinished promises pass to the participant who accepted first; past results keep their rows. \
            Example: promisectl user delete ada --yes
            """
    )

    @Argument(help: "The user: an id, a nickname or an e-mail.") var user: String
    @OptionGroup var options: ServerCommandOptions

    /// Creating an account with all its data takes up to half a minute.
    var patience: Duration { .seconds(600) }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        try options.confirmation.confirm("permanently delete the user \(found.label)", in: context)
        return .done(try await administration.ask(.deleteUser(found.user.userID)), "deleted \(found.label)")
    }
}
