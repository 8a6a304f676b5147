import ArgumentParser
import PromisedClient
import PromisedProtocol

struct WeatherCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "weather",
        abstract: "The providers of weather.",
        subcommands: [WeatherStatusCommand.self, WeatherRefreshCommand.self]
    )
}

struct WeatherStatusCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how the providers of weather stand, and what is left of today's requests.",
        discussion: "Example: promisectl weather status"
    )

    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .weatherStatus(try await administration.ask(.getWeatherStatus()))
    }
}

struct WeatherRefreshCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Fetch the weather of a place anew.",
        discussion: """
            Counts as a request of today's budget; asks no provider that is backing off or refused its key. \
            Example: promisectl weather refresh 01932a4e-0000-7000-8000-00000000000a
            """
    )

    @Argument(help: "The place's id.", transform: IdentifierArgument.place) var place: String
    @OptionGroup var options: ServerCommandOptions

    /// A provider may take several seconds, and another may be queried after it.
    var patience: Duration { .seconds(60) }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .weather(try await administration.ask(.refreshWeather(at: place)))
    }
}
