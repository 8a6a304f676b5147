internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedGateway
internal import PromisedSettings
internal import PromisedStore

/// One run of a server, from its start to the death of its process: the real application and gateway, over connections
/// in memory.
final class SimulatedServer: Sendable {
    let connections = SimulatedConnections()
    let gateway: Gateway
    let database: SimulatedStore
    let directory: DirectoryOperator
    private let clock: VirtualClock
    private let jobs: [Job]

    /// Creates a server from an image; it is idle before ``run()``.
    ///
    /// - Parameter random: makes ids and codes.
    init(
        _ image: DatabaseImage,
        of story: Story,
        on timeline: any Timeline,
        amid world: ServerSurroundings,
        random: RandomSource
    ) async throws(StoreError) {
        clock = VirtualClock(timeline)
        database = try SimulatedStore(image, disk: world.disk)
        let settings = ServerSettings(story)
        let peers = Peers(connections, settings, clock: clock)
        let ports = world.ports(of: story, database.store, peers.ports, settings, clock: clock, random: random)
        let application = await Application(ports)
        directory = DirectoryOperator(application, clock: clock)
        jobs = application.jobs(of: story, peers, clock: clock)
        gateway = Gateway(peers, application, settings, clock: clock, random: random)
    }

    /// Serves until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { [gateway, jobs] group in
            group.addTask { await gateway.run() }
            for job in jobs { group.addTask { await job.run() } }
        }
    }

    /// Ends everything at once: uncommitted data is lost, and nothing more is sent. Returns the committed data.
    func die() throws(StoreError) -> DatabaseImage {
        connections.die()
        clock.die()
        return try database.close()
    }
}
