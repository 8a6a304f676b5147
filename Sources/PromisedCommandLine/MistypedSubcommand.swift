package import ArgumentParser
internal import PromisedDomain

/// A command line with a word where one of the subcommands must stand, and what may have been meant. The parser itself
/// only counts "unexpected arguments", and to "help" with such a word it tells the root's help.
package enum MistypedSubcommand {
    /// A sentence for people.
    ///
    /// - Parameters:
    ///   - arguments: the command line without the program's name; of `help` and words, the words are looked at.
    ///   - root: what the program itself declares.
    /// - Returns: nil when the words are subcommands as far as there must be any.
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
