import ArgumentParser
import Testing

@testable import promisectl

@Suite("A command line", .timeLimit(.minutes(1)))
struct InvocationTests {
    @Test(arguments: [
        ["nonsense"], ["user", "show"], ["user", "list", "--json", "--jsonl"], ["user", "list", "--limit", "0"],
        ["promise", "edit", "x"], ["promise", "export", "x"], ["promise", "export", "x", "--gpx", "--json"],
        ["promise", "export", "x", "--gpx", "--csv"], ["promise", "export", "x", "--json", "--file", "y"],
        ["user", "create", "--nickname", "ada", "--email", "a@b.c"],
        ["user", "create", "--nickname", "a", "--email", "b", "--password", "c", "--password-stdin"],
        ["promise", "create", "--owner", "a", "--title", "b", "--at", "2026-11-21T12:30:00Z"],
        ["stats", "--url", "ftp://x"], ["stats", "--token-file", "/nonexistent"], ["completion", "tcsh"],
        ["place", "import", "/nonexistent.csv", "--source", "x"], ["place", "import", "x.csv", "--preset", "none"],
        ["place", "import", "x.csv", "--source", "x", "--skip-bad", "101"], ["place", "import", "x.csv"],
        ["place", "import", "x.bin", "--source", "x"], ["place", "import", "x.csv", "--source", "x", "--crs", "1"],
        ["place", "import", "x.csv", "--source", "x", "--report", "/nonexistent/x"],
        ["place", "create", "--place", "1,2", "--place-name", "x"], ["place", "show", "x"],
        ["weather", "refresh", "x"], ["course", "remove", "x"], ["course", "import", "x.gpx"],
        ["course", "import", "/none.gpx", "--title", "a", "--region", "b", "--source", "c", "--licence", "d"],
        ["place", "edit", "01932a4e-0000-7000-8000-00000000000a"], ["place", "categories", "--file", "/nonexistent"],
        ["promise", "list", "--status", "x"], ["user", "import", "/nonexistent.csv"], ["doctor", "--url", "x"],
    ])
    func `an invalid command exits with 2, with the reason and without a prompt`(arguments: [String]) async {
        let administration = StubAdministration { _ in .failure(.refused("asked")) }
        let run = await Run(arguments, StubConnector(administration: administration))
        #expect(run.status == .usage)
        #expect(run.output.isEmpty)
        #expect(!run.errors.isEmpty)
        #expect(administration.requests.isEmpty)
    }

    @Test(arguments: [
        (["promise", "show", "nope"], ["\"nope\" is not a promise id", "0193a1b2-", "promisectl promise list"]),
        (["promise", "cancel", "01932a4e00007000800000000000000a1"], ["is not a promise id", "promise list"]),
        (["session", "show", "lunch"], ["\"lunch\" is not a promise id", "promisectl promise list"]),
        (["token", "revoke", "deploy"], ["\"deploy\" is not a token id", "promisectl token list"]),
        (["course", "remove", "walk"], ["\"walk\" is not a course id", "promisectl course list"]),
        (["place", "show", "cafe"], ["\"cafe\" is not a place id", "promisectl place list"]),
    ])
    func `with an invalid id explains its form and how to list ids`(
        arguments: [String],
        words: [String]
    ) async {
        let administration = StubAdministration { _ in .failure(.refused("asked")) }
        let run = await Run(arguments, StubConnector(administration: administration))
        #expect(run.status == .usage)
        for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
        #expect(administration.requests.isEmpty)
    }

    @Test(arguments: [
        (["user", "shwo", "bob"], #""promisectl user" has no subcommand "shwo"; did you mean show?"#),
        (["promis", "list"], #""promisectl" has no subcommand "promis"; did you mean promise?"#),
        (["prmoise"], #""promisectl" has no subcommand "prmoise"; did you mean promise?"#),
        (["frobnicate"], #""promisectl" has no subcommand "frobnicate"."#),
        (["token", "lst"], #""promisectl token" has no subcommand "lst"; did you mean list?"#),
        (["help", "usr"], #""promisectl" has no subcommand "usr"; did you mean user?"#),
        (["help", "user", "shwo"], #""promisectl user" has no subcommand "shwo"; did you mean show?"#),
        (["user", "help"], #""promisectl user" has no subcommand "help"."#),
    ])
    func `with an unknown subcommand suggests the nearest`(arguments: [String], sentence: String) async {
        let run = await Run(arguments, StubConnector())
        #expect(run.status == .usage)
        #expect(run.errors.hasPrefix("promisectl: \(sentence)\n"), "\(run.errors)")
    }

    @Test(arguments: [
        (Failure.refused("no"), promisectl.ExitStatus.refused), (.usage("no"), .usage),
        (.unreachable("no"), .unreachable),
        (.notPermitted("no"), .notPermitted),
    ])
    func `ends with its failure's code, and with the connection`(
        failure: Failure,
        status: promisectl.ExitStatus
    ) async {
        let administration = StubAdministration { _ in .failure(failure) }
        let run = await Run(["stats"], StubConnector(administration: administration))
        #expect(run.status == status)
        #expect(run.errors == "promisectl: no\n")
        #expect(administration.isClosed)
    }

    @Test func `to a missing server exits with 3`() async {
        #expect(await Run(["stats"], StubConnector()).status == .unreachable)
        #expect(await Run(["check"], StubConnector(isThere: false)).status == .unreachable)
    }

    @Test(arguments: [
        ["--help"], ["help"], ["help", "user", "create"], ["help", "user"], ["user"], ["--version"], ["version"],
    ])
    func `that requests help prints it`(arguments: [String]) async {
        let run = await Run(arguments, StubConnector())
        #expect(run.status == .done)
        #expect(!run.output.isEmpty)
        #expect(run.errors.isEmpty)
    }

    @Test(arguments: [("bash", "#!/bin/bash"), ("zsh", "#compdef promisectl"), ("fish", "complete -c 'promisectl'")])
    func `completion prints a script with the subcommands`(shell: String, mark: String) async {
        let run = await Run(["completion", shell], StubConnector())
        #expect(run.output.contains(mark))
        #expect(run.output.contains("reset-password"))
    }

    @Test(arguments: PromisectlCommand.everySubcommand)
    func `every subcommand has an abstract and an example in its help`(path: [String]) async throws {
        let run = await Run(["help"] + path, StubConnector())
        let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Example: promisectl \(path.joined(separator: " "))"), "\(path)")
    }

    @Test(arguments: PromisectlCommand.everySubcommand)
    func `every subcommand accepts --json and --yes, except those that write a script`(path: [String]) async throws {
        guard !["completion", "version"].contains(path.first) else { return }
        let run = await Run(["help"] + path, StubConnector())
        #expect(run.output.contains("--json"), "\(path)")
        #expect(run.output.contains("--yes"), "\(path)")
    }
}

extension PromisectlCommand {
    /// The names of all subcommands without subcommands of their own, as on a command line.
    static let everySubcommand: [[String]] = paths(below: configuration)

    private static func paths(below command: CommandConfiguration) -> [[String]] {
        command.subcommands.flatMap { command in
            let name = command.configuration.commandName ?? ""
            let inner = paths(below: command.configuration)
            return inner.isEmpty ? [[name]] : inner.map { [name] + $0 }
        }
    }
}
