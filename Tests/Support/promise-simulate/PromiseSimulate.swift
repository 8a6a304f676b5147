import ArgumentParser
import Foundation
import PromisedWorld

/// Runs stories of meetups and reports the first violated invariant.
@main
struct PromiseSimulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promise-simulate",
        abstract: "Lives random meetups in a simulated world and checks the invariants.",
        discussion: """
            The same seed gives the same story, byte for byte. A failing seed is shrunk to its shortest story, which is \
            printed as JSON: keep it in Tests/PromisedWorldTests/Stories.
            """
    )

    @Option(help: "The number of seeds.")
    var seeds = 100

    @Option(help: "The first seed.")
    var from: UInt64 = 1

    @Option(help: "Live the story in this file instead of seeds.")
    var story: String?

    @Flag(help: "Print a line with the digest of each seed.")
    var digests = false

    @Flag(help: "Print everything that happens.")
    var journal = false

    @Flag(inversion: .prefixedNo, help: "Shrink the story of a failing seed.")
    var shrink = true

    @Flag(help: "Go on after a failing seed.")
    var all = false

    func run() throws {
        try repeatWithStableHashes()
        if let story { return try live(try read(story)) }
        let begun = ContinuousClock.now
        var (failures, checks, lines) = (0, 0, 0)
        for number in 0..<UInt64(clamping: seeds) {
            // The first seed follows the greatest.
            let seed = from &+ number
            let story = StoryMaker.story(seed: seed)
            let outcome = try Simulation.live(story, keepingJournal: journal)
            checks += outcome.checks
            lines += outcome.lines
            for line in outcome.journal { print(line) }
            if digests { print("\(seed) \(String(outcome.digest, radix: 16))") }
            guard let violation = outcome.violation else { continue }
            failures += 1
            print("seed \(seed) breaks \(violation.invariant.rawValue): \(violation.detail)")
            // Shrinking takes a while.
            fflush(nil)
            if shrink { try report(story, outcome) }
            if !all { throw ExitCode.failure }
        }
        let seconds = Double((ContinuousClock.now - begun) / .milliseconds(1)) / 1_000
        print("\(seeds) seeds, \(lines) lines, \(checks) checks, \(failures) failures, \(seconds) s")
        if failures > 0 { throw ExitCode.failure }
    }

    private func read(_ path: String) throws -> Story {
        do {
            return try JSONDecoder().decode(Story.self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw ValidationError("\(path) is no story in JSON: \(error)")
        }
    }

    private func live(_ story: Story) throws {
        let outcome = try Simulation.live(story, keepingJournal: journal)
        for line in outcome.journal { print(line) }
        if digests { print("\(story.seed) \(String(outcome.digest, radix: 16))") }
        guard let violation = outcome.violation else { return print("\(outcome.checks) checks, 0 failures") }
        print("the story breaks \(violation.invariant.rawValue): \(violation.detail)")
        throw ExitCode.failure
    }

    private func report(_ story: Story, _ outcome: Outcome) throws {
        let shortest = try Shrinker.shrink(story, brokeAtMs: outcome.endedAtMs) { candidate in
            try Simulation.live(candidate).violation?.invariant == outcome.violation?.invariant
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print("the shortest story, \(shortest.acts.count) of \(story.acts.count) acts:")
        print(String(decoding: try encoder.encode(shortest), as: UTF8.self))
    }

    /// Dictionaries have a different order in each process unless the environment sets a seed before its start: this
    /// process replaces itself.
    private func repeatWithStableHashes() throws {
        let variable = "SWIFT_DETERMINISTIC_HASHING"
        guard ProcessInfo.processInfo.environment[variable] == nil else { return }
        setenv(variable, "1", 1)
        var arguments = CommandLine.arguments.map { strdup($0) } + [nil]
        _ = execv("/proc/self/exe", &arguments)
        throw ValidationError("The program cannot start itself again (errno \(errno)).")
    }
}
