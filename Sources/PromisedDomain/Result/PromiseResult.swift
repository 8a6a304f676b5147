/// A participant's outcome, once the promise is final (domain §6.5 and §8).
package enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// Credited before the meeting time.
    case early
    /// Credited from the meeting time until the grace ends.
    case onTime
    /// Credited when the grace had ended or later.
    case late
    /// Never arrived.
    case noShow
    /// Left during the window without an arrival.
    case left
    /// Excused by the owner.
    case excused

    /// The outcome of an arrival credited at `creditedAt`.
    package init(creditedAt: Instant, meetsAt: Instant, grace: TimeSpan) {
        if creditedAt < meetsAt {
            self = .early
        } else if creditedAt < meetsAt + grace {
            self = .onTime
        } else {
            self = .late
        }
    }

    /// `true` if it counts as late in the statistics: late, no-show and left.
    package var countsAsLate: Bool {
        switch self {
        case .late, .noShow, .left: true
        case .early, .onTime, .excused: false
        }
    }
}

/// The final table of one promise.
package struct PromiseResult: Hashable, Sendable {
    /// One participant's row.
    package struct Row: Hashable, Sendable, Codable {
        package var userID: UserID
        package var outcome: Outcome
        /// The credited time, nil without an arrival.
        package var creditedAt: Instant?
        /// Whole seconds from the meeting time, rounded down; negative when early; 0 without an arrival.
        package var secondsFromMeeting: Int
        /// The rank; 0 without an arrival.
        package var rank: Int
        /// The arrival's source; nil without one.
        package var source: Arrival.Source?
        /// The penalty owed, in minor units of its currency.
        package var penaltyOwed: Int32
        /// The reason of the excuse; empty without one.
        package var excusedReason: String
        /// `true` if the arrival is based on simulated positions.
        package var isMock: Bool

        package init(
            userID: UserID,
            outcome: Outcome,
            creditedAt: Instant?,
            secondsFromMeeting: Int,
            rank: Int,
            source: Arrival.Source?,
            penaltyOwed: Int32,
            excusedReason: String = "",
            isMock: Bool = false
        ) {
            self.userID = userID
            self.outcome = outcome
            self.creditedAt = creditedAt
            self.secondsFromMeeting = secondsFromMeeting
            self.rank = rank
            self.source = source
            self.penaltyOwed = penaltyOwed
            self.excusedReason = excusedReason
            self.isMock = isMock
        }
    }

    package var promiseID: PromiseID
    package var meetsAt: Instant
    /// When it became final: the end of settling.
    package var finalAt: Instant
    /// The penalty agreed on, if any.
    package var penalty: Penalty?
    /// One row each, sorted by rank (without one last), then credited time, then user id.
    package var rows: [Row]

    package init(promiseID: PromiseID, meetsAt: Instant, finalAt: Instant, penalty: Penalty?, rows: [Row]) {
        self.promiseID = promiseID
        self.meetsAt = meetsAt
        self.finalAt = finalAt
        self.penalty = penalty
        self.rows = rows
    }

    /// The sum of all penalties, in minor units.
    package var penaltyTotal: Int64 { rows.reduce(0) { $0 + Int64($1.penaltyOwed) } }
}

extension PromiseResult {
    /// The final table of a promise whose settling has ended (domain §8).
    ///
    /// - Parameters:
    ///   - promise: not cancelled.
    ///   - participants: all present and former participants; only those accepted at any time from the opening on get a
    ///     row.
    ///   - arrivals: the arrivals that are not retracted, including provisional ones: the end of settling confirms
    ///     them.
    ///   - pairs: participants who came together.
    package init(
        deciding promise: Promise,
        participants: [Participant],
        arrivals: [UserID: Arrival],
        together pairs: some Sequence<UserPair> = EmptyCollection()
    ) {
        let took = participants.filter { $0.tookPart(from: promise.opensAt) }
        let counted = Set(took.map(\.userID))
        let ranks = Ranking.rank(arrivals.filter { counted.contains($0.key) }, together: pairs)
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
        var outcome = creditedAt.map { Outcome(creditedAt: $0, meetsAt: promise.meetsAt, grace: promise.grace) }
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
            excusedReason: participant.excusedReason ?? "",
            isMock: arrival?.arrival.isMock ?? false
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

    /// The row of an excused participant: no penalty, not counted; credited time and rank remain (domain §8).
    package func excused(because reason: String) -> PromiseResult.Row {
        var row = self
        row.outcome = .excused
        row.penaltyOwed = 0
        row.excusedReason = reason
        return row
    }
}
