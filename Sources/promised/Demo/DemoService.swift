import Logging
import PromisedClient
import PromisedDomain
import PromisedEngine
import PromisedProtocol
import PromisedServer
import PromisedSimulation
import ServiceLifecycle

/// The demo: a server, a meetup of simulated friends, and the table of results.
struct DemoService: Service {
    let plan: MeetupPlan
    let server: EmbeddedServer
    /// `true` to end the demo with the table instead of continuing to serve.
    let isOnce: Bool
    let log: Logger

    func run() async throws {
        let screen = Screen()
        do {
            try await cancelWhenGracefulShutdown { try await server.serving { try await play(on: screen) } }
        } catch is CancellationError {
            screen.say("stopped")
            if isOnce { throw MeetupError(description: "interrupted before the table") }
        }
    }

    private func play(on screen: Screen) async throws {
        screen.say(
            "\(plan.people.count) friends meet at \(plan.place.name) at \(ClockText.time(plan.meetsAt)) UTC, "
                + "\(Int(server.service.clock.rate)) times as fast as real time"
        )
        screen.say(
            "the page's Places screen has \(DemoPlaces.count) invented places, the nearest one closed that day, and weather"
        )
        let runner = MeetupRunner(
            plan: plan,
            address: server.address,
            codec: .protobuf,
            clock: .embedded(server.service.clock),
            patience: .seconds(30),
            log: log,
            screen: screen,
            onReady: { ownerID in
                // The page may query places as soon as the link is opened.
                await server.service.placesRead()
                screen.say("promised demo: \(url(signingIn: ownerID))")
            },
            onResult: { try await DemoKeepsakes(promiseID: $0, screen: screen).leave(by: $1) }
        )
        screen.say("\n" + ResultTable(result: try await runner.run()).text)
        guard !isOnce else { return }
        screen.say("\nThe server continues to run; press Ctrl-C to stop it.")
        try await Task.sleep(for: .seconds(86_400 * 365), clock: .continuous)
    }

    /// The URL for the owner's browser: the code in the fragment signs it in once, and never reaches a server's log.
    private func url(signingIn ownerID: String) -> String {
        let page = "http://\(server.address.host):\(server.address.port)/"
        guard let ownerID = UserID(ownerID) else { return page }
        return page + "#demo=" + server.service.issueSignInCode(for: ownerID)
    }
}
