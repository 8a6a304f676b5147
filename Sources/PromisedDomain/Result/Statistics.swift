/// A user's statistics over all final results (domain §2).
///
/// Always derived from the rows of final results, never stored as counters, so they cannot drift apart.
package struct Statistics: Hashable, Sendable {
    package let userID: UserID
    /// The number of early arrivals.
    package private(set) var early = 0
    /// The number of punctual arrivals.
    package private(set) var onTime = 0
    /// The number of late arrivals, including no-shows and leaving.
    package private(set) var late = 0
    /// The number of times without an arrival: no-shows and leaving.
    package private(set) var noShow = 0
    /// The best rank of any arrival, including excused ones, which retain their rank; 0 without an arrival.
    package private(set) var bestRank = 0
    /// Mean lateness in seconds over the counted rows with a credited time, 0 or more: early and punctual ones count as
    /// zero. Also 0 without such a row.
    package private(set) var meanLatenessSeconds = 0.0

    /// The statistics of a user without a result.
    package init(of userID: UserID) { self.userID = userID }

    /// The statistics of the rows of one user, in any order.
    package init(of userID: UserID, rows: some Sequence<PromiseResult.Row>) {
        self.init(of: userID, sums: rows.lazy.map { OutcomeSums($0) })
    }

    /// The statistics from sums that together cover each row of one user once.
    package init(of userID: UserID, sums: some Sequence<OutcomeSums>) {
        self.userID = userID
        var lateness = 0
        var credited = 0
        for each in sums {
            count(each.rows, of: each.outcome)
            if each.bestRank > 0 { bestRank = bestRank == 0 ? each.bestRank : min(bestRank, each.bestRank) }
            guard each.outcome != .excused else { continue }
            credited += each.credited
            lateness += each.latenessSeconds
        }
        if credited > 0 { meanLatenessSeconds = Double(lateness) / Double(credited) }
    }

    /// Statistics computed elsewhere; counts are 0 or more, `noShow` at most `late`.
    package init(
        of userID: UserID,
        early: Int,
        onTime: Int,
        late: Int,
        noShow: Int,
        bestRank: Int,
        meanLatenessSeconds: Double
    ) {
        self.userID = userID
        self.early = early
        self.onTime = onTime
        self.late = late
        self.noShow = noShow
        self.bestRank = bestRank
        self.meanLatenessSeconds = meanLatenessSeconds
    }

    /// The number of results that count: all except the excused ones.
    package var counted: Int { early + onTime + late }

    /// (counted − late) / counted in percent, 0 to 100; nil without counted results.
    package var punctualityPercent: Double? {
        // Multiplied first: a whole percentage is then exact, so it lies in its own band.
        counted == 0 ? nil : Double(100 * (counted - late)) / Double(counted)
    }

    /// The band of the percentage.
    package var tier: PunctualityTier { PunctualityTier(percent: punctualityPercent) }

    private mutating func count(_ rows: Int, of outcome: Outcome) {
        switch outcome {
        case .early: early += rows
        case .onTime: onTime += rows
        case .late: late += rows
        case .noShow, .left:
            late += rows
            noShow += rows
        case .excused: break
        }
    }
}

/// The sums over one user's rows with the same outcome, so that a store need not return each row.
package struct OutcomeSums: Hashable, Sendable {
    package var outcome: Outcome
    /// The number of rows.
    package var rows: Int
    /// The best rank; 0 without one.
    package var bestRank: Int
    /// The number of rows with a credited time.
    package var credited: Int
    /// The seconds after the meeting time of the rows with a credited time, earlier ones as 0.
    package var latenessSeconds: Int

    /// Sums computed by a store.
    package init(outcome: Outcome, rows: Int, bestRank: Int, credited: Int, latenessSeconds: Int) {
        self.outcome = outcome
        self.rows = rows
        self.bestRank = bestRank
        self.credited = credited
        self.latenessSeconds = latenessSeconds
    }

    /// The sums of a single row.
    init(_ row: PromiseResult.Row) {
        let isCredited = row.creditedAt != nil
        self.init(
            outcome: row.outcome,
            rows: 1,
            bestRank: row.rank,
            credited: isCredited ? 1 : 0,
            latenessSeconds: isCredited ? max(0, row.secondsFromMeeting) : 0
        )
    }
}

/// A user's punctuality in words: half-open bands of the percentage p (domain §2). Deeper means later.
///
/// ```
///      newcomer  inner-core  outer-core  lower-mantle  upper-mantle  crust     surface   troposphere  stratosphere
/// p:   none      0           (0, 30]     (30, 50]      (50, 70]      (70, 80]  (80, 90]  (90, 95]     (95, 100]
/// ```
/// The raw value is the stable identifier that clients name.
package enum PunctualityTier: String, Hashable, Sendable, CaseIterable {
    /// No counted results yet.
    case newcomer
    /// Never in time.
    case innerCore = "inner-core"
    /// Up to 30 %.
    case outerCore = "outer-core"
    /// Above 30 %, up to 50 %.
    case lowerMantle = "lower-mantle"
    /// Above 50 %, up to 70 %.
    case upperMantle = "upper-mantle"
    /// Above 70 %, up to 80 %.
    case crust
    /// Above 80 %, up to 90 %.
    case surface
    /// Above 90 %, up to 95 %.
    case troposphere
    /// Above 95 %.
    case stratosphere

    /// The tier of a percentage from 0 to 100; nil without counted results. Values outside belong to the nearest band.
    package init(percent: Double?) {
        guard let percent else {
            self = .newcomer
            return
        }
        // Each case begins where the previous one ends, so there are no gaps.
        switch percent {
        case ...0: self = .innerCore
        case ...30: self = .outerCore
        case ...50: self = .lowerMantle
        case ...70: self = .upperMantle
        case ...80: self = .crust
        case ...90: self = .surface
        case ...95: self = .troposphere
        default: self = .stratosphere
        }
    }
}
