import ArgumentParser
import PromisedApplication

/// `promised verify`.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Look for breaches of what must always hold in the database, while no server runs.",
        discussion: """
            Changes nothing. While a server runs, promisectl verify does the same. Exit codes: 0 all is well, 1 there are \
            breaches (a line for each on standard output) or the database can't be read, 2 the command line or the \
            configuration is wrong.

            Example: promised verify --data /var/lib/promised
            """
    )

    @Flag(help: "One JSON document instead of lines.")
    var json = false

    @OptionGroup var options: DataOptions

    func run() async throws {
        let maintenance = try options.maintenance()
        let breaches = try await Maintaining.attempt { () async throws(MaintenanceError) in
            try await maintenance.verify()
        }
        if json {
            try JSONOutput.write(["breaches": breaches.map { ["check": $0.check, "detail": $0.detail] }])
        } else {
            for breach in breaches { StandardOutput.write("\(breach.check): \(breach.detail)") }
            if breaches.isEmpty { StandardOutput.write("no breaches") }
        }
        if !breaches.isEmpty { throw ExitCode.failure }
    }
}
