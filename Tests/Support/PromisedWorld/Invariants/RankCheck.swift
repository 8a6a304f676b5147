internal import PromisedDomain

/// Ranks by domain §6.4, computed again for every person.
enum RankCheck {
    /// An arrival with its reported rank.
    struct Entry: Hashable, Sendable {
        let userID: UserID
        let creditedAt: Instant
        let rank: Int
    }

    /// - Parameter pairs: the participants who came together.
    /// - Throws: the first arrival with a wrong rank.
    static func check(_ entries: [Entry], together pairs: [UserPair] = []) throws(Breach) {
        let ranks = ranks(of: entries, together: pairs)
        for entry in entries {
            guard let expected = ranks[entry.userID], entry.rank != expected else { continue }
            let times = entries.map { "\($0.userID.low & 0xFF)@\($0.creditedAt.milliseconds)=\($0.rank)" }.sorted()
            throw Breach(.ranks, "rank \(entry.rank) instead of \(expected) among \(times.joined(separator: " "))")
        }
    }

    /// The ranks by time, then the better one for everyone in the groups of each pair.
    private static func ranks(of entries: [Entry], together pairs: [UserPair]) -> [UserID: Int] {
        var ranks: [UserID: Int] = [:]
        for entry in entries { ranks[entry.userID] = rank(of: entry, among: entries) }
        // Each round merges at least one more group.
        for _ in pairs {
            for pair in pairs {
                guard let first = ranks[pair.first], let second = ranks[pair.second], first != second else { continue }
                ranks = ranks.mapValues { $0 == max(first, second) ? min(first, second) : $0 }
            }
        }
        return ranks
    }

    /// One more than the number of entries before the first of its tie.
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
            },
            together: view.together.map(\.pair)
        )
    }

    /// - Throws: a wrong rank in a result.
    static func check(_ rows: [Ledger.ResultRow], together pairs: [UserPair]) throws(Breach) {
        try check(
            rows.compactMap { row in row.creditedAt.map { Entry(userID: row.userID, creditedAt: $0, rank: row.rank) } },
            together: pairs
        )
    }
}
