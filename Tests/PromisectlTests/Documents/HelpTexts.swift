import Foundation

/// The help texts of the programs and scripts.
struct HelpTexts {
    private var known: [String: String?] = [:]

    /// The fault of a command; nil if its subcommands and options are in the help.
    mutating func fault(of command: CommandLineText) async throws -> String? {
        for leading in command.leadings {
            if let fault = try await fault(of: command, leading: leading) { return fault }
        }
        return nil
    }

    private mutating func fault(of command: CommandLineText, leading: [String]) async throws -> String? {
        var path: [String] = []
        guard var help = try await text(of: command.program, path) else { return "no script \(command.program)" }
        for word in leading where help.contains("\nSUBCOMMANDS:") {
            guard let next = try await text(of: command.program, path + [word]) else {
                // Capital letters are placeholders, as in "promised COMMAND --help".
                return word == word.uppercased() ? nil : "no subcommand \(word)"
            }
            help = next
            path.append(word)
        }
        let options = help.matches(of: /--[a-z][a-z0-9-]*/).map { String($0.0) } + ["--help", "--version"]
        return command.options.first { !options.contains($0) }.map { "no option \($0)" }
    }

    /// - Returns: nil for an unknown script or subcommand.
    private mutating func text(of program: String, _ path: [String]) async throws -> String? {
        let key = ([program] + path).joined(separator: " ")
        if let text = known[key] { return text }
        let text = try await Self.ask(program, path)
        known[key] = text
        return text
    }

    private static func ask(_ program: String, _ path: [String]) async throws -> String? {
        let run: ToolRun
        if let tool = Tool(rawValue: program) {
            // The load generator has no subcommands, and therefore no help subcommand.
            run = try ToolRun(tool, tool == .promiseLoad ? ["--help"] : ["help"] + path)
        } else {
            let script = Documents.root.appending(path: program)
            guard FileManager.default.isExecutableFile(atPath: script.path) else { return nil }
            run = try ToolRun(script, path + ["--help"])
        }
        let outcome = await OperatorWorld.outcome(of: run)
        return outcome.code == 0 ? outcome.output : nil
    }
}
