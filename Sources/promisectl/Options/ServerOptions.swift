import ArgumentParser
import Foundation
import PromisedClient
import PromisedCommandLine
import PromisedFormats

/// The server, and how to connect to it.
struct ServerOptions: ParsableArguments {
    /// The default address of `promised serve`.
    static let defaultURL = "ws://127.0.0.1:8080/ws"
    /// The file in which the packaged server writes its first token.
    static let defaultTokenFile = "/var/lib/promised/admin.token"

    @Option(
        help: ArgumentHelp(
            "The server (ws://, wss://, http:// or https://); default: PROMISED_URL, or \(defaultURL).",
            valueName: "url"
        )
    )
    var url: String?

    @Option(
        help: ArgumentHelp(
            "The file with an administrator's token; default: PROMISED_TOKEN_FILE, or \(defaultTokenFile).",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "A PEM file of certificate authorities to trust instead of the system's.",
            valueName: "file"
        ),
        completion: .file()
    )
    var authorities: String?

    /// The address and token for the connection.
    func target(in context: Context, patience: Duration) throws(Failure) -> Target {
        Target(
            address: try address(in: context),
            secret: try secret(in: context),
            authoritiesFile: authorities,
            patience: patience
        )
    }

    func address(in context: Context) throws(Failure) -> ServerAddress {
        let text = url ?? context.console.variable("PROMISED_URL") ?? Self.defaultURL
        guard let address = ServerAddress(text) else {
            throw .usage("\(text) is not the URL of a server: use ws://, wss://, http:// or https://")
        }
        return address
    }

    /// The token in the file.
    func secret(in context: Context) throws(Failure) -> String {
        let path = tokenFile ?? context.console.variable("PROMISED_TOKEN_FILE") ?? Self.defaultTokenFile
        let text: String
        do throws(FormatError) {
            text = try TextFile.text(atPath: path, as: "a token", advice: "name another file")
        } catch {
            throw .usage(
                "the token file \(path.printable): \(error); name one with --token-file or PROMISED_TOKEN_FILE"
            )
        }
        let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !secret.isEmpty else {
            throw .usage("the token file \(path) is empty: write an administrator's token into it")
        }
        return secret
    }
}
