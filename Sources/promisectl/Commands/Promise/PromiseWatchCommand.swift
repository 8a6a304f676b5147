import ArgumentParser

/// `promisectl promise watch`.
struct PromiseWatchCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watch a promise live: everybody's distance, expected time, freshness and rank.",
        discussion: """
            On a terminal a table that is redrawn in place, else a line for everything that happens; with --jsonl the \
            server's frames as they come, with --json one document at the end. Comes back after a lost connection. Ends \
            with 0 when the result is final or the promise cancelled, with 130 at SIGINT, with 143 at SIGTERM. \
            Example: promisectl promise watch 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b
            """
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise)
    var promise: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        let target = try server.target(in: context, patience: .seconds(15))
        let administration = try await context.connector.connect(to: target)
        let outcome: Result<ExitStatus, Failure>
        do throws(Failure) {
            outcome = .success(try await watch(administration, context.console))
        } catch {
            outcome = .failure(error)
        }
        await administration.close()
        return try outcome.get()
    }

    private func watch(
        _ administration: any Administration,
        _ console: any Console
    ) async throws(Failure) -> ExitStatus {
        var watch = try await Watch(promise, from: administration, on: screen(on: console), console: console)
        return try await watch.run()
    }

    private func screen(on console: any Console) -> any WatchScreen {
        if output.json { return DocumentScreen(console) }
        if output.jsonl { return FrameScreen(console) }
        return console.canRedraw ? LiveScreen(console) : LineScreen(console)
    }
}
