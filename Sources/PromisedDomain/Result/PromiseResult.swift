/// The final table of one promise.
public struct PromiseResult: Hashable, Sendable {
    /// One participant's line.
    public struct Row: Hashable, Sendable, Codable {
        /// Who.
        public var userID: UserID
        /// How they did.
        public var outcome: Outcome
        /// When they were credited, nil without an arrival.
        public var creditedAt: Instant?
        /// Whole seconds from the meeting time, rounded down; negative when early; 0 without an arrival.
        public var secondsFromMeeting: Int
        /// Their rank; 0 without an arrival.
        public var rank: Int
        /// How the arrival is known; nil without one.
        public var source: Arrival.Source?
        /// What they owe, in minor units of the penalty's currency.
        public var penaltyOwed: Int32
        /// Why they were excused; empty unless they were.
        public var excusedReason: String

        /// A row with all its fields.
        public init(
            userID: UserID,
            outcome: Outcome,
            creditedAt: Instant?,
            secondsFromMeeting: Int,
            rank: Int,
            source: Arrival.Source?,
            penaltyOwed: Int32,
            excusedReason: String = ""
        ) {
            self.userID = userID
            self.outcome = outcome
            self.creditedAt = creditedAt
            self.secondsFromMeeting = secondsFromMeeting
            self.rank = rank
            self.source = source
            self.penaltyOwed = penaltyOwed
            self.excusedReason = excusedReason
        }
    }

    /// Which promise.
    public var promiseID: PromiseID
    /// Its meeting time.
    public var meetsAt: Instant
    /// When it became final: the end of settling.
    public var finalAt: Instant
    /// The penalty agreed on, if any.
    public var penalty: Penalty?
    /// One row each, sorted by rank (without one last), then credited time, then user id.
    public var rows: [Row]

    /// A result with all its fields.
    public init(promiseID: PromiseID, meetsAt: Instant, finalAt: Instant, penalty: Penalty?, rows: [Row]) {
        self.promiseID = promiseID
        self.meetsAt = meetsAt
        self.finalAt = finalAt
        self.penalty = penalty
        self.rows = rows
    }

    /// The sum of what everybody owes, in minor units.
    public var penaltyTotal: Int64 { rows.reduce(0) { $0 + Int64($1.penaltyOwed) } }
}
