internal import Foundation
package import Logging
internal import PromisedAccess
internal import PromisedApplication
package import PromisedDomain
package import PromisedEngine
internal import PromisedProtocol
package import PromisedSettings
internal import PromisedStore
package import PromisedTransport
internal import PromisedWire

/// One whole server: its storage, sessions, requests and sockets.
///
/// ```
/// init (storage, keys) ─▶ start (listening) ─▶ run (serving) ─▶ stop (clients notified, storage flushed)
/// ```
package final class PromisedService: Sendable {
    package let clock: any WallClock

    private let parts: ServiceParts
    private let places: PlaceParts
    private let requests: ServiceRequests
    private let gateway: Gateway
    private let periodicMaintenance: PeriodicMaintenance
    private let tokenWatch: TokenWatch
    private let sampler: MetricsSampler
    private let certificates: Certificates
    /// `true` if the keys of weather providers come from a file.
    private let hasWeatherKeys: Bool
    private let server: WebSocketServer
    private let stopping: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    /// How long a stopping server waits for a request in progress.
    private static let longestRequest = Duration.seconds(2)

    /// A server with an open data directory and all keys, not listening yet. Throws ``StartError`` if the directory is
    /// in use or damaged, or a key can't be read.
    package convenience init(configuration: ServerSettings, log: Logger) async throws(StartError) {
        let clock = PromisedService.clock(configuration.clock)
        try await self.init(configuration: configuration, clock: clock, log: log)
    }

    /// The same with the caller's clock, for tests.
    ///
    /// - Parameter random: creates ids, keys and codes; must be cryptographically secure outside tests.
    /// - Throws: ``StartError``.
    package init(
        configuration: ServerSettings,
        clock: any WallClock,
        random: RandomSource = .system,
        log: Logger
    ) async throws(StartError) {
        self.clock = clock
        let clockCheck = ClockCheck(
            wall: RealTime.now,
            monotonic: .now,
            isOwn: configuration.clock.rate != 1 || configuration.clock.start != nil
        )
        let metrics = MetricRegistry()
        certificates = Certificates(configuration.tls, metrics: metrics, log: log)
        hasWeatherKeys = configuration.weather.keyFile != nil
        let certificate = try certificates.load()
        for file in ExposedFile.all(of: configuration) {
            log.warning(
                "Every user of this machine can read or write a file with a secret; run chmod o-rwx",
                metadata: ["setting": "\(file.key)", "file": "\(file.path)"]
            )
        }
        let metricsAccess = try PromisedService.metricsAccess(configuration)
        let site = try WebSite(configuration, log: log)
        let threads = ServiceThreads(count: configuration.listen.threads)
        server = WebSocketServer(
            configuration: PromisedService.transport(configuration, certificate),
            logger: log,
            threads: threads,
            metrics: metrics
        )
        // Checked before anything is created: a start with a wrong file, or on a port in use, creates no data
        // directory.
        try await ConfigurationCheck.readFiles(of: configuration)
        try await PromisedService.tryAddress(of: server, configuration.listen)
        let store = try await PromisedService.openStore(in: configuration.dataDirectory, metrics: StoreMetrics(metrics))
        PromisedService.report(store.upkeep.schemaChange, to: log)
        let key = try PromisedService.signingKey(configuration, random)
        let outside = try await PromisedService.outsideAccounts(
            configuration,
            store: store,
            subjectKey: SubjectKey(key),
            random: random
        )
        parts = await ServiceParts(
            configuration,
            store: store,
            transport: server,
            clock: clock,
            random: random,
            threads: threads,
            metrics: metrics,
            log: log
        )
        places = try PlaceParts(parts, metrics: metrics)
        requests = await ServiceRequests(
            parts,
            places,
            metrics: metrics,
            key: key,
            outside: outside,
            clockCheck: clockCheck
        )
        gateway = Gateway(
            settings: configuration,
            clock: clock,
            random: random,
            connections: parts.connections,
            sender: parts.sender,
            router: requests.router,
            http: HTTPRoutes(
                readiness: parts.readiness,
                site: site,
                metrics: MetricsRoute(metrics, access: metricsAccess)
            ),
            metrics: RequestMetrics(metrics),
            log: log
        )
        sampler = MetricsSampler(
            metrics,
            engine: parts.engine,
            store: store,
            connections: parts.connections,
            readiness: parts.readiness
        )
        tokenWatch = TokenWatch(
            connections: parts.connections,
            sender: parts.sender,
            clock: clock,
            grace: configuration.connection.tokenGrace
        )
        periodicMaintenance = PeriodicMaintenance(
            store: store,
            clock: clock,
            readiness: parts.readiness,
            places: places.administration,
            imports: places.imports,
            files: parts.files,
            recordings: requests.courses.recordings,
            retention: configuration.positionRetention,
            log: log
        )
        stopping = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Starts to listen, and creates the first administrator's token. ``run()`` serves the connections.
    ///
    /// - Returns: the address, with the chosen port if the configured one is 0.
    /// - Throws: ``StartError``, without listening, if the address can't be used or the token can't be written.
    package func start() async throws(StartError) -> ListeningAddress {
        let address: ListeningAddress
        do throws(TransportError) {
            address = try await server.start(serving: gateway)
        } catch {
            throw StartError(error, listeningOn: parts.settings.listen)
        }
        // Last, so that a failed start leaves no key to the server behind.
        do throws(StartError) {
            let file = AdminTokenFile(dataDirectory: parts.settings.dataDirectory, random: parts.random)
            if let path = try await file.register(in: parts.store) {
                parts.log.notice("An administrator's token was created", metadata: ["file": "\(path)"])
            }
        } catch {
            await shutDownTransport()
            throw error
        }
        return address
    }

    /// Serves until ``stop()`` is called or the task is cancelled, then stops cleanly and returns.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { await self.parts.engine.run() }
            group.addTask { await self.gateway.run() }
            group.addTask { await self.parts.archive.run() }
            group.addTask { await self.periodicMaintenance.run() }
            group.addTask { await self.requests.deletions.run() }
            group.addTask { await self.places.run() }
            group.addTask { await self.requests.courses.run() }
            group.addTask {
                await self.parts.statistics.run(
                    store: self.parts.store,
                    broadcaster: self.parts.broadcaster,
                    connections: self.parts.connections,
                    log: self.parts.log
                )
            }
            group.addTask { await self.tokenWatch.run() }
            group.addTask { await self.sampler.run() }
            group.addTask { await self.parts.integrity.run() }
            for await _ in stopping.stream { break }
            // Requests in progress are answered before their clients are asked to reconnect. Everything above runs
            // until then, and the transport first sends its queued frames.
            await gateway.finishRequests(within: PromisedService.longestRequest)
            await shutDownTransport()
            group.cancelAll()
        }
        await closeStore()
    }

    /// Makes ``run()`` ask the clients to reconnect (4001), flush the storage and return. Idempotent.
    package func stop() {
        parts.readiness.startDraining()
        stopping.continuation.yield()
        stopping.continuation.finish()
    }

    /// Reloads the keys of weather providers, and the certificate: new connections use the new one, existing ones are
    /// not affected. If the certificate can't be used, logs that and keeps the old one.
    ///
    /// - Returns: `true` if the certificate could be read.
    @discardableResult
    package func reload() async -> Bool {
        await places.weather.reload()
        if hasWeatherKeys { parts.log.notice("The keys of weather providers are read again with the next request") }
        return certificates.reload(into: server, isWithKeys: hasWeatherKeys)
    }

    /// Disables an account: its sessions end with their connections (4505), and sign-in fails. Returns `true` if it was
    /// enabled before; `false` also if the storage is unavailable.
    func disable(_ userID: UserID) async -> Bool {
        do {
            return try await requests.accounts.disable(userID, at: clock.now)
        } catch {
            parts.log.error("An account could not be disabled", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Creates a code that signs a user in once, by `exchangeCode`, within ten minutes of real time; for a process that
    /// runs the server itself and passes the code to a browser. With an outside issuer, no code signs a user in.
    /// Returns 32 characters that are valid in the fragment of a URL.
    package func issueSignInCode(for userID: UserID) -> String { requests.signInCodes.issue(for: userID).text }

    /// Deletes expired data, as the server does once a minute; for tests.
    package func cleanUp() async {
        await periodicMaintenance.clean()
        await periodicMaintenance.endRecordings()
    }

    /// Waits until the directory of places is loaded or could not be read; ``run()`` loads it. Returns at once when the
    /// task is cancelled.
    package func placesRead() async { await places.directory.firstBuild() }

    /// Builds the index of places if the directory has changed, as the server does several seconds after a change; for
    /// tests.
    package func refreshPlaces() async { await places.directory.refresh() }

    /// Updates the gauges of `/metrics`, as the server does every few seconds; for tests.
    package func refreshMetrics() async {
        await sampler.look()
        await sampler.count()
    }

    private func shutDownTransport() async {
        parts.readiness.startDraining()
        let reason = CloseReason(code: CloseCode.draining.rawValue, text: CloseCode.draining.sentence)
        await server.shutdown(
            closing: reason,
            spread: PromisedService.spread(server.connectionCount, within: parts.settings.drain.spread.duration),
            timeout: parts.settings.drain.closeFrames.duration
        )
    }

    private func closeStore() async {
        if await !parts.archive.flush() { parts.log.error("Positions of the last seconds could not be written") }
        do throws(StoreError) {
            try await parts.store.close()
        } catch {
            parts.log.error("Storage could not be closed", metadata: ["error": "\(error)"])
        }
    }
}
