import ArgumentParser

/// How much of a list is asked for.
struct LimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How many at most; all when not given.", valueName: "count"))
    var limit: Int?

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit is at least 1.") }
    }
}
