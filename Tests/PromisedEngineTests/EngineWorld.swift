import Logging
import PromisedDomain
import PromisedEngine
import PromisedTestSupport

/// An engine over an archive in memory, with a clock that a test moves.
struct EngineWorld {
    let clock: ManualClock
    let archive: MemoryArchive
    let announcer = RecordingAnnouncer()
    let engine: Engine

    /// A world that begins at `now` with the contents of the archive.
    init(
        _ archive: MemoryArchive,
        settings: EngineSettings = .ofWorlds,
        executors: [any SerialExecutor] = [],
        heavyUsers: (any SerialExecutor)? = nil,
        at now: Instant
    ) async {
        self.archive = archive
        clock = ManualClock(now: now)
        var log = Logger(label: "engine-tests")
        log.logLevel = .critical
        engine = Engine(
            archive: archive,
            announcer: announcer,
            connections: announcer,
            clock: clock,
            settings: settings,
            log: log,
            executors: executors,
            heavyUsers: heavyUsers
        )
    }

    /// A world with one promise of users 1 (the owner) to `people`, all accepted.
    init(people: UInt64 = 3, at now: Instant) async {
        let archive = MemoryArchive()
        archive.insert(.sample(people: people))
        await self.init(archive, at: now)
    }

    /// The one promise.
    var promise: Promise { .sample() }

    /// Runs `body` while the engine runs.
    func running(_ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await engine.run() }
            try await body()
            group.cancelAll()
        }
    }

    /// The live session of the promise.
    func session() async throws -> PromiseSession { try await engine.registry.session(of: promise.id) }

    /// A fix reported by a user at the clock's present, that many metres north of the place.
    @discardableResult
    func report(_ user: UInt64, seq: UInt32, metres: Double) async throws -> SessionReply {
        let report = Report(device: DeviceKey(deviceID: "d\(user)"), fixes: [.sample(seq: seq, metres: metres)])
        return try await session().perform(.report(from: .user(user), report))
    }
}

extension EngineSettings {
    /// Collections that go out at once, and every fix counts: those of ``EngineWorld/report(_:seq:metres:)`` are all of
    /// one instant.
    static let ofWorlds: EngineSettings = {
        var limits = FixLimits()
        limits.spacing = .zero
        return EngineSettings(collection: .milliseconds(1), fixLimits: limits)
    }()
}

extension SessionSnapshot {
    /// A promise of users 1 to `people`, all accepted.
    static func sample(people: UInt64 = 3) -> SessionSnapshot {
        SessionSnapshot(promise: .sample(), participants: (1...people).map { .accepted(.user($0)) })
    }
}

extension [RecordingAnnouncer.Delivery] {
    /// The durable events in them.
    var events: [PromiseEvent] { compactMap(\.event?.event) }
}
