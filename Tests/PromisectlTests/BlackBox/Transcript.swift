/// What a story of commands printed, normalised, as one golden file.
struct Transcript {
    private let world: OperatorWorld
    private var normaliser = Normaliser()
    private(set) var text = ""

    init(_ world: OperatorWorld) {
        self.world = world
    }

    /// Runs a command and takes down what it printed and how it ended.
    ///
    /// - Returns: what it printed, as it stands.
    @discardableResult
    mutating func run(_ arguments: String..., input: String = "") async throws -> String {
        let outcome = try await world.run(arguments, input: input)
        let line = "$ promisectl " + arguments.map { $0.contains(" ") ? "'\($0)'" : $0 }.joined(separator: " ")
        let code = outcome.code == 0 ? "" : "[\(outcome.code)]\n"
        text += normaliser.normalise("\(line)\n\(outcome.errors)\(outcome.output)\(code)\n")
            .replacing(world.folder, with: "FOLDER")
        return outcome.output
    }

    /// Runs a command for people and for machines, both to be read only.
    mutating func show(_ arguments: String...) async throws {
        for form in [[], ["--json"], ["--jsonl"]] { try await run(arguments + form) }
    }

    private mutating func run(_ arguments: [String]) async throws {
        let outcome = try await world.run(arguments)
        let code = outcome.code == 0 ? "" : "[\(outcome.code)]\n"
        let line = "$ promisectl \(arguments.joined(separator: " "))"
        text += normaliser.normalise("\(line)\n\(outcome.errors)\(outcome.output)\(code)\n")
            .replacing(world.folder, with: "FOLDER")
    }
}
