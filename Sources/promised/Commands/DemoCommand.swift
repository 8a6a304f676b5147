import ArgumentParser
import Foundation
import Logging
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
internal import PromisedSettings
import PromisedSimulation
import PromisedStore
import PromisedTransport
import ServiceLifecycle
import UnixSignals

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run a complete meetup of simulated friends in Seoul on a temporary database.",
        discussion: """
            Some friends walk, ride or drive; one is late, one never comes, one's phone dies at the door, one drives past. \
            The page shows \(DemoPlaces.count) invented places around them and recorded weather. Afterwards two friends \
            write memos to their visits, and one keeps the way as a course. After printing the result table, the server \
            continues to run until you stop it, unless --once is given.

            Example: promised demo --speed 600 --once
            """
    )

    @Option(help: "The address to listen on, HOST:PORT; port 0 picks a free port.")
    var listen = ListenArgument(host: "127.0.0.1", port: 8_080)

    @Option(help: "The speed of the demo's clock: simulated seconds per real second, 1 to 2000.") var speed = 300.0
    @Option(help: "The number of friends, 6 to 20.") var participants = 7
    @Flag(help: "Exit after printing the table.") var once = false

    func validate() throws {
        guard DemoCast.participants.contains(participants) else {
            throw ValidationError("--participants is \(participants), but must be 6 to 20")
        }
        // At higher speeds, a delay of a tenth of a second takes minutes of the demo's clock.
        guard (1...2_000).contains(speed) else { throw ValidationError("--speed must be 1 to 2000") }
    }

    func run() async throws {
        var log = Logger(label: "promised")
        log.logLevel = EmbeddedServer.logLevel
        let now = Instant(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000))
        var cast = DemoCast(meetsAt: DemoCommand.dinner(after: now))
        let plan = cast.plan(participants: participants)
        do {
            let embedded = try await EmbeddedServer.start(
                listen: (listen.host, listen.port),
                web: ServerSettings().web,
                opensAt: plan.opensAt,
                rate: speed,
                log: log,
                prepare: DemoSurroundings(centre: plan.place.coordinate, meetsAt: plan.meetsAt).prepare
            )
            try await serve(DemoService(plan: plan, server: embedded, isOnce: once, log: log), log: log)
        } catch let error as StartError {
            StandardError.write("promised: \(error)")
            throw ExitCode.failure
        } catch let error as StoreError {
            StandardError.write("promised: the places of the demo cannot be written: \(error)")
            throw ExitCode.failure
        } catch let error as ClientError {
            StandardError.write("promised: \(error)")
            throw ExitCode.failure
        } catch let error as MeetupError {
            StandardError.write("promised: \(error)")
            throw ExitCode.failure
        }
    }

    private func serve(_ demo: DemoService, log: Logger) async throws {
        var quiet = log
        quiet.logLevel = .critical
        let configuration = ServiceGroupConfiguration(
            services: [.init(service: demo, successTerminationBehavior: .gracefullyShutdownGroup)],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: quiet
        )
        try await ServiceGroup(configuration: configuration).run()
    }

    /// The next full hour at least one hour ahead.
    private static func dinner(after now: Instant) -> Instant {
        let hour = TimeSpan.hours(1).milliseconds
        return Instant(milliseconds: (now.milliseconds / hour + 2) * hour)
    }
}
