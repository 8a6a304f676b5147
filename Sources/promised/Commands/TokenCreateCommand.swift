import ArgumentParser
import PromisedApplication
import PromisedDomain

/// `promised token create`.
struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a token; its secret is shown this once.",
        discussion: "Example: promised token create --role admin --for Grafana --valid 30d --data /var/lib/promised"
    )

    /// What a token is good for.
    enum Role: String, ExpressibleByArgument, CaseIterable {
        case admin
    }

    @Option(help: "What the token is good for.")
    var role = Role.admin

    @Option(name: .customLong("for"), help: "For whom or what, 1 to 64 characters.")
    var name: String

    @Option(help: "How long it is valid, such as 12h or 30d; until it is revoked when left out.")
    var valid: SpanArgument?

    @Flag(help: "One JSON document instead of the secret alone.")
    var json = false

    @OptionGroup var options: DataOptions

    func run() async throws {
        let maintenance = try options.maintenance()
        let (secret, token) = try await Maintaining.attempt { () async throws(MaintenanceError) in
            try await maintenance.createToken(for: name, valid: valid?.span)
        }
        guard json else { return StandardOutput.write(secret) }
        try JSONOutput.write(NewTokenDocument(secret: secret, token: TokenDocument(token)))
    }

    private struct NewTokenDocument: Encodable {
        var secret: String
        var token: TokenDocument
    }
}
