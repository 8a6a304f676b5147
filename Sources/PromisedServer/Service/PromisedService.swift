internal import Foundation
package import Logging
internal import PromisedAccess
internal import PromisedApplication
package import PromisedDomain
package import PromisedEngine
internal import PromisedGateway
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
    /// How long a stopping server waits for a request in progress.
    private static let longestRequest = Duration.seconds(2)

    private let context: ServerContext
    private let certificates: Certificates
    private let server: WebSocketServer
    private let peers: Peers
    private let application: Application
    private let monitors: ServerMonitors
    private let gateway: Gateway
    private let sockets: SocketHandler
    private let stopping: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

    package var clock: any WallClock { context.clock }

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
        context = ServerContext(settings: configuration, clock: clock, random: random, log: log)
        let clockCheck = ClockCheck(configuration.clock)
        certificates = Certificates(configuration.tls, metrics: context.metrics, log: log)
        let certificate = try certificates.load()
        PromisedService.warnOfExposedFiles(context)
        let readiness = Readiness()
        let http = try HTTPRoutes(context, readiness)
        let threads = ServiceThreads(count: configuration.listen.threads)
        server = WebSocketServer(
            configuration: PromisedService.transport(configuration, certificate),
            logger: log,
            threads: threads,
            metrics: context.metrics
        )
        // Checked before anything is created: a start with a wrong file, or on a port in use, creates no data
        // directory.
        try await ConfigurationCheck.readFiles(of: configuration)
        try await PromisedService.tryAddress(of: server, configuration.listen)
        let store = try await PromisedService.openStore(context)
        peers = Peers(context, over: server)
        application = await Application(try await ApplicationPorts(context, store, peers, threads))
        monitors = ServerMonitors(application, peers.connections, context, readiness: readiness)
        gateway = Gateway(
            context,
            peers,
            application,
            process: HealthChecks(
                store: store.upkeep,
                files: application.core.files,
                settings: configuration,
                clock: clockCheck,
                integrity: monitors.integrity
            )
        )
        let invites = InviteRoute(
            application.meetups.previews,
            site: http.site,
            base: configuration.links.base,
            log: log
        )
        sockets = SocketHandler(gateway, http: http, invites: invites, settings: configuration, log: log)
        stopping = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// All background work: the application's and the server's own.
    var jobs: [Job] {
        application.jobs + monitors.jobs + [
            // The frames and tokens of this node's connections.
            Job("requests", .everyNode) { await self.gateway.run() },
            // The events of this node's sessions, for its connections.
            Job("statistics", .everyNode) {
                await self.peers.statistics.run(
                    store: self.application.core.store,
                    connections: self.peers.broadcaster,
                    news: self.peers.broadcaster,
                    log: self.context.log
                )
            },
        ]
    }

    /// Starts to listen, and creates the first administrator's token. ``run()`` serves the connections.
    ///
    /// - Returns: the address, with the chosen port if the configured one is 0.
    /// - Throws: ``StartError``, without listening, if the address can't be used or the token can't be written.
    package func start() async throws(StartError) -> ListeningAddress {
        let address: ListeningAddress
        do throws(TransportError) {
            address = try await server.start(serving: sockets)
        } catch {
            throw StartError(error, listeningOn: context.settings.listen)
        }
        // Last, so that a failed start leaves no key to the server behind.
        do throws(StartError) {
            let file = AdminTokenFile(dataDirectory: context.settings.dataDirectory, random: context.random)
            if let path = try await file.register(in: application.core.store) {
                context.log.notice("An administrator's token was created", metadata: ["file": "\(path)"])
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
            for job in jobs { group.addTask { await job.run() } }
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
        monitors.readiness.startDraining()
        stopping.continuation.yield()
        stopping.continuation.finish()
    }

    /// Reloads the keys of weather providers, and the certificate: new connections use the new one, existing ones are
    /// not affected. If the certificate can't be used, logs that and keeps the old one.
    ///
    /// - Returns: `true` if the certificate could be read.
    @discardableResult
    package func reload() async -> Bool {
        await application.places.weather.reload()
        let hasWeatherKeys = context.settings.weather.keyFile != nil
        if hasWeatherKeys { context.log.notice("The keys of weather providers are read again with the next request") }
        return certificates.reload(into: server, isWithKeys: hasWeatherKeys)
    }

    /// Disables an account: its sessions end with their connections (4505), and sign-in fails. Returns `true` if it was
    /// enabled before; `false` also if the storage is unavailable.
    func disable(_ userID: UserID) async -> Bool {
        do {
            return try await application.accounts.accounts.disable(userID, at: clock.now)
        } catch {
            context.log.error("An account could not be disabled", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Creates a code that signs a user in once, by `exchangeCode`, within ten minutes of real time; for a process that
    /// runs the server itself and passes the code to a browser. With an outside issuer, no code signs a user in.
    /// Returns 32 characters that are valid in the fragment of a URL.
    package func issueSignInCode(for userID: UserID) -> String {
        application.accounts.signInCodes.issue(for: userID).text
    }

    /// Deletes expired data, as the server does once a minute; for tests.
    package func cleanUp() async {
        await application.administration.cleaning.clean()
        await application.journal.recordings.wakeDue()
    }

    /// Waits until the directory of places is loaded or could not be read; ``run()`` loads it. Returns at once when the
    /// task is cancelled.
    package func placesRead() async { await application.places.directory.firstBuild() }

    /// Builds the index of places if the directory has changed, as the server does several seconds after a change; for
    /// tests.
    package func refreshPlaces() async { await application.places.directory.refresh() }

    /// Updates the gauges of `/metrics`, as the server does every few seconds; for tests.
    package func refreshMetrics() async {
        await monitors.sampler.look()
        await monitors.sampler.count()
    }

    private func shutDownTransport() async {
        monitors.readiness.startDraining()
        let reason = CloseReason(code: CloseCode.draining.rawValue, text: CloseCode.draining.sentence)
        await server.shutdown(
            closing: reason,
            spread: PromisedService.spread(server.connectionCount, within: context.settings.drain.spread.duration),
            timeout: context.settings.drain.closeFrames.duration
        )
    }

    private func closeStore() async {
        if await !application.core.archive.flush() {
            context.log.error("Positions of the last seconds could not be written")
        }
        do throws(StoreError) {
            try await application.core.store.close()
        } catch {
            context.log.error("Storage could not be closed", metadata: ["error": "\(error)"])
        }
    }
}
