package import ArgumentParser
internal import PromisedDomain

/// A command line with an unknown word in place of a subcommand, and the probably intended ones. The parser itself only
/// reports "unexpected arguments", and prints the root's help for "help" with such a word.
package enum MistypedSubcommand {
    /// A sentence for people.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program's name; for `help`, checks the words after it.
    ///   - root: the program's root command.
    /// - Returns: nil if all required subcommands are valid.
    package static func sentence(in arguments: [String], of root: CommandConfiguration) -> String? {
        var command = root
        var path = root.commandName ?? ""
        for argument in arguments.drop(while: { $0 == "help" }) {
            let subcommands = configurations(of: command.subcommands)
            guard !subcommands.isEmpty, !argument.hasPrefix("-") else { return nil }
            guard let next = subcommands.first(where: { $0.commandName == argument }) else {
                let names = subcommands.compactMap(\.commandName)
                let hint = EditDistance.nearest(to: argument, among: names).map { "; did you mean \($0)?" } ?? "."
                return """
                    "\(path)" has no subcommand "\(argument)"\(hint)
                    Subcommands: \(names.joined(separator: ", ")). See "\(path) --help".
                    """
            }
            command = next
            path += " \(argument)"
        }
        return nil
    }

    private static func configurations(of commands: [any ParsableCommand.Type]) -> [CommandConfiguration] {
        var configurations: [CommandConfiguration] = []
        for command in commands { configurations.append(command.configuration) }
        return configurations
    }
}
