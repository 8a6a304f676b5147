internal import PromisedProtocol

/// The order of one feed: requests missing events from the server, and delivers each durable event once and in order.
///
/// ```
///            ask()              answered(): in step
///   idle ─────────────▶ asking ─────────────────────▶ live
///    ▲                    │                             │
///    │  refused for now,  │                             │
///    └── or a gap left ───┴────── a gap, or offline ────┘
/// ```
struct FeedMachine: Sendable {
    enum Phase: Hashable, Sendable {
        /// Not subscribed. The earliest time of the request; nil: as soon as the next connection exists.
        case idle(Duration?)
        case asking, live
    }

    /// The server's reply does not fit the request.
    struct Fault: Error {}

    /// How many events may wait for the reply to `subscribe`. Events beyond are a gap, which is requested again.
    static let heldLimit = 1_000

    private(set) var phase: Phase = .idle(.zero)
    private(set) var mark: FeedMark?
    /// `true` if the next request asks for a snapshot because the mark is invalid.
    private var asksAfresh = false
    /// Durable events that arrived early, by number.
    private var held: [UInt32: WireEvent] = [:]
    /// The number of consecutive failed requests.
    private var vainAttempts = 0

    init(mark: FeedMark?) { self.mark = mark }

    // MARK: - The connection

    /// Records that the connection ended. Drops held events: they will be among the missed ones.
    mutating func connectionLost() {
        phase = .idle(.zero)
        held = [:]
    }

    /// When to send the request; nil if nothing is missing.
    var askAt: Duration? {
        guard case .idle(let moment) = phase else { return nil }
        return moment
    }

    /// The request to send now.
    mutating func ask(for promiseID: String) -> WireSubscribe {
        phase = .asking
        var request = WireSubscribe()
        request.promiseID = promiseID
        if let mark, !asksAfresh {
            request.epoch = mark.epoch
            request.lastSeq = mark.seq
        }
        return request
    }

    /// Postpones the request after no answer, or a temporary refusal.
    mutating func postpone(by wait: Duration, at now: Duration) {
        guard phase == .asking else { return }
        // The next answer includes all held events: they are older than the request.
        held = [:]
        phase = .idle(now + max(wait, patience))
        vainAttempts += 1
    }

    /// Suppresses the request for the rest of this connection.
    mutating func waitForNextConnection() {
        guard phase == .asking else { return }
        held = [:]
        phase = .idle(nil)
    }

    /// Records that the connection is signed in (again): requests that waited for it may be sent.
    mutating func connectionReady() {
        if phase == .idle(nil) { phase = .idle(.zero) }
    }

    // MARK: - Replies and events

    /// Processes the reply to `subscribe`.
    ///
    /// - Returns: the notices to deliver, in order.
    /// - Throws: ``Fault`` for a reply without a snapshot to a request without a mark.
    mutating func answered(_ reply: WireSubscribed, at now: Duration) throws(Fault) -> [FeedNotice] {
        guard phase == .asking else { return [] }
        let hadMark = mark != nil && !asksAfresh
        asksAfresh = false
        var notices: [FeedNotice] = []
        if reply.hasSnapshot, !reply.epoch.isEmpty {
            let mark = FeedMark(epoch: reply.epoch, seq: reply.seq)
            self.mark = mark
            notices.append(.snapshot(reply.snapshot, mark))
        } else {
            guard hadMark else { throw Fault() }
            notices = catchUp(with: reply)
        }
        notices += release()
        settle(isInStep: held.isEmpty && !asksAfresh, at: now)
        return notices
    }

    /// Processes an event of the promise, durable or transient. Returns the notices to deliver, in order.
    mutating func heard(_ event: WireEvent, at now: Duration) -> [FeedNotice] {
        switch phase {
        case .idle:
            // The later request's answer includes the durable events.
            return []
        case .asking:
            if event.seq > 0, held.count < Self.heldLimit { held[event.seq] = event }
            return []
        case .live:
            guard let mark else { return [] }
            if event.seq == 0 { return [.event(event, mark)] }
            guard event.seq > mark.seq else { return [] }
            held[event.seq] = event
            let notices = release()
            if held.isEmpty { vainAttempts = 0 } else { settle(isInStep: false, at: now) }
            return notices
        }
    }

    // MARK: - Order

    /// The missed events that follow the mark without a gap. If they end before the number in the reply, a snapshot is
    /// needed.
    private mutating func catchUp(with reply: WireSubscribed) -> [FeedNotice] {
        guard let mark, mark.epoch == reply.epoch else {
            asksAfresh = true
            return []
        }
        var notices: [FeedNotice] = []
        for event in reply.missed {
            if let notice = tell(event) { notices.append(notice) }
        }
        if self.mark?.seq != reply.seq { asksAfresh = true }
        return notices
    }

    /// The held events that are next in order; drops delivered ones.
    private mutating func release() -> [FeedNotice] {
        guard let first = mark else { return [] }
        held = held.filter { $0.key > first.seq }
        var notices: [FeedNotice] = []
        while let seq = mark?.seq, let event = held.removeValue(forKey: seq &+ 1) {
            if let notice = tell(event) { notices.append(notice) }
        }
        return notices
    }

    /// Delivers one durable event if it is the next.
    private mutating func tell(_ event: WireEvent) -> FeedNotice? {
        guard var mark, event.seq == mark.seq &+ 1, event.seq > 0 else { return nil }
        mark.seq = event.seq
        self.mark = mark
        return .event(event, mark)
    }

    private mutating func settle(isInStep: Bool, at now: Duration) {
        guard !isInStep else {
            phase = .live
            vainAttempts = 0
            return
        }
        phase = .idle(now + patience)
        held = [:]
        vainAttempts += 1
    }

    /// The wait before the next request: none at first, then from one second to half a minute.
    private var patience: Duration {
        vainAttempts == 0 ? .zero : min(.seconds(1 << min(vainAttempts - 1, 5)), .seconds(30))
    }
}
