extension PromiseResult {
    /// The final table of a promise whose settling has ended (domain §8).
    ///
    /// - Parameters:
    ///   - promise: not cancelled.
    ///   - participants: all who ever had a part; only those accepted at any time from the opening on get a row.
    ///   - arrivals: the arrivals that stand, provisional ones included: the end of settling confirms them.
    public init(deciding promise: Promise, participants: [Participant], arrivals: [UserID: Arrival]) {
        let took = participants.filter { $0.tookPart(from: promise.opensAt) }
        let counted = Set(took.map(\.userID))
        let ranks = Ranking.rank(arrivals.filter { counted.contains($0.key) })
        let ranked = Dictionary(uniqueKeysWithValues: ranks.map { ($0.userID, $0) })
        let rows = took.map { participant in
            Row(participant, promise: promise, arrival: ranked[participant.userID])
        }
        self.init(
            promiseID: promise.id,
            meetsAt: promise.meetsAt,
            finalAt: promise.settlesAt,
            penalty: promise.penalty,
            rows: rows.sorted(by: Row.isBefore)
        )
    }
}

extension PromiseResult.Row {
    init(_ participant: Participant, promise: Promise, arrival: RankedArrival?) {
        let creditedAt = arrival?.arrival.creditedAt
        var outcome = creditedAt.map {
            Outcome(creditedAt: $0, meetsAt: promise.meetsAt, grace: promise.grace)
        }
        if outcome == nil { outcome = participant.membership == .accepted ? .noShow : .left }
        let decided = participant.excusedReason == nil ? outcome ?? .noShow : .excused
        self.init(
            userID: participant.userID,
            outcome: decided,
            creditedAt: creditedAt,
            secondsFromMeeting: creditedAt.map { ($0 - promise.meetsAt).wholeSeconds } ?? 0,
            rank: arrival?.rank ?? 0,
            source: arrival?.arrival.source,
            penaltyOwed: decided.countsAsLate ? promise.penalty?.amount ?? 0 : 0,
            excusedReason: participant.excusedReason ?? ""
        )
    }

    /// By rank, those without one last; then by credited time, then by user id.
    static func isBefore(_ left: PromiseResult.Row, _ right: PromiseResult.Row) -> Bool {
        let leftRank = left.rank == 0 ? Int.max : left.rank
        let rightRank = right.rank == 0 ? Int.max : right.rank
        if leftRank != rightRank { return leftRank < rightRank }
        if let leftTime = left.creditedAt, let rightTime = right.creditedAt, leftTime != rightTime {
            return leftTime < rightTime
        }
        return left.userID < right.userID
    }

    /// The row of somebody the owner excuses: nothing owed, nothing counted; credited time and rank stay (domain §8).
    public func excused(because reason: String) -> PromiseResult.Row {
        var row = self
        row.outcome = .excused
        row.penaltyOwed = 0
        row.excusedReason = reason
        return row
    }
}
