internal import PromisedDomain

/// Ranks by domain §6.4, computed anew for every person.
enum RankCheck {
    /// An arrival with the rank that it is told with.
    struct Entry: Hashable, Sendable {
        let userID: UserID
        let creditedAt: Instant
        let rank: Int
    }

    /// - Throws: the first arrival whose rank is wrong.
    static func check(_ entries: [Entry]) throws(Breach) {
        for entry in entries {
            let expected = rank(of: entry, among: entries)
            guard entry.rank != expected else { continue }
            let times = entries.map { "\($0.userID.low & 0xFF)@\($0.creditedAt.milliseconds)=\($0.rank)" }.sorted()
            throw Breach(.ranks, "rank \(entry.rank) instead of \(expected) among \(times.joined(separator: " "))")
        }
    }

    /// One more than the number of those before the first of its tie.
    private static func rank(of entry: Entry, among entries: [Entry]) -> Int {
        let times = entries.map(\.creditedAt).sorted()
        var leader = times[0]
        for time in times where time <= entry.creditedAt && time - leader >= .seconds(5) { leader = time }
        return times.count { $0 < leader } + 1
    }
}

extension RankCheck {
    /// - Throws: a wrong rank among the members of a view, or in its result.
    static func check(_ view: SessionView) throws(Breach) {
        try check(
            view.members.compactMap { member in
                member.arrival.map {
                    Entry(userID: $0.userID, creditedAt: $0.arrival.creditedAt, rank: $0.rank)
                }
            }
        )
    }

    /// - Throws: a wrong rank in a result.
    static func check(_ rows: [Ledger.ResultRow]) throws(Breach) {
        try check(
            rows.compactMap { row in row.creditedAt.map { Entry(userID: row.userID, creditedAt: $0, rank: row.rank) } }
        )
    }
}
