internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedSimulation
internal import PromisedStore

/// The process of the server, which may die and be restarted, with the disk that survives it.
final class ServerProcess: Sendable {
    private struct State: Sendable {
        var server: SimulatedServer?
        var running: Task<Void, Never>?
        /// `true` from the death of a process until the next one is started: no operation is pending.
        var isDead = false
        /// The content of the disk while no process runs.
        var image: DatabaseImage?
        /// Pending disk operations, by number.
        var work: [Int: @Sendable () -> Void] = [:]
        var wear = DiskWear()
        var lastWork = 0
        var lastWrite: Instant
        var lastRead: Instant
        var random: SeededGenerator
        var ids: SeededGenerator
    }

    let surroundings: ServerSurroundings
    private let story: Story
    private let queue: EventQueue
    private let state: Guarded<State>

    /// Creates a process that does not run, with a database that contains only the people of a story.
    init(_ story: Story, on queue: EventQueue) throws {
        self.story = story
        self.queue = queue
        try Passports.make()
        let state = Guarded(
            State(
                image: try Fixtures.image(of: story.people).copy(),
                lastWrite: queue.now,
                lastRead: queue.now,
                random: SeededGenerator(seed: story.seed ^ 0x6469_736B),
                ids: SeededGenerator(seed: story.seed ^ 0x6964_73)
            )
        )
        self.state = state
        let longest = story.network.diskMs
        let disk = SimulatedDisk { isWrite, work in
            let found = state.withLock { state -> (Int, Instant)? in
                guard !state.isDead else { return nil }
                state.lastWork += 1
                state.work[state.lastWork] = work
                let delay = Int64.random(in: 0...(isWrite ? longest : longest / 8), using: &state.random)
                let instant = queue.now + .milliseconds(delay)
                if isWrite { state.lastWrite = max(state.lastWrite, instant) }
                if !isWrite { state.lastRead = max(state.lastRead, instant) }
                return (state.lastWork, isWrite ? state.lastWrite : state.lastRead)
            }
            guard let (number, instant) = found else { return work() }
            queue.add(.disk(number: number), at: instant)
        }
        surroundings = ServerSurroundings(
            disk: disk,
            shelf: VaultShelf(longestMs: longest / 8, seed: story.seed ^ 0x7661_756C),
            sky: SimulatedSky(seed: story.seed)
        )
    }

    var disk: SimulatedDisk { surroundings.disk }
    var shelf: VaultShelf { surroundings.shelf }
    var sky: SimulatedSky { surroundings.sky }

    /// The running server; nil while none runs, or while it is starting.
    var server: SimulatedServer? { state.withLock { $0.server } }

    /// When the disk last failed; nil before.
    var lastFailureAt: Instant? { state.withLock { $0.wear.lastAt } }

    /// Records failures of the disk since the last call.
    func noteFailures() { state.withLock { $0.wear.note(disk.failures, at: queue.now) } }

    /// Lets the database grow again.
    func unchoke() {
        disk.choke(false)
        state.withLock { $0.wear.noteChoked(at: queue.now) }
    }

    /// Removes and returns the content of the disk at the death of the last process, or the initial one; no process is
    /// started from it again.
    func takeImage() -> DatabaseImage? {
        state.withLock { state in
            defer { state.image = nil }
            return state.image
        }
    }

    /// Starts a server with the content of the disk, unless one runs.
    func start() {
        let found = state.withLock { state -> DatabaseImage? in
            guard state.running == nil else { return nil }
            state.isDead = false
            defer { state.image = nil }
            return state.image
        }
        guard let image = found else { return }
        let random = RandomSource { [state] in state.withLock { $0.ids.next() } }
        let running = Task { [state, story, queue, surroundings] in
            do throws(StoreError) {
                let server = try await SimulatedServer(
                    image,
                    of: story,
                    on: queue,
                    amid: surroundings,
                    random: random
                )
                state.withLock { $0.server = server }
                await server.run()
            } catch {
                preconditionFailure("A database in memory cannot be opened: \(error)")
            }
        }
        state.withLock { $0.running = running }
    }

    /// Runs an operation; ignored if its process has died.
    func work(_ number: Int) { state.withLock { $0.work.removeValue(forKey: number) }?() }

    /// Saves the committed data, and ends everything that runs. The remaining jobs must run before ``bury()``.
    func die() throws {
        guard let server else { return }
        let image = try server.die()
        let (running, work) = state.withLock { state in
            state.image = image
            state.isDead = true
            defer { state.work = [:] }
            return (state.running, state.work.sorted { $0.key < $1.key })
        }
        running?.cancel()
        // On a closed connection all operations fail, and the waiting callers resume.
        for (_, work) in work { work() }
    }

    /// Called after the last jobs of the dead process have ended.
    func bury() {
        _ = disk.takeChangedTables()
        state.withLock { state in
            state.server = nil
            state.running = nil
        }
    }
}

/// How often the disk has failed, and when it last did.
struct DiskWear: Sendable {
    private var failures = 0
    /// Nil before the first failure.
    private(set) var lastAt: Instant?

    /// Records the number of failures so far.
    mutating func note(_ failures: Int, at now: Instant) {
        if failures != self.failures { (self.failures, lastAt) = (failures, now) }
    }

    /// Records that the database could not grow until now.
    mutating func noteChoked(at now: Instant) { lastAt = now }
}
