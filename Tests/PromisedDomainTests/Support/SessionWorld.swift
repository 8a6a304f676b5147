import PromisedDomain
import PromisedTestSupport

/// A session machine with a naive archive, driven as by an engine.
///
/// Commits and fixes are durable at once; a recall is answered at once.
struct SessionWorld {
    private(set) var machine: SessionMachine
    /// The snapshot that a restart would load.
    private(set) var archive: SessionSnapshot
    /// All durable events.
    private(set) var events: [NumberedEvent] = []
    /// The requested wake of the machine.
    private(set) var wakeAt: Instant?
    /// The number of times the machine reported its end.
    private(set) var endings = 0
    /// How many results were written.
    private(set) var results = 0
    /// How many recalls were answered, without those of ways.
    private(set) var recalls = 0
    /// The number of ways read to find who came together.
    private(set) var readWays = 0
    /// All announcements without a number, in order.
    private(set) var told: [PassingEvent] = []
    /// For each step that changed a position, `true` if it completed a collection.
    private(set) var movements: [Bool] = []
    /// All effects of the last step.
    private(set) var effects: [SessionEffect] = []
    private let fixLimits: FixLimits

    init(_ promise: Promise = .sample(), participants: [Participant], fixLimits: FixLimits = FixLimits()) {
        self.init(
            restoring: SessionSnapshot(promise: promise, participants: participants),
            fixLimits: fixLimits
        )
    }

    /// A session that continues from the snapshot of an earlier server.
    init(restoring snapshot: SessionSnapshot, fixLimits: FixLimits = FixLimits()) {
        self.fixLimits = fixLimits
        archive = snapshot
        machine = SessionMachine(restoring: snapshot, fixLimits: fixLimits)
        step(.wake, at: snapshot.promise.createdAt)
    }

    /// A promise of users 1…count, all accepted; 1 is the owner.
    init(_ promise: Promise = .sample(), accepted count: UInt64, fixLimits: FixLimits = FixLimits()) {
        self.init(promise, participants: (1...count).map { .accepted(.user($0)) }, fixLimits: fixLimits)
    }

    /// Wakes the machine as requested, up to and including an instant.
    mutating func run(to instant: Instant) {
        while let wakeAt, wakeAt <= instant { step(.wake, at: wakeAt) }
    }

    /// Runs to an instant and feeds an event there.
    @discardableResult
    mutating func send(_ event: SessionEvent, at instant: Instant) -> SessionReply? {
        run(to: instant)
        return step(event, at: instant)
    }

    /// Feeds an event without any previous wake, as if all of them were late.
    @discardableResult
    mutating func sendUnwoken(_ event: SessionEvent, at instant: Instant) -> SessionReply? {
        step(event, at: instant)
    }

    /// Wakes the machine like an engine, which first asks if the wake can be postponed.
    mutating func wakeOrPutOff(at instant: Instant) {
        if let later = machine.putOffWake(at: instant) {
            wakeAt = later
        } else {
            step(.wake, at: instant)
        }
    }

    /// Feeds an event, loses its commit, keeps the archived fixes, and restarts.
    mutating func crash(after event: SessionEvent, at instant: Instant) {
        run(to: instant)
        for effect in machine.receive(event, at: instant) {
            if case .archive(let fixes) = effect { archive.fixes += fixes }
        }
        restart(at: instant)
    }

    /// Forgets the machine and restores another one from the archive.
    mutating func restart(at instant: Instant) {
        machine = SessionMachine(restoring: archive, fixLimits: fixLimits)
        wakeAt = nil
        step(.wake, at: instant)
    }

    /// The positions to send.
    mutating func takePositions(at instant: Instant) -> [LivePosition] { machine.takePositions(at: instant) }

    @discardableResult
    private mutating func step(_ event: SessionEvent, at instant: Instant) -> SessionReply? {
        if let due = wakeAt, due <= instant { wakeAt = nil }
        effects = machine.receive(event, at: instant)
        var reply: SessionReply?
        var recalled: [SessionEvent] = []
        for effect in effects {
            switch effect {
            case .archive(let fixes): archive.fixes += fixes
            case .commit(let commit): apply(commit)
            case .recall(let recall):
                if recall.wayTo == nil { recalls += 1 } else { readWays += 1 }
                let fixes = archive.fixes.filter { $0.userID == recall.userID && $0.device == recall.device }
                recalled.append(.recalled(recall, recall.judge(fixes.map(\.fix))))
            case .wake(let next): wakeAt = next
            case .ended:
                endings += 1
                wakeAt = nil
            case .reply(let answer): reply = answer
            case .tell(let event): told.append(event)
            case .positionsChanged(let isComplete): movements.append(isComplete)
            }
        }
        for event in recalled { step(event, at: instant) }
        return reply
    }

    private mutating func apply(_ commit: SessionCommit) {
        archive.promise = commit.promise ?? archive.promise
        archive.mark = commit.mark ?? archive.mark
        for participant in commit.participants {
            if let index = archive.participants.firstIndex(where: { $0.userID == participant.userID }) {
                archive.participants[index] = participant
            } else {
                archive.participants.append(participant)
            }
        }
        archive.arrivals.merge(commit.arrivals) { $1 }
        for user in commit.retracted { archive.arrivals[user] = nil }
        archive.together = commit.together.apply(to: archive.together)
        switch commit.viewLink {
        case .made(let link): archive.viewLink = link
        case .revoked: archive.viewLink = nil
        case nil: break
        }
        if let result = commit.result {
            archive.result = result
            results += 1
        }
        archive.fixes += commit.fixes
        archive.nudges += commit.nudges
        archive.lastSeq = commit.events.last?.seq ?? archive.lastSeq
        events += commit.events
    }
}

extension SessionWorld {
    /// The durable events, without numbers and times.
    var happened: [PromiseEvent] { events.map(\.event) }

    /// `true` if the last step changed a position.
    var hasMovement: Bool { effects.contains { if case .positionsChanged = $0 { true } else { false } } }

    /// The durable events of the last step.
    var announced: [PromiseEvent] {
        effects.flatMap { effect -> [PromiseEvent] in
            if case .commit(let commit) = effect { commit.events.map(\.event) } else { [] }
        }
    }

    /// The board's entry of a user.
    func entry(_ user: UInt64) -> RankedArrival? { machine.board.first { $0.userID == .user(user) } }

    /// The result's row of a user.
    func row(_ user: UInt64) -> PromiseResult.Row? { machine.result?.rows.first { $0.userID == .user(user) } }
}
