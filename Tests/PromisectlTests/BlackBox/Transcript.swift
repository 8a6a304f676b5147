/// The output of a story of commands, normalised, as one golden file.
struct Transcript {
    private let world: OperatorWorld
    private var normaliser = Normaliser()
    /// Texts that differ from run to run, with their placeholders.
    private var hidden: [(text: String, name: String)]
    private(set) var text = ""

    init(_ world: OperatorWorld) {
        self.world = world
        hidden = [(world.folder, "FOLDER")]
    }

    /// Replaces `text` by `name`.
    mutating func hide(_ text: String, as name: String) {
        hidden.append((text, name))
    }

    /// Runs a command and records its output and exit code.
    mutating func run(_ arguments: String..., input: String = "") async throws {
        try await run(arguments, input: input)
    }

    /// The same as JSON.
    mutating func json(_ arguments: String..., input: String = "") async throws {
        try await run(arguments + ["--json"], input: input)
    }

    /// Runs a command with and without `--json`; the second run must change nothing.
    mutating func show(_ arguments: String...) async throws {
        for form in [[], ["--json"], ["--jsonl"]] { try await run(arguments + form) }
    }

    /// Runs a command and records its output and exit code.
    mutating func run(_ arguments: [String], input: String = "") async throws {
        let line = arguments.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
        note(line, try await world.run(arguments, input: input))
    }

    /// Records a running watch after its end, without transient events, which differ from run to run.
    mutating func takeWatch(_ run: ToolRun, _ line: String) async {
        let outcome = await OperatorWorld.outcome(of: run)
        let lasting = outcome.output.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            line.firstMatch(of: /^\d\d:\d\d:\d\d \w+ is (expected|live|lagging|stale|lost|[0-9.]+ k?m away)/) == nil
        }
        note(
            line,
            OperatorWorld.Outcome(code: outcome.code, output: lasting.joined(separator: "\n"), errors: outcome.errors)
        )
    }

    private mutating func note(_ line: String, _ outcome: OperatorWorld.Outcome) {
        let code = outcome.code == 0 ? "" : "[\(outcome.code)]\n"
        let whole = "$ promisectl \(line)\n\(outcome.errors)\(outcome.output)\(code)\n"
        let shown = hidden.reduce(whole) { $0.replacing($1.text, with: $1.name) }
        text += normaliser.normalise(shown)
    }
}
