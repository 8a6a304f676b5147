internal import PromisedApplication
internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedSimulation
internal import PromisedStore

/// A server, its clients and everything between them, on one thread and in virtual time: runs a story.
///
/// ```
///  events (acts, messages, disk, sleepers) ─▶ one thing at a time ─▶ jobs of the server, one at a time
///       ▲                                                                       │
///       └───────── network ◀──── frames, decoded ◀───── checked ◀───────────────┘
/// ```
final class World {
    /// How often a due event precedes the pending jobs.
    private static let queueShare = 0.25
    /// How often a job takes a millisecond.
    private static let millisecondShare = 0.08

    let story: Story
    let queue = EventQueue(at: Story.beginning)
    let process: ServerProcess
    var network: SimulatedNetwork
    var clients: [SimulatedClient]
    var checker: InvariantChecker
    var journal: Journal
    /// The existing promises of the story.
    var promises: [Int: PromiseID] = [:]
    /// The client library on another device, if the story has one.
    var app: AppDevice?
    /// When the story ends; nil until all its promises have ended.
    var endsAt: Instant?
    private var random: SeededGenerator
    private let executor = WorldExecutor.shared

    /// Creates a world at the beginning of a story.
    init(_ story: Story, keepingLines: Bool) throws {
        self.story = story
        journal = Journal(keepingLines: keepingLines)
        network = SimulatedNetwork(story.network, seed: story.seed)
        random = SeededGenerator(seed: story.seed ^ 0x6A6F_6273)
        process = try ServerProcess(story, on: queue)
        checker = InvariantChecker(over: story, amid: process.surroundings)
        clients = story.phones.enumerated().map { number, traits in
            let phone = SimulatedPhone(traits, number: number, seed: story.seed, at: Story.beginning)
            return SimulatedClient(Fixtures.user(traits.person), phone, codec: story.codec(number), at: Story.beginning)
        }
        app = story.app.map { person in
            let app = FollowingApp(Fixtures.user(person), clock: VirtualClock(queue), seed: story.seed)
            return AppDevice(app, quality: story.network, erringLike: story.appErrsLike, seed: story.seed)
        }
        for (number, act) in story.acts.enumerated() {
            queue.add(.act(number), at: Story.beginning + .milliseconds(act.atMs))
        }
    }

    var now: Instant { queue.now }

    // MARK: - The loop

    /// Runs the whole story. Throws the first violation.
    func live() throws {
        process.start()
        startApp()
        try drain()
        try noteCommits(CommittedRows.tables)
        queue.add(.calm, at: Story.beginning + .milliseconds(story.acts.last?.atMs ?? 0))
        while try step() {}
        try checkEnd()
    }

    /// Executes one step: a job of the server, or a due event of the queue, or else the next one.
    ///
    /// - Returns: `false` at the end of the story.
    private func step() throws -> Bool {
        if random.chance(World.queueShare), let event = queue.takeDue() {
            try handleAndCheck(event)
        } else if try runJob() {
            if random.chance(World.millisecondShare) { queue.advance(to: now + .milliseconds(1)) }
        } else {
            guard let next = queue.nextInstant, next <= (endsAt ?? next) else { return false }
            queue.advance(to: next)
            if let event = queue.takeDue() { try handleAndCheck(event) }
        }
        return true
    }

    /// Runs one job of the server, if there is any, and collects its outputs.
    private func runJob() throws -> Bool {
        guard executor.runOne({ Int.random(in: 0..<$0, using: &random) }) else { return false }
        try collect()
        try serveApp()
        return true
    }

    /// Runs jobs until none is left, without advancing time.
    private func drain() throws { while try runJob() {} }

    /// Checks commits and outputs after an event: only the disk commits.
    private func handleAndCheck(_ event: WorldEvent) throws {
        try handle(event)
        try collect()
        guard case .disk = event else { return }
        process.noteFailures()
        let changed = process.disk.takeChangedTables()
        if !changed.isEmpty { try noteCommits(changed) }
    }

    /// Collects and delivers the server's outputs.
    private func collect() throws {
        guard let server = process.server else { return }
        for output in server.connections.takeOutputs() { try pass(output, of: server) }
        for loaded in server.directory.takeLoaded() {
            journal.add(now, "loaded \(loaded.report.added) \(loaded.report.changed) \(loaded.report.removed)")
            try checker.noteLoaded(loaded)
        }
    }

    private func noteCommits(_ tables: Set<String>) throws {
        guard let server = process.server, !tables.isDisjoint(with: CommittedRows.tables) else { return }
        let before = checker.committed
        try checker.noteCommit(tables, in: server.database, at: now)
        journal.addRows(of: checker.committed, since: before, at: now)
    }

    // MARK: - The life of the process

    /// Kills the process: only committed rows remain, and every connection ends.
    func crash(for downtime: TimeSpan) throws {
        guard process.server != nil else { return }
        journal.add(now, "crash")
        try collect()
        network.cutAll()
        cutApp()
        try extinguish()
        for (number, client) in clients.enumerated() {
            guard let connection = client.connection else { continue }
            queue.add(.lose(phone: number, connection), at: now + network.moment(upTo: 2_000))
        }
        queue.add(.start, at: now + downtime)
    }

    /// Ends the process; pending work has no effect.
    func extinguish() throws {
        try process.die()
        while executor.runOne({ _ in 0 }) {}
        process.bury()
    }
}
