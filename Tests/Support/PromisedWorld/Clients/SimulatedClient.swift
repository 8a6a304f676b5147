internal import PromisedDomain
internal import PromisedEngine

/// The app on one phone: its knowledge, and its pending requests.
struct SimulatedClient: Sendable {
    struct Pending: Sendable {
        var ask: Ask
        /// How often it was sent.
        var tries: Int
    }

    let userID: UserID
    var phone: SimulatedPhone
    /// Nil without a connection.
    var connection: ConnectionNumber?
    /// It reads nothing before this instant.
    var readsFrom: Instant
    /// The promises in which it takes part, as far as it knows.
    private(set) var streams: [PromiseID: EventStream] = [:]
    private(set) var pending: [Int: Pending] = [:]
    /// The client's resume point at its request for a subscription, by request.
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

    /// Records a request that is about to be sent. Returns its number.
    mutating func begin(_ ask: Ask, tries: Int = 1) -> Int {
        lastRequest += 1
        pending[lastRequest] = Pending(ask: ask, tries: tries)
        if case .subscribe(_, let point) = ask { points[lastRequest] = point }
        return lastRequest
    }

    /// Ends a request that was answered or given up. Returns it; nil if it has ended already.
    mutating func end(_ number: Int) -> Pending? { pending.removeValue(forKey: number) }

    /// `true` if the creation of a promise is pending.
    var isCreating: Bool { pending.values.contains { if case .create = $0.ask { true } else { false } } }

    /// `true` if a report to this promise is in transit.
    func isReporting(to id: PromiseID) -> Bool {
        pending.values.contains { if case .report(id, _) = $0.ask { true } else { false } }
    }

    /// `true` if a subscription to this promise is in transit.
    func isSubscribing(to id: PromiseID) -> Bool {
        pending.values.contains { if case .subscribe(id, _) = $0.ask { true } else { false } }
    }

    /// `true` if points of a recording are in transit.
    func isAppending(to number: Int) -> Bool {
        pending.values.contains { if case .errand(.append(number, _, _)) = $0.ask { true } else { false } }
    }

    /// `true` if a part of a file is in transit.
    func isSending(_ number: Int) -> Bool {
        pending.values.contains { pending in
            switch pending.ask {
            case .errand(.begin(number, _)), .errand(.put(number, _, _, _)): true
            default: false
            }
        }
    }

    // MARK: - Promises

    /// Adds a promise in which the user takes part, or may do so.
    mutating func learn(of id: PromiseID) {
        if streams[id] == nil { streams[id] = EventStream() }
    }

    /// The resume point of a promise; nil for a first subscription.
    func resumePoint(in id: PromiseID) -> ResumePoint? {
        guard let stream = streams[id], let epoch = stream.epoch else { return nil }
        return ResumePoint(epoch: epoch, lastSeq: stream.lastSeq)
    }

    /// - Parameter number: the answered request.
    /// - Throws: the fault in the beginning of a subscription.
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

    /// - Throws: the fault in an event that arrives.
    mutating func receive(_ event: NumberedEvent, of id: PromiseID) throws(Breach) {
        if case .invited(userID) = event.event { learn(of: id) }
        try streams[id]?.receive(event)
        endIfOut(event.event, of: id)
    }

    /// Ends the connection with all its subscriptions.
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
