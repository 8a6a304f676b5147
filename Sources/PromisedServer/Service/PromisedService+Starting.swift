internal import Foundation
internal import Glibc
internal import Logging
internal import PromisedAccess
internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedGateway
internal import PromisedPlaces
internal import PromisedProtocol
package import PromisedSettings
internal import PromisedStore
internal import PromisedTransport

/// The steps of a start, each with its failure as a sentence.
extension PromisedService {
    static func clock(_ settings: ServerSettings.ClockSettings) -> ScaledClock {
        let real = Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
        return ScaledClock(start: settings.start ?? real, rate: settings.rate)
    }

    /// The store of the data directory. Logs the migration of an earlier version's database.
    static func openStore(_ context: ServerContext) async throws(StartError) -> Store {
        let directory = context.settings.dataDirectory
        do throws(StoreError) {
            let store = try await Store.open(directory: directory, onCommit: StoreMetrics(context.metrics).note)
            report(store.upkeep.schemaChange, to: context.log)
            return store
        } catch {
            throw StartError("Cannot open the data directory \(directory): \(error)")
        }
    }

    /// Throws ``StartError`` if the server could not listen on its address.
    static func tryAddress(of server: WebSocketServer, _ listen: ServerSettings.Listen) async throws(StartError) {
        do throws(TransportError) {
            try await server.tryAddress()
        } catch {
            throw StartError(error, listeningOn: listen)
        }
    }

    private static func report(_ change: SchemaChange, to log: Logger) {
        guard !change.isFirst, !change.migrations.isEmpty else { return }
        log.notice(
            "The database was migrated",
            metadata: [
                "migrations": "\(change.migrations.joined(separator: " "))", "backup": "\(change.backupPath ?? "")",
            ]
        )
    }

    /// The access rules of the metrics, with the token read from its file.
    fileprivate static func metricsAccess(_ configuration: ServerSettings) throws(StartError) -> MetricsRoute.Access {
        let settings = configuration.metrics
        let token = try settings.token.map { path throws(StartError) in try MetricsToken.read(path) }
        return MetricsRoute.Access(isEnabled: settings.isEnabled, token: token, networks: settings.networks)
    }

    fileprivate static func signingKey(
        _ configuration: ServerSettings,
        _ random: RandomSource
    ) throws(StartError) -> SigningKey {
        var generator = random
        do throws(SigningKeyError) {
            return try SigningKeyFile(dataDirectory: configuration.dataDirectory).loadOrCreate(using: &generator)
        } catch {
            throw StartError("\(error)")
        }
    }

    /// The built-in categories, and those of the operator's file.
    fileprivate static func categories(_ settings: ServerSettings) throws(StartError) -> CategoryTable {
        do throws(PlaceCategoriesError) {
            return try PlaceCategories.load(settings.places)
        } catch {
            throw StartError("\(error)")
        }
    }

    /// The weather providers in the settings. Opens no connection.
    fileprivate static func weather(_ settings: ServerSettings, at now: Instant) throws(StartError) -> WeatherSetup {
        do throws(WeatherSetup.Problem) {
            return try WeatherSetup(settings, version: ProductVersion.text, at: now)
        } catch {
            throw StartError("\(error)")
        }
    }

    /// Logs the files with secrets that every user of this machine can read or write.
    static func warnOfExposedFiles(_ context: ServerContext) {
        for file in ExposedFile.all(of: context.settings) {
            context.log.warning(
                "Every user of this machine can read or write a file with a secret; run chmod o-rwx",
                metadata: ["setting": "\(file.key)", "file": "\(file.path)"]
            )
        }
    }

    /// The accounts of an outside issuer, with its keys read; nil for local accounts.
    fileprivate static func outsideAccounts(
        _ context: ServerContext,
        store: Store,
        subjectKey: SubjectKey
    ) async throws(StartError) -> OutsideAccounts? {
        let configuration = context.settings
        guard configuration.auth.accounts == .issuer else { return nil }
        do throws(IssuerKeyError) {
            let issuer = try await OutsideIssuer.load(configuration.auth.issuer, clockRate: configuration.clock.rate)
            return OutsideAccounts(store: store, issuer: issuer, subjectKey: subjectKey, random: context.random)
        } catch {
            throw StartError("\(error)")
        }
    }
}

extension ApplicationPorts {
    /// The ports of a server's application. Throws ``StartError`` for unusable files.
    init(
        _ context: ServerContext,
        _ store: Store,
        _ peers: Peers,
        _ threads: ServiceThreads
    ) async throws(StartError) {
        let settings = context.settings
        let key = try PromisedService.signingKey(settings, context.random)
        let outside = try await PromisedService.outsideAccounts(context, store: store, subjectKey: SubjectKey(key))
        let categories = try PromisedService.categories(settings)
        var execution = Execution()
        execution.sessions = threads.executors
        execution.heavyUsers = QueueExecutor(label: "promised-heavy-users")
        self.init(
            store: store,
            storage: DiskFileStorage(path: settings.dataDirectory + "/files"),
            connections: peers.ports,
            clock: context.clock,
            random: context.random,
            key: key,
            outside: outside,
            // Last, because its client must be shut down, which only an application does.
            weather: try PromisedService.weather(settings, at: context.clock.now),
            categories: categories,
            execution: execution,
            settings: settings,
            metrics: context.metrics,
            log: context.log
        )
    }
}

extension HTTPRoutes {
    /// The routes with their files read. Throws ``StartError`` for unusable ones.
    init(_ context: ServerContext, _ readiness: Readiness) throws(StartError) {
        let access = try PromisedService.metricsAccess(context.settings)
        self.init(
            readiness: readiness,
            site: try WebSite(context.settings, log: context.log),
            appLinks: AppLinks.files(context.settings.links),
            metrics: MetricsRoute(context.metrics, access: access)
        )
    }
}

extension Peers {
    /// The connections of a server's sockets.
    init(_ context: ServerContext, over server: WebSocketServer) {
        self.init(
            SocketOutlet(server),
            frameLimit: context.settings.limits.sentFrame,
            clock: context.clock,
            metrics: context.metrics,
            log: context.log
        )
    }
}

extension Gateway {
    convenience init(
        _ context: ServerContext,
        _ peers: Peers,
        _ application: Application,
        process: HealthChecks
    ) {
        self.init(
            peers,
            application,
            process: process,
            settings: context.settings,
            clock: context.clock,
            random: context.random,
            metrics: context.metrics,
            log: context.log
        )
    }
}

extension ClockCheck {
    /// The machine's clocks at the start.
    init(_ settings: ServerSettings.ClockSettings) {
        self.init(wall: RealTime.now, monotonic: .now, isOwn: settings.rate != 1 || settings.start != nil)
    }
}

/// The files that the server reads at start besides the configuration.
package enum ConfigurationCheck {
    /// The configured files with secrets that every user of this machine can read or write.
    package static func exposedFiles(of configuration: ServerSettings) -> [ExposedFile] {
        ExposedFile.all(of: configuration)
    }

    /// Reads the files of a configuration without changing anything. Throws ``StartError`` for the first unusable
    /// one.
    package static func readFiles(of configuration: ServerSettings) async throws(StartError) {
        _ = try PromisedService.categories(configuration)
        _ = try TileRoute.file(configuration.web)
        guard configuration.auth.accounts == .issuer else { return }
        do throws(IssuerKeyError) {
            _ = try await OutsideIssuer.load(configuration.auth.issuer, clockRate: configuration.clock.rate)
        } catch {
            throw StartError("\(error)")
        }
    }
}

/// A file with a secret that users outside its owner and group can read or write: the server uses it, and warns.
package struct ExposedFile: Sendable, Hashable, CustomStringConvertible {
    /// The key of the setting that names it.
    package let key: String
    package let path: String

    /// A sentence for operators.
    package var description: String {
        "\(path) (\(key)) can be read or written by every user of this machine; run chmod o-rwx"
    }

    /// The configured files with secrets that every user can read or write. Blocks for one `stat` per file; skips files
    /// that can't be checked.
    static func all(of configuration: ServerSettings) -> [ExposedFile] {
        let secrets = [
            ("tls.key", configuration.tls.key), ("metrics.token", configuration.metrics.token),
            ("auth.issuer.hs256", configuration.auth.issuer.hs256), ("weather.key-file", configuration.weather.keyFile),
        ]
        return secrets.compactMap { key, path in
            guard let path, isExposed(path) else { return nil }
            return ExposedFile(key: key, path: path)
        }
    }

    private static func isExposed(_ path: String) -> Bool {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // A file that can't be checked can't be read either: the start reports that.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else { return false }
        return ((attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0) & 0o007 != 0
    }
}

/// The transport's settings from the configuration.
extension PromisedService {
    /// The time over which this many clients are asked to reconnect: 5,000 a second, because all of them will sign in
    /// elsewhere.
    static func spread(_ connections: Int, within limit: Duration) -> Duration {
        min(limit, .microseconds(200 * connections))
    }

    static func transport(
        _ configuration: ServerSettings,
        _ certificate: TLSCertificate?
    ) -> WebSocketServerConfiguration {
        let offered = WireCodec.allCases.map { Subprotocol(name: $0.subprotocol, isText: $0.isText) }
        var transport = WebSocketServerConfiguration(subprotocols: offered)
        transport.host = configuration.listen.host
        transport.port = UInt16(configuration.listen.port)
        transport.certificate = certificate
        if let strictTransport = configuration.tls.strictTransport { transport.answerHeaders = [strictTransport] }
        transport.path = ProtocolVersion.path
        transport.maximumConnections = configuration.limits.connections
        transport.unadmittedPerSource = configuration.limits.connectionsBeforeSignIn
        transport.limits.messageBytesBeforeAdmission = configuration.limits.frameBeforeSignIn
        transport.limits.messageBytes = configuration.limits.frame
        transport.limits.outboxBytes = configuration.limits.outboxBytes
        transport.limits.allOutboxBytes = configuration.limits.allOutboxBytes
        transport.limits.outboxFrames = configuration.limits.outboxFrames
        transport.timing.handshake = configuration.connection.handshake.duration
        transport.timing.admission = configuration.connection.signIn.duration
        transport.timing.ping = configuration.connection.ping.duration
        transport.timing.silence = configuration.connection.silence.duration
        return transport
    }
}

extension StartError {
    /// The socket could not be created; the message names the address once.
    init(_ error: TransportError, listeningOn listen: ServerSettings.Listen) {
        guard case .bindFailed(let address, let errno, let text) = error else {
            self.init("Cannot listen on \(listen.host):\(listen.port): \(error)")
            return
        }
        let advice =
            switch errno {
            case EADDRINUSE: "another program uses this port; stop it, or choose another port with --listen"
            case EACCES: "ports below 1024 need root; choose another port with --listen"
            default: "check the setting listen.host"
            }
        self.init("Cannot listen on \(address): \(text) (errno \(errno)); \(advice).")
    }
}
