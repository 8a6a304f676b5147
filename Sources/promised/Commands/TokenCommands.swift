import ArgumentParser
import PromisedApplication
import PromisedDomain

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Create, list and revoke administrators' tokens while no server runs.",
        discussion: """
            While a server runs, use promisectl token. Exit codes: 0 success, 1 failure, 2 the command line or the \
            configuration is invalid.
            """,
        subcommands: [TokenCreateCommand.self, TokenListCommand.self, TokenRevokeCommand.self]
    )
}

struct TokenCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a token; its secret is shown only once.",
        discussion: "Example: promised token create --role admin --for Grafana --valid 30d --data /var/lib/promised"
    )

    enum Role: String, ExpressibleByArgument, CaseIterable {
        case admin
    }

    @Option(help: "The role of the token.") var role = Role.admin

    @Option(name: .customLong("for"), help: "The person or program that uses the token, 1 to 64 characters.")
    var name: String

    @Option(help: "The period of validity, such as 12h or 30d; default: until revoked.") var valid: SpanArgument?
    @Flag(help: "Print one JSON document instead of the secret alone.") var json = false
    @OptionGroup var options: DataOptions

    func run() async throws {
        let (secret, token) = try await options.maintain { maintenance async throws(MaintenanceError) in
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

struct TokenListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the tokens, newest first, including revoked and expired ones.",
        discussion: "Example: promised token list --data /var/lib/promised"
    )

    @Flag(help: "Print one JSON document instead of a table.") var json = false
    @OptionGroup var options: DataOptions

    func run() async throws {
        let tokens = try await options.maintain { maintenance async throws(MaintenanceError) in
            try await maintenance.tokens()
        }.map { TokenDocument($0) }
        guard !json else { return try JSONOutput.write(["tokens": tokens]) }
        for line in TextTable.lines([TokenDocument.head] + tokens.map(\.row)) { StandardOutput.write(line) }
    }
}

/// Columns as wide as their widest cell.
enum TextTable {
    /// The rows as lines, with two spaces between columns and none at the end.
    static func lines(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { index, cell in
                index == row.count - 1 ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - cell.0.count)
            }
            return cells.joined(separator: "  ")
        }
    }
}

struct TokenRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a token; a revoked token stays revoked.",
        discussion: "Example: promised token revoke Grafana --data /var/lib/promised"
    )

    @Argument(help: "The token's id, or its name if that is unique.") var token: String
    @Flag(help: "Print one JSON document instead of a sentence.") var json = false
    @OptionGroup var options: DataOptions

    func run() async throws {
        let (revoked, isNew) = try await options.maintain { maintenance async throws(MaintenanceError) in
            try await maintenance.revokeToken(token)
        }
        guard !json else { return try JSONOutput.write(["tokenId": revoked.id]) }
        StandardOutput.write("\(revoked.name) (\(revoked.id)) \(isNew ? "is revoked" : "was already revoked")")
    }
}

/// A token in the output of `--json`.
struct TokenDocument: Encodable {
    var tokenId: String
    var name: String
    var createdAt: String
    var expiresAt: String?
    var revokedAt: String?
    var lastUsedAt: String?

    init(_ token: OperatorToken) {
        tokenId = token.id
        name = token.name
        createdAt = token.createdAt.rfc3339
        expiresAt = token.expiresAt?.rfc3339
        revokedAt = token.revokedAt?.rfc3339
        lastUsedAt = token.lastUsedAt?.rfc3339
    }

    /// The same as a row of a table.
    var row: [String] { [tokenId, name, createdAt, expiresAt ?? "never", revokedAt ?? "-", lastUsedAt ?? "never"] }

    /// The headings of such rows.
    static let head = ["ID", "NAME", "MADE", "EXPIRES", "REVOKED", "LAST USED"]
}
