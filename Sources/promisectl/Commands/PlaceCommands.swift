import ArgumentParser
import PromisedClient
import PromisedCommandLine
import PromisedProtocol

struct PlaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place",
        abstract: "The directory of places.",
        subcommands: [
            PlaceImportCommand.self,
            PlaceListCommand.self,
            PlaceShowCommand.self,
            PlaceCreateCommand.self,
            PlaceEditCommand.self,
            PlaceRemoveCommand.self,
            PlaceSourceCommand.self,
            PlaceCategoriesCommand.self,
        ]
    )
}

struct PlaceListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List places, or find them by words.",
        discussion: """
            With --text the best matches come first. Example: promisectl place list --text starbucks --region KR-11 \
            --limit 20
            """
    )

    @Option(help: ArgumentHelp("Find places by the words of a name or an address.", valueName: "text"))
    var text: String?

    @Option(help: ArgumentHelp("List only this category and those below it; repeatable.", valueName: "id"))
    var category: [String] = []

    @Option(help: ArgumentHelp("List only this region, such as KR-11 or KR-11/종로구; repeatable.", valueName: "code"))
    var region: [String] = []

    @Option(help: ArgumentHelp("List only the places of this source; repeatable.", valueName: "name"))
    var source: [String] = []

    @Option(help: ArgumentHelp("List only places that are open at this time (RFC 3339).", valueName: "instant"))
    var openAt: InstantArgument?

    @OptionGroup var limits: LimitOptions
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let filter = self.filter
        let page: WirePlaces = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .findPlaces(text, filter: filter, cursor: cursor, limit: limit)
        }
        return .places(page)
    }

    private var filter: WirePlaceFilter {
        var filter = WirePlaceFilter()
        filter.categories = category
        filter.regions = region
        filter.sources = source
        if let openAt { filter.openAt = openAt.timestamp }
        return filter
    }
}

struct PlaceShowCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show everything about one place, also about a removed one.",
        discussion: "Example: promisectl place show 01932a4e-0000-7000-8000-00000000000a"
    )

    @Argument(help: "The place's id.", transform: IdentifierArgument.place) var place: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .place(try await administration.ask(.showPlace(place)))
    }
}

struct PlaceRemoveCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove one place from the directory.",
        discussion: """
            Promises that meet there keep their copy of it. An import whose file still has the place brings it back. \
            Example: promisectl place remove 01932a4e-0000-7000-8000-00000000000a --yes
            """
    )

    @Argument(help: "The place's id.", transform: IdentifierArgument.place) var place: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let name = try await administration.ask(.showPlace(place)).row.place.name.printable
        try options.confirmation.confirm("remove the place \(name)", in: context)
        return .done(try await administration.ask(.removePlace(place)), "removed \(name)")
    }
}
