import PromisedDomain
import PromisedProtocol
import PromisedTransport
import PromisedWire
import Testing

@testable import promise_load

/// Phones of one promise `p` and the frames of a server to them.
struct SwarmWorld: Sendable {
    let start = LoadTime(microseconds: 1_000_000_000)
    private static let codec = WireCodec.protobuf

    func at(_ milliseconds: Int) -> LoadTime { start + .milliseconds(milliseconds) }

    func id(_ number: Int) -> ConnectionID { ConnectionID(thread: 0, slot: number, generation: 1) }

    func state(_ count: Int = 1) -> SwarmState {
        let seats = (0..<count).map {
            LoadSeat(userID: "u\($0)", promiseID: "p", isOwner: $0 == 0, token: "t\($0)")
        }
        return SwarmState(plan: LoadPlan(), seats: SeatPlan(groups: [seats]), at: start)
    }

    /// Subscribed phones that received three events and report at 200 ms.
    func live(_ count: Int) throws -> SwarmState {
        var state = state(count)
        for seat in 0..<count {
            _ = state.connecting(seat, at: start)
            _ = state.opened(seat, id(seat), at: start)
            _ = try hear(&state, seat, WireServerFrame(id: 1, content: .welcome(WireWelcome())))
            _ = try hear(&state, seat, subscribed(seq: 3, nextReportMs: 200))
        }
        #expect(state.isComplete)
        return state
    }

    @discardableResult
    func hear(
        _ state: inout SwarmState,
        _ seat: Int,
        _ frame: WireServerFrame,
        at now: LoadTime? = nil
    ) throws -> [LoadAction] {
        state.received(seat, try Self.codec.encode(frame), at: now ?? start)
    }

    /// The request of the only action.
    func request(_ actions: [LoadAction]) throws -> WireRequest? {
        guard actions.count == 1, case .send(_, let bytes) = actions[0] else { return nil }
        return try Self.codec.decodeClientFrame(bytes).request
    }

    /// The content of the only action's request; a request of another kind fails the test.
    @discardableResult
    func request<Value>(
        _ actions: [LoadAction],
        _ kind: WritableKeyPath<WireClientFrame, Value>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Value {
        var (frame, same) = (WireClientFrame(), WireClientFrame())
        frame.request = try request(actions)
        // A request of another kind would have an empty value.
        same[keyPath: kind] = frame[keyPath: kind]
        try #require(same.request == frame.request, sourceLocation: sourceLocation)
        return frame[keyPath: kind]
    }

    func report(_ actions: [LoadAction]) throws -> WireReport? {
        guard case .report(let report) = try request(actions) else { return nil }
        return report
    }

    // MARK: - Messages of a server

    func subscribed(seq: UInt32, nextReportMs: UInt32, missed: [WireEvent] = []) -> WireServerFrame {
        var subscribed = WireSubscribed()
        subscribed.epoch = "e"
        subscribed.seq = seq
        subscribed.nextReportMs = nextReportMs
        subscribed.missed = missed
        if missed.isEmpty { subscribed.snapshot = WirePromise() }
        return WireServerFrame(id: 2, content: .subscribed(subscribed))
    }

    func positions(_ reports: [(user: Int, seq: UInt32)], nextReportMs: UInt32) -> WireServerFrame {
        WireServerFrame(event: Self.positions(reports.map { ("u\($0.user)", $0.seq) }, nextReportMs: nextReportMs))
    }

    func arrived(_ seq: UInt32, _ user: Int) -> WireEvent { Self.arrived(seq, user) }

    func cancelled(_ seq: UInt32) -> WireEvent { Self.event(seq, .cancelled(WireEvent.Cancelled())) }

    /// Events for the first of two phones that a correct server never sends.
    struct Wrong: Sendable, CustomTestStringConvertible {
        var events: [WireEvent]
        var found: Violation
        var testDescription: String { found.rawValue }
    }

    static let wrongs = [
        Wrong(events: [event(5, .meetingTime(WireEvent.MeetingTime()))], found: .eventGap),
        Wrong(events: [positions([("stranger", 1)])], found: .outsider),
        Wrong(events: [positions([("u1", 2)]), positions([("u1", 1)])], found: .positionBackwards),
        Wrong(
            events: [event(4, .cancelled(WireEvent.Cancelled())), positions([("u1", 1)])],
            found: .positionAfterEnd
        ),
        Wrong(events: [positions([("u1", 1)], of: "other")], found: .foreignPromise),
        Wrong(events: [arrived(4, 1), arrived(5, 1)], found: .secondArrival),
    ]

    private static func positions(
        _ reports: [(user: String, seq: UInt32)],
        nextReportMs: UInt32 = 1_000,
        of promise: String = "p"
    ) -> WireEvent {
        var event = WireEvent()
        event.promiseID = promise
        event.positions.nextReportMs = nextReportMs
        event.positions.positions = reports.map { report in
            var position = WirePosition()
            position.userID = report.user
            position.seq = report.seq
            return position
        }
        return event
    }

    private static func arrived(_ seq: UInt32, _ user: Int) -> WireEvent {
        var arrived = WireEvent.Arrived()
        arrived.arrival.userID = "u\(user)"
        arrived.arrival.creditedAt = WireTimestamp(Instant(milliseconds: 0))
        arrived.arrival.rank = 1
        return event(seq, .arrived(arrived))
    }

    private static func event(_ seq: UInt32, _ what: WireEvent.OneOf_What) -> WireEvent {
        var event = WireEvent()
        event.promiseID = "p"
        event.seq = seq
        event.what = what
        return event
    }
}
