import ArgumentParser
import Foundation

/// `promisectl user import`.
struct UserImportCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Make accounts from a CSV file with the header nickname,email,password.",
        discussion: """
            All rows are checked first, doubles inside the file too; when any is bad, nothing is imported unless --skip-bad \
            is given. Exits with 1 when nothing was imported for that, or the server refused a row it had found good. \
            Example: promisectl user import people.csv --skip-bad
            """
    )

    @Argument(help: "The file (RFC 4180, UTF-8); - for standard input.", completion: .file(extensions: ["csv"]))
    var csv: String

    @Flag(help: "Import the good rows when others are bad.")
    var skipBad = false

    @Flag(help: "Only check the rows, and import none.")
    var check = false

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let rows = try AccountRows(csv: try text(in: context))
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
        do {
            return try String(contentsOfFile: csv, encoding: .utf8)
        } catch {
            throw .usage("\(csv) cannot be read as UTF-8 text")
        }
    }
}
