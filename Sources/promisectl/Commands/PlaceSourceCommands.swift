import ArgumentParser
import PromisedClient
import PromisedCommandLine
import PromisedProtocol

struct PlaceSourceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "source",
        abstract: "The sources of the directory.",
        subcommands: [
            PlaceSourceListCommand.self,
            PlaceSourceShowCommand.self,
            PlaceSourceRemoveCommand.self,
        ]
    )
}

struct PlaceSourceListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the sources with the numbers of their places, sorted by name.",
        discussion: "Example: promisectl place source list"
    )

    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .placeSources(try await administration.ask(.listSources()))
    }
}

struct PlaceSourceShowCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one source with its licence.",
        discussion: "Example: promisectl place source show markets-kr"
    )

    @Argument(help: "The source's name.") var name: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .placeSource(try await administration.source(named: name))
    }
}

struct PlaceSourceRemoveCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a source with all its places.",
        discussion: "Example: promisectl place source remove markets-kr --yes"
    )

    @Argument(help: "The source's name.") var name: String
    @OptionGroup var options: ServerCommandOptions

    /// A source may have very many places.
    var patience: Duration { .seconds(600) }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let source = try await administration.source(named: name).source
        let places = MeasureText.count(Int(source.count), "place")
        try options.confirmation.confirm("remove the source \(name.printable) with \(places)", in: context)
        return .removedSource(try await administration.ask(.removeSource(named: name)), name)
    }
}

extension Administration {
    /// The source with a name. Throws `refused` with the known names if there is none.
    fileprivate func source(named name: String) async throws(Failure) -> WireAdminSource {
        let sources = try await ask(.listSources()).sources
        guard let source = sources.first(where: { $0.source.name == name }) else {
            let names = sources.map(\.source.name.printable).joined(separator: ", ")
            throw .refused(
                names.isEmpty
                    ? "the directory has no source \(name.printable): it is empty, so import places first"
                    : "the directory has no source \(name.printable): its sources are \(names)"
            )
        }
        return source
    }
}
