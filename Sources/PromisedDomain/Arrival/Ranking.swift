/// Who came first (domain §6.4).
public enum Ranking {
    /// Arrivals nearer than this to the first of a tie share its rank: one reporting period, the resolution of the times.
    public static let tie = TimeSpan.seconds(5)

    /// The arrivals with their ranks, sorted by credited time, then by user id.
    ///
    /// Times less than 5 s after the first of a tie share its rank, and the next rank skips (1, 1, 3). The order in which
    /// arrivals were received plays no part.
    public static func rank(_ arrivals: [UserID: Arrival]) -> [RankedArrival] {
        let sorted = arrivals.sorted { ($0.value.creditedAt, $0.key) < ($1.value.creditedAt, $1.key) }
        var ranked: [RankedArrival] = []
        ranked.reserveCapacity(sorted.count)
        var leader: (creditedAt: Instant, rank: Int)?
        for (index, (userID, arrival)) in sorted.enumerated() {
            if leader.map({ arrival.creditedAt - $0.creditedAt >= tie }) ?? true {
                leader = (arrival.creditedAt, index + 1)
            }
            ranked.append(RankedArrival(userID: userID, arrival: arrival, rank: leader?.rank ?? index + 1))
        }
        return ranked
    }
}
