import Logging
import PromisedClient
import PromisedProtocol
import PromisedWebSocketTransport

/// The address and token for the connection.
struct Target: Sendable {
    var address: ServerAddress
    var secret: String
    /// A PEM file of certificate authorities, replacing the system's.
    var authoritiesFile: String?
    /// The timeout of one request.
    var patience: Duration
}

/// Connects to servers; replaceable for tests.
protocol Connector: Sendable {
    /// Connects and signs in, in one attempt of at most five seconds.
    func connect(to target: Target) async throws(Failure) -> any Administration
    /// Probes without a token and measures the reply's time, in one attempt of at most five seconds.
    func probe(at address: ServerAddress, authoritiesFile: String?) async throws(Failure) -> ReachabilityProbe.Finding
}

/// Connects to real servers.
struct NetworkConnector: Connector {
    /// The timeout of one attempt.
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

    /// Discards logs: relevant failures are thrown, and the log would only repeat them.
    private static let log: Logger = {
        var log = Logger(label: "promisectl")
        log.logLevel = .critical
        return log
    }()
}

extension Failure {
    /// The same, naming the server if it could not be reached.
    fileprivate func naming(_ address: ServerAddress) -> Failure {
        guard case .unreachable(let text) = self else { return self }
        return .unreachable("\(address): \(text)")
    }
}

/// The dependencies of commands.
struct Context: Sendable {
    let console: any Console
    let connector: any Connector
}

extension Context {
    /// The process's own streams and real servers.
    static let system = Context(console: SystemConsole(), connector: NetworkConnector())
}
