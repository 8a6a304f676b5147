import PromisedDomain
import PromisedJournal
import Testing

/// A server with one recording: a machine, and a store that survives crashes.
struct RecordingWorld {
    private(set) var machine: RecordingMachine
    private(set) var stored: Recording
    private(set) var kept: [KeptPoint] = []
    private(set) var courses: [CourseID] = []
    private(set) var isRemoved = false
    private(set) var interruptions = 0
    private var wakeAt: Instant?

    init(at now: Instant) {
        stored = Recording(id: RecordingID(high: 1, low: 1), activity: .walk, startedAt: now)
        machine = RecordingMachine(stored)
        send(.wake, at: now)
    }

    var track: Track { Track(recorded: kept) }

    func statistics(at now: Instant) -> CourseStatistics { CourseStatistics(of: CleanTrack(track, at: now)) }

    /// Feeds an event and performs its effects. Returns the reply.
    @discardableResult
    mutating func send(_ event: RecordingEvent, at now: Instant) -> RecordingReply? {
        let before = (kept, stored)
        var reply: RecordingReply?
        for effect in machine.receive(event, at: now) {
            switch effect {
            case .keep(let points): kept += points
            case .save(let recording): stored = recording
            case .makeCourse(let id): courses.append(id)
            case .remove:
                isRemoved = true
                kept = []
            case .measure: send(.expire(as: CourseID(high: 9, low: 9), statistics(at: now)), at: now)
            case .tellInterrupted: interruptions += 1
            case .wake(let instant): wakeAt = min(wakeAt ?? instant, instant)
            case .reply(let given): reply = given
            }
        }
        // All effects become durable together.
        if kept.count != before.0.count { #expect(stored != before.1 || isRemoved) }
        return reply
    }

    /// Moves the clock to `now`, with all wakes until then.
    mutating func pass(to now: Instant) {
        while let wake = wakeAt, wake <= now {
            wakeAt = nil
            send(.wake, at: wake)
        }
    }

    /// The process dies and restarts.
    mutating func crash(at now: Instant) {
        var restored = stored
        // The stored form.
        for (name, device) in stored.devices {
            restored.devices[name]?.taken = SequenceSet(ranges: device.taken.ranges)
        }
        machine = RecordingMachine(restored)
        wakeAt = nil
        if !isRemoved { send(.wake, at: now) }
    }

    /// The process dies while it handles an event, before any of its effects is durable.
    mutating func crash(during event: RecordingEvent, at now: Instant) {
        _ = machine.receive(event, at: now)
        crash(at: now)
    }
}
