import ArgumentParser
import Foundation
import PromisedApplication

/// `promised backup`.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database into a new file while no server runs.",
        discussion: """
            While a server runs, promisectl backup does the same without stopping it. The copy (mode 0600) holds all but \
            the signing key and the secrets of administrators. Where the setting backup.directory names a folder, it must \
            be below that. Exit codes: 0 done, 1 it could not be done, 2 the command line or the configuration is wrong.

            Example: promised backup /var/backups/promised.sqlite --data /var/lib/promised
            """
    )

    @Argument(help: "Where nothing is yet, in a folder that is there.")
    var file: String

    @OptionGroup var options: DataOptions

    func run() async throws {
        let maintenance = try options.maintenance()
        let path = URL(fileURLWithPath: file).standardizedFileURL.path
        let bytes = try await Maintaining.attempt { () async throws(MaintenanceError) in
            try await maintenance.backUp(to: path)
        }
        StandardOutput.write("\(path): \(bytes) bytes")
    }
}
