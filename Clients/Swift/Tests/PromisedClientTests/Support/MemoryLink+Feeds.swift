import PromisedClient
import PromisedProtocol

extension MemoryLink {
    /// Receives a `subscribe`.
    func subscription() async throws -> (frame: WireClientFrame, request: WireSubscribe) {
        let frame = try await receive()
        guard case .subscribe(let request)? = frame.request else { throw Unexpected(frame: frame) }
        return (frame, request)
    }

    /// Receives a `subscribe` and answers with a snapshot.
    @discardableResult
    func subscribe(epoch: String = "e", seq: UInt32, nextReportMs: UInt32 = 0) async throws -> WireSubscribe {
        let (frame, request) = try await subscription()
        var reply = WireSubscribed(epoch: epoch, seq: seq)
        reply.snapshot.promiseID = request.promiseID
        reply.nextReportMs = nextReportMs
        try self.reply(to: frame, .subscribed(reply))
        return request
    }

    /// Receives a `subscribe` and answers with the missed events.
    @discardableResult
    func catchUp(epoch: String = "e", seq: UInt32, missed: [UInt32]) async throws -> WireSubscribe {
        let (frame, request) = try await subscription()
        var reply = WireSubscribed(epoch: epoch, seq: seq)
        reply.missed = missed.map { WireEvent(request.promiseID, seq: $0) }
        try self.reply(to: frame, .subscribed(reply))
        return request
    }

    /// Sends events of a promise.
    func events(_ promiseID: String = "p", _ seqs: UInt32...) throws {
        for seq in seqs { try send(WireServerFrame(event: WireEvent(promiseID, seq: seq))) }
    }
}

extension WireSubscribed {
    init(epoch: String, seq: UInt32) {
        self.init()
        self.epoch = epoch
        self.seq = seq
    }
}

extension WireEvent {
    /// A durable event, or a passing one for 0.
    init(_ promiseID: String, seq: UInt32) {
        self.init()
        self.promiseID = promiseID
        self.seq = seq
        if seq > 0 { meetingTime = WireEvent.MeetingTime() } else { nudged = WireEvent.Nudged() }
    }
}

/// The news of a feed, in short form for tests.
enum Told: Hashable, Sendable {
    case snapshot(UInt32)
    case event(UInt32)

    init(_ notice: FeedNotice) {
        switch notice {
        case .snapshot(_, let mark): self = .snapshot(mark.seq)
        case .event(let event, _): self = .event(event.seq)
        }
    }
}

/// Reads a feed notice by notice.
struct FeedReader {
    private var iterator: PromiseFeed.Iterator

    init(_ feed: PromiseFeed) {
        iterator = feed.makeAsyncIterator()
    }

    /// The next notices.
    mutating func next(_ count: Int) async throws(ClientError) -> [Told] {
        var told: [Told] = []
        while told.count < count, let notice = try await iterator.next(isolation: #isolation) {
            told.append(Told(notice))
        }
        return told
    }
}
