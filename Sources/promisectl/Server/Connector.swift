import Logging
import PromisedClient
import PromisedProtocol
import PromisedWebSocketTransport

/// The address and token to connect with.
struct Target: Sendable {
    var address: ServerAddress
    /// An administrator's token.
    var secret: String
    /// A file of certificate authorities in PEM, instead of the system's.
    var authoritiesFile: String?
    /// How long one request may take.
    var patience: Duration
}

/// Connects to servers; a seam for tests.
protocol Connector: Sendable {
    /// Connects and signs in, in one attempt of at most five seconds.
    func connect(to target: Target) async throws(Failure) -> any Administration
    /// Probes without a token and measures the answer's time, in one attempt of at most five seconds.
    func probe(at address: ServerAddress, authoritiesFile: String?) async throws(Failure) -> ReachabilityProbe.Finding
}

/// Connects to real servers.
struct NetworkConnector: Connector {
    /// How long one attempt may take.
    static let patience = Duration.seconds(5)

    func connect(to target: Target) async throws(Failure) -> any Administration {
        var settings = ClientSettings(
            address: target.address,
            codec: .protobuf,
            name: "promisectl",
            version: ProgramVersion.text
        )
        settings.callTimeout = target.patience
        let transport = WebSocketTransport(authoritiesFile: target.authoritiesFile, log: Self.log)
        let client = PromisedClient(settings: settings, transport: transport, log: Self.log)
        let administration = ClientAdministration(client)
        do throws(Failure) {
            try await administration.signIn(with: target.secret, within: Self.patience)
        } catch {
            await administration.close()
            throw error.naming(target.address)
        }
        return administration
    }

    func probe(at address: ServerAddress, authoritiesFile: String?) async throws(Failure) -> ReachabilityProbe.Finding {
        let transport = WebSocketTransport(authoritiesFile: authoritiesFile, patience: Self.patience, log: Self.log)
        let probe = ReachabilityProbe(transport: transport, codec: .protobuf)
        let finding: ReachabilityProbe.Finding
        do throws(ReachabilityProbe.Failure) {
            finding = try await probe.visit(address)
        } catch {
            await probe.end()
            throw .unreachable("\(address): \(error)")
        }
        await probe.end()
        return finding
    }

    /// Relevant failures are thrown; the log would only repeat them.
    private static let log: Logger = {
        var log = Logger(label: "promisectl")
        log.logLevel = .critical
        return log
    }()
}

extension Failure {
    /// The same, naming the server if it was not reached.
    fileprivate func naming(_ address: ServerAddress) -> Failure {
        guard case .unreachable(let text) = self else { return self }
        return .unreachable("\(address): \(text)")
    }
}

/// The environment of commands.
struct Context: Sendable {
    /// Their input and output.
    let console: any Console
    /// Their connections.
    let connector: any Connector
}

extension Context {
    /// The process's own streams, and real servers.
    static let system = Context(console: SystemConsole(), connector: NetworkConnector())
}
