internal import PromisedDomain
internal import PromisedProtocol

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
    static func check(_ entries: [Entry], together pairs: [UserPair] = []) throws(Violation) {
        let ranks = ranks(of: entries, together: pairs)
        for entry in entries {
            guard let expected = ranks[entry.userID], entry.rank != expected else { continue }
            let times = entries.map { "\($0.userID.low & 0xFF)@\($0.creditedAt.milliseconds)=\($0.rank)" }.sorted()
            throw Violation(.ranks, "rank \(entry.rank) instead of \(expected) among \(times.joined(separator: " "))")
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
    /// Checks a promise that shows exactly the stored arrivals.
    ///
    /// - Throws: a wrong rank among its participants.
    static func check(_ promise: WirePromise, in committed: CommittedRows) throws(Violation) {
        let id: PromiseID = promise.promiseID.id()
        let entries = promise.participants.filter(\.hasArrival).map { participant in
            Entry(
                userID: participant.user.userID.id(),
                creditedAt: participant.arrival.creditedAt.instant,
                rank: Int(participant.arrival.rank)
            )
        }
        let stored = (committed.arrivals[id] ?? [:]).mapValues(\.creditedAt)
        guard stored.count == entries.count, entries.allSatisfy({ stored[$0.userID] == $0.creditedAt }) else { return }
        try check(entries, together: committed.together[id] ?? [])
    }

    /// - Throws: a wrong rank in a result.
    static func check(_ rows: [CommittedRows.ResultRow], together pairs: [UserPair]) throws(Violation) {
        try check(
            rows.compactMap { row in row.creditedAt.map { Entry(userID: row.userID, creditedAt: $0, rank: row.rank) } },
            together: pairs
        )
    }
}
