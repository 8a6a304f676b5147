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
        /// Not tried yet.
        case idle
        /// The connection is being made.
        case connecting
        /// `hello` was sent.
        case greeting
        case subscribing
        /// It receives its promise's events, and reports.
        case live
        /// It will reconnect in a moment.
        case waiting
        /// It has been told to end.
        case ended
    }

    enum Arrival: Hashable, Sendable {
        case none
        case inside(since: LoadTime)
        /// The report that was due then makes an arrival by the rule; `reportsSince` more were sent from inside since.
        case made(due: LoadTime, reportsSince: Int = 0)
        /// That report may not have reached the server.
        case uncertain
        /// Announced; the report that made it was due then, if known.
        case announced(due: LoadTime?)
    }

    let seat: LoadSeat
    /// The number of its promise here.
    let group: Int
    /// Its number within the promise.
    let member: Int
    var walk: Walk
    var state = State.idle
    var connection: ConnectionID?
    /// `true` if this program cut the connection that is ending.
    var isCut = false
    /// `true` if it was live before.
    var wasLive = false
    /// How often connecting failed in a row.
    var failures = 0
    /// The number of its last report.
    var seq: UInt32 = 0
    /// The numbering of the promise's events, and the last one it received.
    var epoch: String?
    var lastEvent: UInt32 = 0
    /// When to report next; nil: not at all.
    var due: LoadTime?
    /// The pace that the server set for this phone (docs/protocol.md#reporting-slots).
    var pace: Duration?
    /// `true` if it no longer reports because it has arrived.
    var hasArrived = false
    var arrival = Arrival.none
    /// The newest report it received of each member.
    var seen: [UInt32]

    /// A phone that has not connected yet.
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
    /// The measured content of a `positions` frame. All members receive the same bytes, so it is decoded once.
    struct Shown: Sendable {
        var bytes: [UInt8] = []
        /// Member and number of each report; reports of outsiders are omitted and counted.
        var reports: [(member: Int, seq: UInt32)] = []
        var outsiders = 0
        var nextReportMs: UInt32 = 0
    }

    let promiseID: String
    /// The seats of its members, in a row.
    let seats: Range<Int>
    /// A bit for each member who is live.
    var live: UInt64 = 0
    /// `true` if it is over, or its owner has asked to cancel it.
    var isCancelled = false
    var watch: PromiseWatch
    /// The last `positions` frame.
    var shown = Shown()
    private let members: [String: Int]

    /// A promise of these users; the first has the number `first` of all.
    init(_ users: [LoadSeat], first: Int) {
        promiseID = users.first?.promiseID ?? ""
        seats = first..<first + users.count
        members = Dictionary(
            users.enumerated().map { ($0.element.userID, $0.offset) },
            uniquingKeysWith: { one, _ in one }
        )
        watch = PromiseWatch(members: members.keys)
    }

    /// A user's number within the promise; nil for an outsider.
    func member(_ userID: String) -> Int? { members[userID] }

    /// Decodes a `positions` frame unless it is the one decoded last.
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
