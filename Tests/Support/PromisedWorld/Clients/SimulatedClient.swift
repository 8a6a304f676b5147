internal import PromisedDomain
internal import PromisedEngine
internal import PromisedProtocol

/// The app on one phone: its knowledge, and its pending requests.
struct SimulatedClient: Sendable {
    struct Pending: Sendable {
        var request: WireRequest
        /// How often it was sent.
        var tries: Int
    }

    /// Whether the server knows the user of the current connection.
    enum SignIn: Sendable {
        case pending
        case welcome
        /// The account is deleted.
        case refused
    }

    let userID: UserID
    let codec: WireCodec
    var phone: SimulatedPhone
    /// Nil without a connection.
    private(set) var connection: ConnectionNumber?
    var signIn = SignIn.pending
    /// It reads nothing before this instant.
    var readsFrom: Instant
    /// The promises in which it takes part, as far as it knows.
    private(set) var streams: [PromiseID: EventStream] = [:]
    private(set) var pending: [UInt32: Pending] = [:]
    /// The requests of the current connection.
    private var requests: [UInt32: WireRequest] = [:]
    private var lastRequest: UInt32 = 0
    /// The files that it sends and the ways that it records.
    var luggage = Luggage()

    init(_ userID: UserID, _ phone: SimulatedPhone, codec: WireCodec, at now: Instant) {
        (self.userID, self.phone, self.codec) = (userID, phone, codec)
        readsFrom = now
    }

    // MARK: - Requests

    /// Records a request that is about to be sent and repeated until it is answered. Returns its id.
    mutating func begin(_ request: WireRequest, tries: Int = 1) -> UInt32 {
        let id = begin(once: request)
        pending[id] = Pending(request: request, tries: tries)
        return id
    }

    /// Records a request that is sent once. Returns its id.
    mutating func begin(once request: WireRequest) -> UInt32 {
        lastRequest += 1
        requests[lastRequest] = request
        return lastRequest
    }

    /// Ends a request that was answered or given up. Returns it; nil if it has ended already.
    mutating func end(_ id: UInt32) -> Pending? { pending.removeValue(forKey: id) }

    /// The request that a reply answers, also if it was repeated since.
    func request(_ id: UInt32) -> WireRequest? { requests[id] }

    /// `true` if a request is pending for which `isWanted` is true.
    func isWaiting(_ isWanted: (WireRequest) -> Bool) -> Bool { pending.values.contains { isWanted($0.request) } }

    /// `true` if the creation of a promise is pending.
    var isCreating: Bool { isWaiting { if case .createPromise = $0 { true } else { false } } }

    /// `true` if a report to this promise is in transit.
    func isReporting(to id: PromiseID) -> Bool {
        isWaiting { if case .report(let report) = $0 { report.promiseID == id.description } else { false } }
    }

    /// `true` if a subscription to this promise is in transit.
    func isSubscribing(to id: PromiseID) -> Bool {
        isWaiting { if case .subscribe(let wanted) = $0 { wanted.promiseID == id.description } else { false } }
    }

    /// `true` if points of a recording are in transit.
    func isAppending(to id: RecordingID) -> Bool {
        isWaiting { if case .appendRecording(let append) = $0 { append.recordingID == id.description } else { false } }
    }

    /// `true` if a part of a file is in transit.
    func isSending(_ upload: SimulatedUpload) -> Bool {
        isWaiting(upload.isMeant)
    }

    // MARK: - Connections

    mutating func connect(_ connection: ConnectionNumber) { self.connection = connection }

    /// Ends the connection with all its subscriptions.
    mutating func disconnect() {
        connection = nil
        requests = [:]
        if signIn == .welcome { signIn = .pending }
        for id in streams.keys { streams[id]?.end() }
    }

    /// Restarts the phone: its pending positions and reports are lost.
    mutating func reboot(at now: Instant) {
        phone.reboot(at: now)
        pending = pending.filter { if case .report = $0.value.request { false } else { true } }
    }

    // MARK: - Promises

    /// Adds a promise in which the user takes part, or may do so.
    mutating func learn(of id: PromiseID) {
        if streams[id] == nil { streams[id] = EventStream() }
    }

    /// A subscription from the client's last event on.
    func subscription(to id: PromiseID) -> WireSubscribe {
        var subscribe = WireSubscribe()
        subscribe.promiseID = id.description
        if let stream = streams[id], let epoch = stream.epoch {
            (subscribe.epoch, subscribe.lastSeq) = (epoch, UInt32(stream.lastSeq))
        }
        return subscribe
    }

    /// - Throws: the fault in the beginning of a subscription.
    mutating func subscribe(_ request: WireSubscribe, _ reply: WireSubscribed) throws(Violation) {
        let id: PromiseID = request.promiseID.id()
        let isFirst = request.epoch.isEmpty
        try streams[id, default: EventStream()].subscribe(
            since: isFirst ? nil : ResumePoint(epoch: request.epoch, lastSeq: Int(request.lastSeq)),
            epoch: reply.epoch,
            lastSeq: Int(reply.seq),
            missed: reply.hasSnapshot ? nil : reply.missed.map { Int($0.seq) }
        )
        for event in reply.missed { endIfOut(event, of: id) }
    }

    /// - Throws: the fault in an event that arrives.
    mutating func receive(_ event: WireEvent) throws(Violation) {
        guard event.seq > 0 else { return }
        let id: PromiseID = event.promiseID.id()
        if case .invited(let invited) = event.what, invited.user.userID == userID.description { learn(of: id) }
        try streams[id]?.receive(Int(event.seq))
        endIfOut(event, of: id)
    }

    private mutating func endIfOut(_ event: WireEvent, of id: PromiseID) {
        if event.what?.leaver == userID { streams[id]?.end() }
    }
}

/// The files that a client sends and the ways that it records, by their numbers in the story.
struct Luggage: Sendable {
    var uploads: [Int: SimulatedUpload] = [:]
    var recordings: [Int: SimulatedRecording] = [:]

    /// The number of the upload with a key, or of one that the server knows by an id.
    func upload(_ isWanted: (SimulatedUpload) -> Bool) -> Int? { uploads.first { isWanted($0.value) }?.key }

    /// The number of the recording that the server knows by an id.
    func recording(_ id: RecordingID) -> Int? { recordings.first { $0.value.id == id }?.key }
}

extension WireEvent.OneOf_What {
    /// The user who has left the promise by this event, if any.
    var leaver: UserID? {
        switch self {
        case .left(let left): left.user.userID.id()
        case .removed(let removed): removed.user.userID.id()
        case .declined(let declined): declined.user.userID.id()
        default: nil
        }
    }
}
