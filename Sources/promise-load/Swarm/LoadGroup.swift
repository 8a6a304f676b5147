import PromisedProtocol

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
