internal import Foundation
public import Logging
public import PromisedDomain
public import PromisedEngine
internal import PromisedStore
public import PromisedTransport
internal import PromisedWire

/// One whole server: its storage, sessions, requests and sockets.
///
/// ```
/// init (storage, keys) ─▶ start (listening) ─▶ run (serving) ─▶ stop (clients told, storage flushed)
/// ```
public final class PromisedService: Sendable {
    /// The server's clock.
    public let clock: any WallClock

    private let configuration: ServerConfiguration
    private let log: Logger
    private let store: Store
    private let archive: StoreArchive
    private let engine: Engine
    private let gateway: Gateway
    private let sender: Sender
    private let statistics: StatisticsNews
    private let broadcaster: Broadcaster
    private let connections: Connections
    private let housekeeping: Housekeeping
    private let accounts: AccountRequests
    private let deletions: DeletionRequests
    private let tokenWatch: TokenWatch
    private let signInCodes: SignInCodes
    private let readiness: Readiness
    private let sampler: MetricsSampler
    private let certificates: Certificates
    private let server: WebSocketServer
    private let stopping: AsyncStream<Void>
    private let stoppingContinuation: AsyncStream<Void>.Continuation
    /// What is still being dealt with after so long is not waited for when the server stops.
    private static let longestRequest = Duration.seconds(2)

    /// A server that has opened its data directory and made its keys where there were none. It listens nowhere yet.
    ///
    /// - Throws: ``StartError`` when the directory is in use or damaged, or a key can't be read.
    public convenience init(configuration: ServerConfiguration, log: Logger) async throws(StartError) {
        let clock = PromisedService.clock(configuration.clock)
        try await self.init(configuration: configuration, clock: clock, log: log)
    }

    /// The same on a clock of the caller's, in place of the one that the configuration describes; a seam for tests.
    ///
    /// - Throws: ``StartError``.
    package init(
        configuration: ServerConfiguration,
        clock: any WallClock,
        log: Logger
    ) async throws(StartError) {
        self.configuration = configuration
        self.log = log
        let clockCheck = ClockCheck(
            wall: RealTime.now,
            monotonic: .now,
            isOwn: configuration.clock.rate != 1 || configuration.clock.start != nil
        )
        self.clock = clock
        let metrics = MetricRegistry()
        certificates = Certificates(configuration.tls, metrics: metrics, log: log)
        let certificate = try certificates.load()
        let metricsAccess = try PromisedService.metricsAccess(configuration)
        store = try await PromisedService.openStore(in: configuration.dataDirectory, metrics: StoreMetrics(metrics))
        PromisedService.report(store.schemaChange, to: log)
        let signingKey = try PromisedService.signingKey(configuration)
        let signer = await AccessTokenSigner(
            key: signingKey,
            lifetime: configuration.tokens.access,
            clockRate: configuration.clock.rate
        )
        if let path = try await AdminTokenFile(dataDirectory: configuration.dataDirectory).register(in: store) {
            log.notice("An administrator's token was made", metadata: ["file": "\(path)"])
        }
        let subjectKey = SubjectKey(signingKey)
        let outside = try await PromisedService.outsideAccounts(configuration, store: store, subjectKey: subjectKey)

        let cards = CardBook()
        let connections = Connections()
        let readiness = Readiness()
        let deliveries = DeliveryMetrics(metrics)
        let sender = Sender(metrics: deliveries, log: log)
        let statistics = StatisticsNews()
        let traffic = TrafficMeter()
        let broadcaster = Broadcaster(
            connections: connections,
            sender: sender,
            cards: cards,
            statistics: statistics,
            traffic: traffic,
            clock: clock,
            metrics: deliveries
        )
        let writeBehind = PromisedService.writeBehind(configuration)
        let archive = StoreArchive(store: store, cards: cards, interval: writeBehind, log: log)
        let engine = await Engine(
            archive: archive,
            outbox: broadcaster,
            directory: broadcaster,
            clock: clock,
            settings: EngineSettings(
                reportInterval: configuration.report.interval,
                collection: configuration.report.collection.duration,
                idleFor: max(.minutes(1), .seconds(5 * clock.rate))
            ),
            log: log,
            metrics: metrics
        )
        let replies = PromiseReplies(store: store, registry: engine.registry, cards: cards)
        let throttles = AccountThrottles(configuration.throttle)
        let revocation = Revocation(connections: connections, sender: sender, clock: clock)
        let accounts = AccountRequests(
            store: store,
            connections: connections,
            sender: sender,
            hasher: PasswordHasher(cost: configuration.passwords.cost, queueLimit: configuration.passwords.queue),
            signer: signer,
            outside: outside,
            revocation: revocation,
            clock: clock,
            settings: configuration,
            throttles: throttles,
            log: log
        )
        let deletions = DeletionRequests(
            accounts: accounts,
            broadcaster: broadcaster,
            cards: cards,
            promises: SessionParting(replies: replies),
            subjectKey: subjectKey
        )
        let access = AdminAccess(
            store: store,
            connections: connections,
            sender: sender,
            revocation: revocation,
            clock: clock,
            settings: configuration,
            log: log
        )
        let friends = FriendRequests(
            store: store,
            broadcaster: broadcaster,
            throttles: throttles,
            onBlockChange: { [registry = engine.registry] one, other in
                await registry.refreshBlocks(between: one, and: other)
            }
        )
        let promises = PromiseRequests(
            store: store,
            engine: engine,
            broadcaster: broadcaster,
            replies: replies,
            spans: configuration.window,
            grace: configuration.arrival.grace,
            pageBytes: configuration.limits.sentFrame - 1_024
        )
        let live = LiveRequests(
            replies: replies,
            registry: engine.registry,
            clock: clock,
            sender: sender,
            cards: cards,
            frameLimit: configuration.limits.sentFrame
        )
        let changes = ChangeRequests(replies: replies, engine: engine, clock: clock)
        let results = ResultRequests(replies: replies, archive: archive)
        let users = UserAdministration(store: store, accounts: accounts, deletions: deletions)
        let promiseAdministration = PromiseAdministration(
            store: store,
            users: users,
            promises: promises,
            changes: changes,
            results: results,
            replies: replies
        )
        let admin = AdminRequests(
            users: users,
            friends: FriendAdministration(friends: friends),
            promises: promiseAdministration,
            watching: WatchAdministration(promises: promiseAdministration, live: live, archive: archive),
            live: LiveAdministration(registry: engine.registry),
            stats: StatsAdministration(
                store: store,
                registry: engine.registry,
                connections: connections,
                traffic: traffic,
                startedAt: .now
            ),
            health: HealthAdministration(store: store, settings: configuration, clock: clockCheck),
            backups: BackupAdministration(
                store: store,
                archive: archive,
                directory: configuration.backup.directory,
                log: log
            ),
            tokens: TokenAdministration(store: store, access: access),
            audit: AuditAdministration(store: store)
        )
        let attempts = CodeAttempts(configuration.throttle)
        let signInCodes = SignInCodes()
        let router = RequestRouter(
            accounts: accounts,
            friends: friends,
            promises: promises,
            live: live,
            changes: changes,
            invites: InviteRequests(replies: replies, throttle: CodeThrottle(configuration.throttle)),
            signals: SignalRequests(replies: replies),
            checkIns: CheckInRequests(
                replies: replies,
                codes: CheckInCodes(signingKey),
                throttle: CodeThrottle(configuration.throttle)
            ),
            results: results,
            profiles: ProfileRequests(store: store, cards: cards, throttles: throttles),
            deletions: deletions,
            access: access,
            admin: admin,
            links: ViewLinkRequests(replies: replies),
            watching: WatchRequests(replies: replies, attempts: attempts, sender: sender, clock: clock),
            signInCodes: SignInCodeRequests(accounts: accounts, codes: signInCodes, attempts: attempts),
            traffic: traffic
        )
        self.signInCodes = signInCodes
        self.accounts = accounts
        self.deletions = deletions
        gateway = Gateway(
            settings: configuration,
            clock: clock,
            connections: connections,
            sender: sender,
            router: router,
            http: HTTPRoutes(
                readiness: readiness,
                site: try WebSite(configuration, log: log),
                metrics: MetricsRoute(metrics, access: metricsAccess)
            ),
            metrics: RequestMetrics(metrics),
            log: log
        )
        server = WebSocketServer(
            configuration: PromisedService.transport(configuration, certificate),
            handler: gateway,
            logger: log,
            metrics: metrics
        )
        sampler = MetricsSampler(
            metrics,
            engine: engine,
            store: store,
            connections: connections,
            readiness: readiness
        )
        sender.attach(server)
        tokenWatch = TokenWatch(
            connections: connections,
            sender: sender,
            clock: clock,
            grace: configuration.connection.tokenGrace
        )
        housekeeping = Housekeeping(
            store: store,
            clock: clock,
            readiness: readiness,
            retention: configuration.positionRetention,
            log: log
        )
        self.statistics = statistics
        self.broadcaster = broadcaster
        self.connections = connections
        self.sender = sender
        self.archive = archive
        self.engine = engine
        self.readiness = readiness
        (stopping, stoppingContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Listens from now on. What comes in is served by ``run()``.
    ///
    /// - Returns: the address, with the port that was chosen where the configuration says 0.
    /// - Throws: ``StartError`` when the address can't be listened on.
    public func start() async throws(StartError) -> ListeningAddress {
        do throws(TransportError) {
            return try await server.start()
        } catch {
            throw StartError("Cannot listen on \(configuration.listen.host):\(configuration.listen.port): \(error)")
        }
    }

    /// Serves until ``stop()`` is called or the task is cancelled, then stops cleanly and returns.
    public func run() async {
        await withTaskGroup { group in
            group.addTask { await self.engine.run() }
            group.addTask { await self.gateway.run() }
            group.addTask { await self.archive.run() }
            group.addTask { await self.housekeeping.run() }
            group.addTask { await self.deletions.run() }
            group.addTask {
                await self.statistics.run(
                    store: self.store,
                    broadcaster: self.broadcaster,
                    connections: self.connections,
                    log: self.log
                )
            }
            group.addTask { await self.tokenWatch.run() }
            group.addTask { await self.sampler.run() }
            for await _ in stopping { break }
            // Requests that have begun are answered before their clients are told to go; everything above runs on
            // until then, and the transport sends what is queued first.
            await gateway.finishRequests(within: PromisedService.longestRequest)
            await shutDownTransport()
            group.cancelAll()
        }
        await closeStore()
    }

    /// Has ``run()`` tell the clients to come back (4001), flush the storage and return. Calling it again does nothing.
    public func stop() {
        readiness.startDraining()
        stoppingContinuation.yield()
        stoppingContinuation.finish()
    }

    /// Reads again what may change while it serves, the certificate: new connections are shown the new one, those that
    /// are there go on. A file that can't be used is logged, and the old certificate stays.
    ///
    /// - Returns: whether everything could be read.
    @discardableResult
    public func reload() -> Bool { certificates.reload(into: server) }

    /// Disables an account: its sessions end with their connections (4505), and nobody signs in to it.
    ///
    /// - Returns: whether it was enabled until now; false also when the storage is unavailable.
    func disable(_ userID: UserID) async -> Bool {
        do throws(RequestError) {
            return try await accounts.disable(userID, at: clock.now)
        } catch {
            log.error("An account could not be disabled", metadata: ["code": "\(error.code)"])
            return false
        }
    }

    /// Makes a code that signs a user in once, by `exchangeCode`, within ten minutes of real time; for whoever runs the
    /// server in their own process and hands the code to a browser. With an outside issuer no code signs anybody in.
    ///
    /// - Returns: 32 characters that may stand in the fragment of a URL.
    public func issueSignInCode(for userID: UserID) -> String { signInCodes.issue(for: userID).text }

    /// Deletes what is kept no longer, as is done once a minute; a seam for tests.
    package func cleanUp() async { await housekeeping.clean() }

    /// Brings the gauges of `/metrics` up to date, as is done every few seconds; a seam for tests.
    package func refreshMetrics() async { await sampler.look() }

    private func shutDownTransport() async {
        readiness.startDraining()
        let reason = CloseReason(code: CloseCode.draining.rawValue, text: CloseCode.draining.sentence)
        await server.shutdown(
            closing: reason,
            spread: PromisedService.spread(server.connectionCount, within: configuration.drain.spread.duration),
            timeout: configuration.drain.closeFrames.duration
        )
    }

    private func closeStore() async {
        if await !archive.flush() { log.error("Positions of the last seconds could not be written") }
        do throws(StoreError) {
            try await store.close()
        } catch {
            log.error("Storage could not be closed", metadata: ["error": "\(error)"])
        }
    }
}

// MARK: - Parts

extension PromisedService {
    private static func clock(_ settings: ServerConfiguration.ClockSettings) -> ScaledClock {
        let real = Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded()))
        return ScaledClock(start: settings.start ?? real, rate: settings.rate)
    }

    private static func openStore(
        in directory: String,
        metrics: StoreMetrics
    ) async throws(StartError) -> Store {
        do throws(StoreError) {
            return try await Store.open(directory: directory, onCommit: metrics.note)
        } catch {
            throw StartError("Cannot open the data directory \(directory): \(error)")
        }
    }

    /// Says what became of a database that an earlier version wrote.
    private static func report(_ change: SchemaChange, to log: Logger) {
        guard !change.isFirst, !change.migrations.isEmpty else { return }
        log.notice(
            "The database was brought up to date",
            metadata: [
                "migrations": "\(change.migrations.joined(separator: " "))", "backup": "\(change.backupPath ?? "")",
            ]
        )
    }

    /// Who may read the metrics, the token read from its file.
    private static func metricsAccess(
        _ configuration: ServerConfiguration
    ) throws(StartError) -> MetricsRoute.Access {
        let settings = configuration.metrics
        let token = try settings.token.map { path throws(StartError) in try MetricsToken.read(path) }
        return MetricsRoute.Access(isEnabled: settings.isEnabled, token: token, networks: settings.networks)
    }

    private static func signingKey(_ configuration: ServerConfiguration) throws(StartError) -> SigningKey {
        var generator = SystemRandomNumberGenerator()
        do throws(SigningKeyError) {
            return try SigningKeyFile(dataDirectory: configuration.dataDirectory).loadOrCreate(using: &generator)
        } catch {
            throw StartError("\(error)")
        }
    }

    /// The accounts of an outside issuer, its keys read; nil where accounts are local.
    private static func outsideAccounts(
        _ configuration: ServerConfiguration,
        store: Store,
        subjectKey: SubjectKey
    ) async throws(StartError) -> OutsideAccounts? {
        guard configuration.auth.accounts == .issuer else { return nil }
        do throws(IssuerKeyError) {
            let issuer = try await OutsideIssuer.load(configuration.auth.issuer, clockRate: configuration.clock.rate)
            return OutsideAccounts(store: store, issuer: issuer, subjectKey: subjectKey)
        } catch {
            throw StartError("\(error)")
        }
    }

    /// On a scaled clock at least every 100 ms, for more happens in the same time.
    private static func writeBehind(_ configuration: ServerConfiguration) -> Duration {
        let configured = configuration.writeBehind.duration
        return configuration.clock.rate > 1 ? min(configured, .milliseconds(100)) : configured
    }

    /// Over how long so many clients are told to come back: 5,000 a second, for all of them will sign in elsewhere.
    private static func spread(_ connections: Int, within limit: Duration) -> Duration {
        min(limit, .microseconds(200 * connections))
    }

    private static func transport(
        _ configuration: ServerConfiguration,
        _ certificate: TLSCertificate?
    ) -> WebSocketConfiguration {
        let offered = WireCodec.allCases.map { Subprotocol(name: $0.subprotocol, isText: $0.isText) }
        var transport = WebSocketConfiguration(subprotocols: offered)
        transport.host = configuration.listen.host
        transport.port = UInt16(configuration.listen.port)
        transport.threads = configuration.listen.threads
        transport.certificate = certificate
        transport.path = ProtocolVersion.path
        transport.maximumConnections = configuration.limits.connections
        transport.limits.messageBytesBeforeAdmission = configuration.limits.frameBeforeSignIn
        transport.limits.messageBytes = configuration.limits.frame
        transport.limits.outboxBytes = configuration.limits.outboxBytes
        transport.limits.outboxFrames = configuration.limits.outboxFrames
        transport.timing.handshake = configuration.connection.handshake.duration
        transport.timing.admission = configuration.connection.signIn.duration
        transport.timing.ping = configuration.connection.ping.duration
        transport.timing.silence = configuration.connection.silence.duration
        return transport
    }
}

/// The transport's settings; this module has settings of its own under the same name.
private typealias WebSocketConfiguration = PromisedTransport.ServerConfiguration
