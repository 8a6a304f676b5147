import ArgumentParser
import Foundation
import Logging
import PromisedClient
import PromisedWire

/// `promisectl check`.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "See whether a server is reachable and speaks the protocol, and how fast it answers.",
        discussion: "One attempt of at most 5 seconds. Example: promisectl check --url ws://127.0.0.1:8080/ws"
    )

    @Option(help: "The server; PROMISED_URL, else ws://127.0.0.1:8080/ws when not given.")
    var url: String?

    @Flag(help: "Print one JSON document.")
    var json = false

    func run() async throws {
        let text = url ?? ProcessInfo.processInfo.environment["PROMISED_URL"] ?? "ws://127.0.0.1:8080/ws"
        guard let address = ServerAddress(text) else { throw ValidationError("\(text) is no URL of a server") }
        var log = Logger(label: "promisectl")
        log.logLevel = .critical
        let knock = ServerKnock(codec: .json, log: log)
        do throws(ServerKnock.Failure) {
            let finding = try await knock.visit(address)
            await knock.end()
            print(CheckText(address: address, finding: finding).text(isJSON: json))
        } catch {
            await knock.end()
            FileHandle.standardError.write(Data("promisectl: \(address): \(error)\n".utf8))
            throw ExitCode(3)
        }
    }
}

/// What a check found, as text.
struct CheckText: Sendable {
    let address: ServerAddress
    let finding: ServerKnock.Finding

    /// A line for people or a JSON document.
    func text(isJSON: Bool) -> String {
        let (handshake, answer) = (milliseconds(finding.handshake), milliseconds(finding.answer))
        return isJSON
            ? #"{"url":"\#(address)","handshakeMs":\#(handshake),"answerMs":\#(answer)}"#
            : "\(address) is reachable: handshake \(handshake) ms, answer \(answer) ms"
    }

    /// Milliseconds with one decimal.
    private func milliseconds(_ duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return (Double(seconds) * 10_000 + Double(attoseconds) / 1e14).rounded() / 10
    }
}
