import ArgumentParser
import PromisedApplication

/// `promised restore`.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup into a data directory that has no database.",
        discussion: """
            The backup stays as it is. All is as it was when the backup was taken: what was revoked or deleted since is \
            back, and whoever has signed in since signs in again. Clients get fresh snapshots of their promises. The \
            signing key is a file of its own: without the old signing.key everybody signs in again. Exit codes: 0 done, \
            1 it could not be done, and then nothing was changed, 2 the command line or the configuration is wrong.

            Example: promised restore /var/backups/promised.sqlite --data /var/lib/promised
            """
    )

    @Argument(help: "A file that a backup wrote.")
    var file: String

    @OptionGroup var options: DataOptions

    func run() async throws {
        let maintenance = try options.maintenance()
        let bytes = try await Maintaining.attempt { () async throws(MaintenanceError) in
            try await maintenance.restore(from: file)
        }
        StandardOutput.write("\(maintenance.directory): \(bytes) bytes")
    }
}
