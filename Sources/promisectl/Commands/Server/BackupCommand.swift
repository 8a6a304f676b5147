import ArgumentParser
import PromisedClient

/// `promisectl backup`.
struct BackupCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the server's database while it serves.",
        discussion: """
            The path is one of the server's machine, and below `backup.directory` where that is set; a \
            relative one is taken from here. Example: promisectl backup \
            /var/backups/promised-2026-11-21.sqlite
            """
    )

    @Argument(help: "A path on the server's machine where nothing is yet.")
    var file: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    var patience: Duration { .seconds(3_600) }

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        .backup(try await administration.ask(.backUp(to: AbsolutePath.of(file))))
    }
}
