import ArgumentParser
import PromisedApplication

/// `promised token revoke`.
struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Make a token invalid; one that is already stays so.",
        discussion: "Example: promised token revoke Grafana --data /var/lib/promised"
    )

    @Argument(help: "The token's id, or its name where only one has it.")
    var token: String

    @Flag(help: "One JSON document instead of a sentence.")
    var json = false

    @OptionGroup var options: DataOptions

    func run() async throws {
        let maintenance = try options.maintenance()
        let (revoked, isNew) = try await Maintaining.attempt { () async throws(MaintenanceError) in
            try await maintenance.revokeToken(token)
        }
        guard !json else { return try JSONOutput.write(["tokenId": revoked.id]) }
        StandardOutput.write("\(revoked.name) (\(revoked.id)) \(isNew ? "is revoked" : "was revoked before")")
    }
}
