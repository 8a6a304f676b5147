internal import PromisedConcurrency
internal import PromisedDomain
internal import PromisedEngine

/// The clock of one run of a server, or of a client: shows the world's time, and ends with its process.
final class VirtualClock: WallClock {
    private struct State: Sendable {
        var isDead = false
        var lastNumber = 0
        var sleepers: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    let rate = 1.0
    private let timeline: any Timeline
    private let origin: Instant
    private let realOrigin = ContinuousClock.now
    private let state = Guarded(State())

    init(_ timeline: any Timeline) {
        self.timeline = timeline
        origin = timeline.now
    }

    var now: Instant { timeline.now }

    func sleep(until instant: Instant) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let hasCome = await withTaskCancellationHandler {
            await withCheckedContinuation { add($0, number, until: instant) }
        } onCancel: {
            end(number, hasCome: false)
        }
        if !hasCome { throw CancellationError() }
    }

    /// Wakes a sleeper whose instant has come.
    func wake(_ number: Int) { end(number, hasCome: true) }

    /// Ends all sleeps because the process dies.
    func die() {
        let sleepers = state.withLock { state in
            state.isDead = true
            defer { state.sleepers = [:] }
            return state.sleepers.sorted { $0.key < $1.key }
        }
        for (_, sleeper) in sleepers { sleeper.resume(returning: false) }
    }

    private func add(_ sleeper: CheckedContinuation<Bool, Never>, _ number: Int, until instant: Instant) {
        let hasCome = state.withLock { state -> Bool? in
            guard !state.isDead, !Task.isCancelled else { return false }
            guard instant > timeline.now else { return true }
            state.sleepers[number] = sleeper
            return nil
        }
        if let hasCome { return sleeper.resume(returning: hasCome) }
        timeline.wake(number, of: self, at: instant)
    }

    private func end(_ number: Int, hasCome: Bool) {
        state.withLock { $0.sleepers.removeValue(forKey: number) }?.resume(returning: hasCome)
    }
}

extension VirtualClock {
    /// The same time for code of a server that reads the real clock.
    var realNow: ContinuousClock.Instant { realOrigin + .milliseconds((now - origin).milliseconds) }

    /// The same time for measurements of a server in real time.
    var collectionClock: CollectionClock {
        CollectionClock { [self] in
            realNow
        } wait: { [self] instant in
            // Rounded up to a whole millisecond, so that the instant has certainly been reached.
            let milliseconds = ((instant - realOrigin) / .milliseconds(1)).rounded(.up)
            try await sleep(until: origin + .milliseconds(Int64(milliseconds)))
        }
    }

    /// The same time as a clock of the standard library.
    var elapsed: ElapsedClock { ElapsedClock(clock: self) }
}

/// Virtual time as a clock of the standard library; its instants are those of the world.
struct ElapsedClock: Clock {
    struct Instant: InstantProtocol {
        let instant: PromisedDomain.Instant

        static func < (left: Self, right: Self) -> Bool { left.instant < right.instant }

        func advanced(by duration: Duration) -> Self {
            Self(instant: instant + .milliseconds(Int64((duration / .milliseconds(1)).rounded(.up))))
        }

        func duration(to other: Self) -> Duration { .milliseconds((other.instant - instant).milliseconds) }
    }

    let clock: VirtualClock
    let minimumResolution: Swift.Duration = .milliseconds(1)
    var now: Instant { Instant(instant: clock.now) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await clock.sleep(until: deadline.instant)
    }
}
