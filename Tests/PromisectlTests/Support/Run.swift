import PromisedProtocol

@testable import promisectl

/// A run of the program in this process, against a stub.
struct Run {
    let status: promisectl.ExitStatus
    let output: String
    let errors: String

    /// Runs a command line with a token accepted by a stub.
    init(_ arguments: [String], _ connector: StubConnector, _ console: StubConsole = StubConsole()) async {
        // A group without a subcommand also only prints its help.
        let needsToken =
            !["version", "completion", "check", "help"].contains(arguments.first) && arguments != ["user"]
            && !arguments.starts(with: ["place", "categories"])
        let context = Context(console: console, connector: connector)
        guard let file = try? SampleFile("secret\n", name: "token") else {
            preconditionFailure("The tests need a temporary folder.")
        }
        let token = needsToken && !arguments.contains("--token-file") ? ["--token-file", file.path] : []
        status = await Invocation(root: PromisectlCommand.self, arguments: arguments + token, context: context).run()
        withExtendedLifetime(file) {}
        output = console.output
        errors = console.errors
    }

    /// Runs a command line against answers.
    init(
        _ arguments: [String],
        _ console: StubConsole = StubConsole(),
        answer: @escaping StubAdministration.Answer
    ) async {
        await self.init(arguments, StubConnector(administration: StubAdministration(answer)), console)
    }
}
