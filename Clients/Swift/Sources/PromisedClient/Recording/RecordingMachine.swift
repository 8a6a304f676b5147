internal import PromisedProtocol

/// The next request of a recorder, and its time. All moments are of ``ClientTime/uptime``.
///
/// ```
///            start()               pause()            finish()                  course
///  nothing ─────────▶ recording ◀─────────▶ paused ◀────────────▶ finishing ───────────▶ nothing
///     ▲                   │       resume()     │       refused        │
///     │       done        └────────────────────┴──────────────────────┘
///     └───────────────────────── discarding ◀──────────── discard()
/// ```
/// In each of these states it first starts the recording on the server, and sends waiting points in the order of their
/// numbers: while recording one batch in ``interval``, and full ones at once. Only then it finishes.
struct RecordingMachine {
    enum Step: Hashable, Sendable {
        case start, append, finish, discard
    }

    /// The most points in a request.
    static let batchLimit = 200
    /// The time between two requests with fewer points, so that one request carries several.
    static let interval = Duration.seconds(10)
    /// How long to wait after a failure without a known duration.
    static let patience = Duration.seconds(5)
    /// How long to wait for a sign-in.
    static let signInPatience = Duration.seconds(30)

    private(set) var store: RecordingStore
    /// The earliest moment of a batch that is not full.
    private var batchAt = Duration.zero
    /// The earliest moment of a request.
    private var notBefore = Duration.zero
    /// `true` after a permanent refusal, until a call of the app.
    private var isHalted = false

    init(_ store: RecordingStore) { self.store = store }

    // MARK: - Requests

    /// The next step and its moment; nil if there is nothing to do.
    func next(at now: Duration) -> (step: Step, at: Duration)? {
        guard let head = store.head, !isHalted, let step = step(for: head) else { return nil }
        let isEarly = step == .append && head.phase == .recording && store.queue.count < Self.batchLimit
        return (step, isEarly ? max(batchAt, notBefore) : max(now, notBefore))
    }

    private func step(for head: RecordingHead) -> Step? {
        if head.recordingID.isEmpty { return .start }
        switch head.phase {
        case .discarding: return .discard
        case .recording, .paused: return store.queue.isEmpty ? nil : .append
        case .finishing: return store.queue.isEmpty ? .finish : .append
        }
    }

    /// The request of a step, without the clock readings of its sending.
    func request(for step: Step) -> WireRequest? {
        guard let head = store.head else { return nil }
        switch step {
        case .start: return .startRecording(WireStartRecording(head))
        case .append:
            var request = WireAppendRecording()
            request.recordingID = head.recordingID
            request.points = Array(store.queue.fixes.prefix(Self.batchLimit))
            return .appendRecording(request)
        case .finish: return .finishRecording(WireFinishRecording(head))
        case .discard:
            var request = WireDiscardRecording()
            request.recordingID = head.recordingID
            return .discardRecording(request)
        }
    }

    /// Records that a request is sent now.
    mutating func sends(_ step: Step, at now: Duration) -> [RecorderNotice] {
        batchAt = now + Self.interval
        guard step == .start, let head = store.head, !head.isStartSent else { return [] }
        return change { $0.isStartSent = true }
    }

    // MARK: - Replies

    /// Processes the answer to a request.
    mutating func answered(_ request: WireRequest, _ reply: WireContent, at now: Duration) -> [RecorderNotice] {
        guard store.head != nil else { return [] }
        switch (request, reply) {
        case (.startRecording, .recording(let recording)):
            return change { $0.recordingID = recording.recordingID } + [.started(recording)]
        case (.appendRecording(let request), .recorded(let recorded)): return take(recorded, for: request, at: now)
        case (.finishRecording, .course(let course)): return end() + [.finished(course)]
        case (.discardRecording, .done): return end() + [.discarded]
        default: return failed(request, .unexpectedReply, at: now)
        }
    }

    private mutating func take(
        _ recorded: WireRecorded,
        for request: WireAppendRecording,
        at now: Duration
    ) -> [RecorderNotice] {
        let rejected = Set(recorded.rejected.map(\.seq))
        let (takenCount, notices) = settle(Set(recorded.taken), .taken)
        let (rejectedCount, more) = settle(rejected, .rejected)
        // If the server names none of the points, the request is repeated later.
        if takenCount + rejectedCount == 0 { notBefore = now + Self.patience }
        return notices + more + [.recorded(recorded)]
    }

    /// Processes the failure of a request.
    mutating func failed(_ request: WireRequest, _ error: ClientError, at now: Duration) -> [RecorderNotice] {
        switch error {
        case .refused(let reply): return refused(request, reply, at: now)
        case .timedOut, .unexpectedReply, .corrupted: notBefore = now + Self.patience
        case .unencodable:
            // A point recorded by the app cannot cause this; if one does, it must not block the rest.
            guard case .appendRecording(let request) = request else {
                isHalted = true
                return []
            }
            return settle(Set(request.points.map(\.seq)), .rejected).notices
        case .disconnected, .cancelled, .closed, .readTooSlowly: break
        }
        return []
    }

    private mutating func refused(
        _ request: WireRequest,
        _ error: WireErrorReply,
        at now: Duration
    ) -> [RecorderNotice] {
        if case .discardRecording = request, Self.goneCodes.contains(error.code) { return end() + [.discarded] }
        if case .appendRecording(let request) = request, let place = ReportRefusal.place(in: error.field, of: "points"),
            request.points.indices.contains(place)
        {
            let (count, notices) = settle([request.points[place].seq], .rejected)
            return notices + [.refused(error, givenUp: count)]
        }
        switch Retry(error.retry) ?? .never {
        case .later: notBefore = now + max(.milliseconds(Int64(error.retryAfterMs)), .seconds(1))
        case .afterRejoin: notBefore = now + Self.signInPatience
        case .never where error.code.hasPrefix("auth."): notBefore = now + Self.signInPatience
        case .never: return [.refused(error, givenUp: 0)] + halted(by: request)
        }
        return [.refused(error, givenUp: 0)]
    }

    /// Records that the connection could not be introduced by the device's name; the next connection retries at once.
    mutating func notIntroduced(_ error: ClientError, at now: Duration) -> [RecorderNotice] {
        guard ![.disconnected, .cancelled, .closed].contains(error) else { return [] }
        notBefore = now + Self.patience
        guard case .refused(let reply) = error else { return [] }
        notBefore = now + max(.milliseconds(Int64(reply.retryAfterMs)), Self.patience)
        return [.refused(reply, givenUp: 0)]
    }

    /// Stops after a permanent refusal of a request.
    private mutating func halted(by request: WireRequest) -> [RecorderNotice] {
        isHalted = true
        switch request {
        case .startRecording where store.head?.phase == .discarding: return end() + [.discarded]
        case .startRecording: return change { $0.isStartSent = false }
        case .finishRecording: return change { ($0.phase, $0.finish) = (.paused, nil) }
        default: return []
        }
    }

    /// The server has no such recording, or has made a course of it.
    private static let goneCodes: Set = [ErrorCode.recordingNotFound.rawValue, ErrorCode.recordingClosed.rawValue]

    // MARK: - The app

    /// Begins a recording. Nil if there is one.
    mutating func start(_ head: RecordingHead) -> [RecorderNotice]? {
        guard store.head == nil else { return nil }
        (isHalted, notBefore, batchAt) = (false, .zero, .zero)
        return told(store.change(to: head))
    }

    /// Adds a point while recording. Nil otherwise.
    mutating func append(_ point: WireRecordedPoint) -> (seq: UInt32, notices: [RecorderNotice])? {
        guard store.head?.phase == .recording else { return nil }
        let (seq, dropped, failure) = store.append(point)
        guard let seq else { return nil }
        return (seq, (dropped > 0 ? [.overflowed(dropped)] : []) + told(failure))
    }

    mutating func pause() -> [RecorderNotice] {
        guard store.head?.phase == .recording else { return [] }
        return change { $0.phase = .paused }
    }

    /// Resumes recording, in the next segment.
    mutating func resume() -> [RecorderNotice] {
        guard store.head?.phase == .paused else { return [] }
        isHalted = false
        return change { head in
            head.phase = .recording
            if head.segment < .max { head.segment += 1 }
        }
    }

    mutating func retry() { (isHalted, notBefore) = (false, .zero) }

    /// Finishes, or discards with nil. A recording unknown to the server is discarded at once.
    mutating func end(with finish: RecordingHead.Finish?) -> [RecorderNotice] {
        guard let head = store.head, head.phase != .discarding else { return [] }
        isHalted = false
        guard finish != nil || head.isStartSent else { return end() + [.discarded] }
        return change { ($0.phase, $0.finish) = (finish == nil ? .discarding : .finishing, finish) }
    }

    // MARK: - The store

    private mutating func change(_ body: (inout RecordingHead) -> Void) -> [RecorderNotice] {
        guard var head = store.head else { return [] }
        body(&head)
        return told(store.change(to: head))
    }

    private mutating func settle(
        _ seqs: Set<UInt32>,
        _ reason: SettledReason
    ) -> (count: Int, notices: [RecorderNotice]) {
        let (count, failure) = store.settle(seqs, reason)
        return (count, told(failure))
    }

    private mutating func end() -> [RecorderNotice] { told(store.end()) }

    private func told(_ failure: FixStoreError?) -> [RecorderNotice] { failure.map { [.storageFailed($0)] } ?? [] }
}
