import PromisedProtocol
import PromisedTransport

/// One simulated phone.
///
/// ```
/// idle ─▶ connecting ─▶ greeting ─▶ subscribing ─▶ live ─▶ ended
///           ▲                                       │ cut, dropped
///           └──────────────── waiting ◀─────────────┘
/// ```
struct LoadClient: Sendable {
    enum State: Hashable, Sendable {
        /// Not connected yet.
        case idle
        /// The connection is being made.
        case connecting
        /// `hello` was sent.
        case greeting
        case subscribing
        /// It receives its promise's events and reports.
        case live
        /// It will reconnect shortly.
        case waiting
        /// It has been asked to end.
        case ended
    }

    enum Arrival: Hashable, Sendable {
        case none
        case inside(since: LoadTime)
        /// The report due at this time should cause an arrival by the rule; `reportsSince` more were sent from inside
        /// since.
        case made(due: LoadTime, reportsSince: Int = 0)
        /// That report may not have reached the server.
        case uncertain
        /// The arrival was announced; `due` is the due time of the report that caused it, if known.
        case announced(due: LoadTime?)
    }

    let seat: LoadSeat
    /// The index of its promise in this process.
    let group: Int
    /// Its index within the promise.
    let member: Int
    var walk: Walk
    var state = State.idle
    var connection: ConnectionID?
    /// `true` if this program cut the connection that is ending.
    var isCut = false
    /// `true` if it was live before.
    var wasLive = false
    /// The number of consecutive connection failures.
    var failures = 0
    /// The number of its last report.
    var seq: UInt32 = 0
    /// The epoch of the promise's events, and the last event received.
    var epoch: String?
    var lastEvent: UInt32 = 0
    /// When to report next; nil for never.
    var due: LoadTime?
    /// The pace that the server set for this phone (docs/protocol.md#reporting-slots).
    var pace: Duration?
    /// `true` if it no longer reports because it has arrived.
    var hasArrived = false
    var arrival = Arrival.none
    /// The newest report received from each member.
    var seen: [UInt32]

    /// A phone before its first connection.
    init(seat: LoadSeat, group: Int, member: Int, members: Int, walk: Walk) {
        self.seat = seat
        self.group = group
        self.member = member
        self.walk = walk
        seen = Array(repeating: 0, count: members)
    }
}

/// One promise and its members.
struct LoadGroup: Sendable {
    /// The measured content of a `positions` frame. All members receive the same bytes, so it is decoded only once.
    struct Shown: Sendable {
        var bytes: [UInt8] = []
        /// Member and number of each report; reports of outsiders are omitted and counted.
        var reports: [(member: Int, seq: UInt32)] = []
        var outsiders = 0
        var nextReportMs: UInt32 = 0
    }

    let promiseID: String
    /// The consecutive seats of its members.
    let seats: Range<Int>
    /// One bit per live member.
    var live: UInt64 = 0
    /// `true` if it is over, or its owner has requested to cancel it.
    var isCancelled = false
    var watch: PromiseWatch
    /// The last `positions` frame.
    var shown = Shown()
    private let members: [String: Int]

    /// - Parameter first: the seat of the first user.
    init(_ users: [LoadSeat], first: Int) {
        promiseID = users.first?.promiseID ?? ""
        seats = first..<first + users.count
        members = Dictionary(
            users.enumerated().map { ($0.element.userID, $0.offset) },
            uniquingKeysWith: { one, _ in one }
        )
        watch = PromiseWatch(members: members.keys)
    }

    /// A user's index within the promise; nil for an outsider.
    func member(_ userID: String) -> Int? { members[userID] }

    /// Decodes a `positions` frame unless it was the last one decoded.
    mutating func show(_ positions: WireEvent.Positions, bytes: [UInt8]) {
        shown.bytes = bytes
        shown.reports.removeAll(keepingCapacity: true)
        shown.outsiders = 0
        shown.nextReportMs = positions.nextReportMs
        for position in positions.positions {
            if let member = members[position.userID] {
                shown.reports.append((member, position.seq))
            } else {
                shown.outsiders += 1
            }
        }
    }
}
