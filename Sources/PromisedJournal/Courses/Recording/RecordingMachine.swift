package import PromisedDomain

/// Accepts the points of one recording and decides when it becomes a course.
///
/// ```
///                 6 h without a point
///    recording ◀──────────────────────▶ interrupted
///        │              a point              │
///        │ finish                            │ finish, or 30 days without a point
///        └───────────────┬───────────────────┘
///                        ├──────▶ finished   (has a course; finish again names the same one)
///                        └──────▶ removed    (discarded, or expired with fewer than 2 points or 50 m)
/// ```
/// "Without a point" counts from the receipt of the last accepted one. If the machine is not woken for 30 days, the
/// user is not notified of the interruption. The machine has no clock: it requests wakes and catches up on late ones.
/// It stores no points either, so any node can process the next batch.
package struct RecordingMachine: Sendable {
    /// Without a point for this long the recording is interrupted.
    package static let interruptedAfter = TimeSpan.hours(6)
    /// Without a point for this long it becomes a course or is deleted.
    package static let expiresAfter = TimeSpan.days(30)
    /// Shorter ones expire without becoming a course, in metres.
    package static let shortestMetres = 50.0
    /// A course has at least this many counted points.
    package static let fewestPoints = 2

    package private(set) var recording: Recording
    /// `true` after removal; then all requests are refused.
    package private(set) var isRemoved = false
    private var intake = RecordingIntake()
    /// The last requested wake.
    private var asked: Instant?

    /// Restores the machine of a stored recording; feed it a ``RecordingEvent/wake`` first.
    package init(_ recording: Recording) { self.recording = recording }

    /// Processes an event at `now`: for points the instant of their receipt.
    package mutating func receive(_ event: RecordingEvent, at now: Instant) -> [RecordingEffect] {
        var effects: [RecordingEffect] = []
        switch event {
        case .append(let batch): append(batch, at: now, effects: &effects)
        case .finish(let courseID, let statistics): finish(as: courseID, statistics, effects: &effects)
        case .discard: discard(effects: &effects)
        case .expire(let courseID, let statistics): expire(as: courseID, statistics, at: now, effects: &effects)
        case .wake: wake(at: now, effects: &effects)
        }
        askForWake(at: now, effects: &effects)
        return effects
    }

    // MARK: - Requests

    private mutating func append(_ batch: RecordedBatch, at now: Instant, effects: inout [RecordingEffect]) {
        if let refusal = refusal ?? RecordingIntake.refusal(of: batch) {
            return effects.append(.reply(.refused(refusal)))
        }
        let (receipt, kept) = intake.take(batch, into: &recording, at: now)
        if !kept.isEmpty {
            recording.state = .recording
            recording.lastTakenAt = max(recording.lastTakenAt, now)
            effects += [.keep(kept), .save(recording)]
        }
        effects.append(.reply(.recorded(receipt)))
    }

    private mutating func finish(
        as courseID: CourseID,
        _ statistics: CourseStatistics,
        effects: inout [RecordingEffect]
    ) {
        if let course = recording.courseID { return effects.append(.reply(.course(course))) }
        if let refusal { return effects.append(.reply(.refused(refusal))) }
        guard statistics.counted >= RecordingMachine.fewestPoints else {
            return effects.append(.reply(.refused(.tooShort)))
        }
        becomeCourse(courseID, statistics, effects: &effects)
        effects.append(.reply(.course(courseID)))
    }

    private mutating func discard(effects: inout [RecordingEffect]) {
        if let refusal { return effects.append(.reply(.refused(refusal))) }
        isRemoved = true
        effects += [.remove, .reply(.done)]
    }

    /// Why requests are refused in this state; nil while it is open.
    private var refusal: RecordingRefusal? {
        if isRemoved { return .notFound }
        return recording.state == .finished ? .closed : nil
    }

    private mutating func becomeCourse(
        _ courseID: CourseID,
        _ statistics: CourseStatistics,
        effects: inout [RecordingEffect]
    ) {
        recording.state = .finished
        recording.courseID = courseID
        recording.distanceMetres = statistics.distanceMetres
        effects += [.makeCourse(courseID), .save(recording)]
    }

    // MARK: - Time

    private var expiresAt: Instant { recording.lastTakenAt + RecordingMachine.expiresAfter }

    private mutating func wake(at now: Instant, effects: inout [RecordingEffect]) {
        guard refusal == nil else { return }
        if now >= expiresAt {
            effects.append(.measure)
        } else if recording.state == .recording, now >= recording.lastTakenAt + RecordingMachine.interruptedAfter {
            recording.state = .interrupted
            effects += [.save(recording), .tellInterrupted]
        }
    }

    private mutating func expire(
        as courseID: CourseID,
        _ statistics: CourseStatistics,
        at now: Instant,
        effects: inout [RecordingEffect]
    ) {
        // A point or a request may have arrived while the way was measured.
        guard refusal == nil, now >= expiresAt else { return }
        let isLongEnough = statistics.distanceMetres >= RecordingMachine.shortestMetres
        guard statistics.counted >= RecordingMachine.fewestPoints, isLongEnough else {
            isRemoved = true
            return effects.append(.remove)
        }
        becomeCourse(courseID, statistics, effects: &effects)
    }

    /// When the recording changes its state if no point arrives; nil once it is closed.
    package var nextWake: Instant? {
        guard refusal == nil else { return nil }
        guard recording.state == .recording else { return expiresAt }
        return recording.lastTakenAt + RecordingMachine.interruptedAfter
    }

    private mutating func askForWake(at now: Instant, effects: inout [RecordingEffect]) {
        if let asked, asked <= now { self.asked = nil }
        // An overdue change waits for the answer to its effect.
        guard let next = nextWake, next > now, asked.map({ next < $0 }) ?? true else { return }
        asked = next
        effects.append(.wake(at: next))
    }
}
