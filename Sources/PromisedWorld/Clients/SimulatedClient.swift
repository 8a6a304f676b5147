internal import PromisedDomain
internal import PromisedEngine

/// The app on one phone: its knowledge, and its pending requests.
struct SimulatedClient: Sendable {
    /// A request without an answer.
    struct Pending: Sendable {
        var ask: Ask
        /// How often it was sent.
        var tries: Int
    }

    let userID: UserID
    var phone: SimulatedPhone
    /// Nil while it has none.
    var connection: ConnectionNumber?
    /// It reads nothing before this.
    var readsFrom: Instant
    /// The promises that it takes part in, as far as it knows.
    private(set) var streams: [PromiseID: EventStream] = [:]
    private(set) var pending: [Int: Pending] = [:]
    /// The client's resume point when it asked for a subscription, by request.
    private var points: [Int: ResumePoint] = [:]
    private var lastRequest = 0
    /// The files that it sends and the ways that it records, by their numbers.
    var uploads: [Int: SimulatedUpload] = [:]
    var recordings: [Int: SimulatedRecording] = [:]

    init(_ userID: UserID, _ phone: SimulatedPhone, at now: Instant) {
        self.userID = userID
        self.phone = phone
        readsFrom = now
    }

    // MARK: - Requests

    /// Notes a request that is about to be sent. Returns its number.
    mutating func begin(_ ask: Ask, tries: Int = 1) -> Int {
        lastRequest += 1
        pending[lastRequest] = Pending(ask: ask, tries: tries)
        if case .subscribe(_, let point) = ask { points[lastRequest] = point }
        return lastRequest
    }

    /// A request is answered, or given up. Returns it; nil if that is known.
    mutating func end(_ number: Int) -> Pending? { pending.removeValue(forKey: number) }

    /// `true` if it waits for a new promise.
    var isCreating: Bool { pending.values.contains { if case .create = $0.ask { true } else { false } } }

    /// `true` if a report to this promise is on its way.
    func isReporting(to id: PromiseID) -> Bool {
        pending.values.contains { if case .report(id, _) = $0.ask { true } else { false } }
    }

    /// `true` if a subscription to this promise is on its way.
    func isSubscribing(to id: PromiseID) -> Bool {
        pending.values.contains { if case .subscribe(id, _) = $0.ask { true } else { false } }
    }

    /// `true` if points of a recording are on their way.
    func isAppending(to number: Int) -> Bool {
        pending.values.contains { if case .errand(.append(number, _, _)) = $0.ask { true } else { false } }
    }

    /// `true` if a part of a file is on its way.
    func isSending(_ number: Int) -> Bool {
        pending.values.contains { pending in
            switch pending.ask {
            case .errand(.begin(number, _)), .errand(.put(number, _, _, _)): true
            default: false
            }
        }
    }

    // MARK: - Promises

    /// The user takes part from now on, or may do so.
    mutating func learn(of id: PromiseID) {
        if streams[id] == nil { streams[id] = EventStream() }
    }

    /// The point from which a promise is to be resumed; nil for a first subscription.
    func resumePoint(in id: PromiseID) -> ResumePoint? {
        guard let stream = streams[id], let epoch = stream.epoch else { return nil }
        return ResumePoint(epoch: epoch, lastSeq: stream.lastSeq)
    }

    /// - Parameter number: the request that is answered.
    /// - Throws: what is wrong with the beginning of a subscription.
    mutating func subscribe(
        to id: PromiseID,
        answering number: Int,
        epoch: String,
        lastSeq: Int,
        missed: [NumberedEvent]?
    ) throws(Breach) {
        try streams[id, default: EventStream()].subscribe(
            since: points[number],
            epoch: epoch,
            lastSeq: lastSeq,
            missed: missed
        )
        for event in missed ?? [] { endIfOut(event.event, of: id) }
    }

    /// - Throws: what is wrong with an event that arrives.
    mutating func receive(_ event: NumberedEvent, of id: PromiseID) throws(Breach) {
        if case .invited(userID) = event.event { learn(of: id) }
        try streams[id]?.receive(event)
        endIfOut(event.event, of: id)
    }

    /// The connection has ended, and all subscriptions with it.
    mutating func disconnect() {
        connection = nil
        for id in streams.keys { streams[id]?.end() }
    }

    private mutating func endIfOut(_ event: PromiseEvent, of id: PromiseID) {
        switch event {
        case .left(userID), .removed(userID), .declined(userID): streams[id]?.end()
        default: break
        }
    }
}
