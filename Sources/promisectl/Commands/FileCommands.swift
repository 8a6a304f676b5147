import ArgumentParser
import PromisedClient
import PromisedProtocol

struct FileCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "file",
        abstract: "The files that users keep.",
        subcommands: [FileStatsCommand.self]
    )
}

struct FileStatsCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Count files, recordings, courses and exports.",
        discussion: "Shows numbers alone, of nobody in particular. Example: promisectl file stats --json"
    )

    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .fileStatistics(try await administration.ask(.getFileStatistics()))
    }
}
