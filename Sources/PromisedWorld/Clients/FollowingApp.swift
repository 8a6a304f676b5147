internal import Logging
@_spi(VirtualTime) internal import PromisedClient
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedSimulation

/// The client library itself, on one more device of a person, on virtual time: follows the promises of the person.
final class FollowingApp: Sendable {
    /// Something that a feed has told.
    struct Heard: Sendable {
        let promise: String
        let notice: FeedNotice
    }

    /// How it writes messages.
    static let codec = WireCodec.protobuf

    let userID: UserID
    let wire = AppWire()
    private let clock: VirtualClock
    private let client: PromisedClient
    private let heard = Guarded<[Heard]>([])
    private let following = Guarded<Set<PromiseID>>([])

    /// An app that is signed in and not connected.
    init(_ userID: UserID, clock: VirtualClock, seed: UInt64) {
        self.userID = userID
        self.clock = clock
        let clocks = DeviceClocks { [clock] in
            let now = clock.now
            return (.milliseconds((now - Story.beginning).milliseconds), Double(now.milliseconds))
        } wait: { [clock] uptime in
            let milliseconds = Int64((uptime / .milliseconds(1)).rounded(.up))
            try await clock.sleep(until: Story.beginning + .milliseconds(milliseconds))
        }
        client = PromisedClient(
            settings: ClientSettings(
                address: ServerAddress(host: "world", port: 1, path: "/ws", usesTLS: false),
                codec: Self.codec
            ),
            transport: wire,
            clocks: clocks,
            generator: SeededGenerator(seed: seed ^ 0x0061_7070),
            log: Logger(label: "app") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// Keeps the app connected until ``close()``.
    func run() async {
        var session = WireSession()
        session.accessToken = "app"
        session.user.userID = userID.description
        await client.restore(session)
        await client.run()
    }

    /// Ends the app, and all that waits in it.
    func close() async {
        await client.close()
        clock.die()
    }

    /// Follows a promise until the server refuses it; nothing if the app does already.
    func follow(_ id: PromiseID) async {
        guard following.withLock({ $0.insert(id).inserted }) else { return }
        do throws(ClientError) {
            for try await notice in await client.follow(id.description) {
                heard.withLock { $0.append(Heard(promise: id.description, notice: notice)) }
            }
        } catch {
            // The user has no part in it any more, or it is over.
        }
        following.withLock { _ = $0.remove(id) }
    }

    /// The feeds' news since the last call, in order.
    func takeHeard() -> [Heard] {
        heard.withLock { heard in
            guard !heard.isEmpty else { return [] }
            defer { heard = [] }
            return heard
        }
    }
}
