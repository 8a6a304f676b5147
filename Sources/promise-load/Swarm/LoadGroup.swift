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
    /// How far its connection is.
    enum State: Hashable, Sendable {
        /// Nothing was tried yet.
        case idle
        /// The connection is being made.
        case connecting
        /// `hello` was sent.
        case greeting
        /// `subscribe` was sent.
        case subscribing
        /// It hears of its promise, and reports.
        case live
        /// It will connect again in a moment.
        case waiting
        /// It is told to go.
        case ended
    }

    /// What is known of its arrival.
    enum Arrival: Hashable, Sendable {
        /// Not there.
        case none
        /// Inside the radius since.
        case inside(since: LoadTime)
        /// The report that was due then makes an arrival by the rule; so many more were sent from inside since.
        case made(due: LoadTime, reportsSince: Int = 0)
        /// That report may not have reached the server.
        case uncertain
        /// Announced; the report that made it was due then, if that is known.
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
    /// Whether this program cut the connection that is ending.
    var isCut = false
    /// Whether it was live before.
    var wasLive = false
    /// How often connecting failed in a row.
    var failures = 0
    /// The number of its last report.
    var seq: UInt32 = 0
    /// The numbering of the promise's events, and the last one it heard.
    var epoch: String?
    var lastEvent: UInt32 = 0
    /// When to report next; nil: not at all.
    var due: LoadTime?
    /// Whether the server set a pace for this one (docs/protocol.md#reporting-slots).
    var pace: Duration?
    /// Whether it reports no more because it has arrived.
    var hasArrived = false
    var arrival = Arrival.none
    /// The newest report it saw of each member.
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

/// One promise and who takes part.
struct LoadGroup: Sendable {
    /// A `positions` frame as it concerns the measurement. All members get the same bytes, so it is decoded once.
    struct Shown: Sendable {
        var bytes: [UInt8] = []
        /// Member and number of each report; those of outsiders are left out and counted.
        var reports: [(member: Int, seq: UInt32)] = []
        var outsiders = 0
        var nextReportMs: UInt32 = 0
    }

    /// Its id on the wire.
    let promiseID: String
    /// The seats of its members, in a row.
    let seats: Range<Int>
    /// A bit for each member who is live.
    var live: UInt64 = 0
    /// Whether it is over, or its owner has asked to call it off.
    var isCancelled = false
    var watch: PromiseWatch
    /// The last `positions` frame.
    var shown = Shown()
    private let members: [String: Int]

    /// A promise of these users, whose first has the number `first` of all.
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
