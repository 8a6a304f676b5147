/// The order of arrivals (domain §6.4).
package enum Ranking {
    /// Arrivals nearer than this to the first of a tie share its rank: one reporting period, the resolution of the times.
    package static let tie = TimeSpan.seconds(5)

    /// The arrivals with their ranks, sorted by rank, then by credited time, then by user id.
    ///
    /// Times less than 5 s after the first of a tie share its rank, and the next rank skips (1, 1, 3). The order of
    /// receipt does not matter. Participants with the same rank form a group. Each pair that came together joins its
    /// two groups, and all members of a joined group get its best rank. Ranks never get worse, and ranks outside the
    /// joined groups stay the same.
    ///
    /// - Parameter pairs: participants who came together; pairs without two arrivals are ignored.
    package static func rank(
        _ arrivals: [UserID: Arrival],
        together pairs: some Sequence<UserPair> = EmptyCollection()
    ) -> [RankedArrival] {
        let ranked = rankedByTime(arrivals)
        var best = JoinedRanks()
        let own = Dictionary(uniqueKeysWithValues: ranked.map { ($0.userID, $0.rank) })
        for pair in pairs {
            if let first = own[pair.first], let second = own[pair.second] { best.join(first, second) }
        }
        guard !best.isEmpty else { return ranked }
        return
            ranked.map { entry in
                var entry = entry
                entry.rank = best.of(entry.rank)
                return entry
            }
            .sorted {
                ($0.rank, $0.arrival.creditedAt, $0.userID) < ($1.rank, $1.arrival.creditedAt, $1.userID)
            }
    }

    private static func rankedByTime(_ arrivals: [UserID: Arrival]) -> [RankedArrival] {
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

/// The joined groups: maps a rank to a better rank of the same joined group.
private struct JoinedRanks {
    private var better: [Int: Int] = [:]

    var isEmpty: Bool { better.isEmpty }

    /// The best rank of the joined group that a rank belongs to.
    func of(_ rank: Int) -> Int {
        var rank = rank
        while let next = better[rank] { rank = next }
        return rank
    }

    mutating func join(_ one: Int, _ other: Int) {
        let (one, other) = (of(one), of(other))
        if one != other { better[max(one, other)] = min(one, other) }
    }
}
