internal import PromisedDomain

/// Results and visits: once, unchanged, and the source of all statistics.
enum ResultCheck {
    /// - Throws: a result that changed other than by an excuse, or exists before its promise is final.
    static func compare(_ before: CommittedRows, with after: CommittedRows) throws(Violation) {
        for (id, rows) in before.results {
            let new = after.results[id] ?? []
            guard new.map(\.userID) == rows.map(\.userID) else {
                throw Violation(.once, "a result with \(rows.count) rows became one with \(new.count) or others")
            }
            for (old, new) in zip(rows, new) where old != new {
                if new == old.excused, after.parts[id]?[new.userID]?.isExcused == true { continue }
                throw Violation(.once, "a row of a result changed from \(old.outcome) to \(new.outcome)")
            }
        }
        for id in after.results.keys where after.promises[id]?.isFinal != true {
            throw Violation(.once, "a result before the promise is final")
        }
        let kept = before.visits.filter { !after.deleted.contains($0.userID) && !after.marks.contains($0) }
        guard kept.allSatisfy(after.visits.contains) else { throw Violation(.once, "a visit is gone") }
    }

    /// - Throws: arrivals in a result that differ from the stored ones, or visits that do not follow from it.
    static func check(_ committed: CommittedRows, of id: PromiseID) throws(Violation) {
        guard let rows = committed.results[id] else { return }
        try RankCheck.check(rows, together: committed.together[id] ?? [])
        for row in rows where row.creditedAt != committed.arrivals[id]?[row.userID]?.creditedAt {
            throw Violation(.once, "the result credits another time than the arrival")
        }
        let visitors = committed.visits.filter { $0.promiseID == id }.map(\.userID)
        guard Set(visitors).count == visitors.count else { throw Violation(.once, "two visits of one arrival") }
        let arrived = Set(rows.lazy.filter { $0.creditedAt != nil }.map(\.userID))
        let marked = committed.marks.filter { $0.promiseID == id }.map(\.userID)
        guard marked.allSatisfy({ !visitors.contains($0) }) else { throw Violation(.once, "a deleted visit is back") }
        let missing = arrived.subtracting(visitors).subtracting(marked).subtracting(committed.deleted)
        guard missing.isEmpty, arrived.isSuperset(of: visitors) else {
            throw Violation(.once, "\(visitors.count) visits of \(arrived.count) arrivals")
        }
    }

    /// The statistics that follow from the rows of results (domain §2).
    static func statistics(of userID: UserID, in committed: CommittedRows) -> Statistics {
        let rows = committed.results.values.flatMap { $0 }.filter { $0.userID == userID }
        func count(_ outcomes: Set<String>) -> Int { rows.count { outcomes.contains($0.outcome) } }
        let lateness = rows.filter { $0.creditedAt != nil && $0.outcome != "excused" }.map { max(0, $0.seconds) }
        return Statistics(
            of: userID,
            early: count(["early"]),
            onTime: count(["onTime"]),
            late: count(["late", "noShow", "left"]),
            noShow: count(["noShow", "left"]),
            bestRank: rows.map(\.rank).filter { $0 > 0 }.min() ?? 0,
            meanLatenessSeconds: lateness.isEmpty ? 0 : Double(lateness.reduce(0, +)) / Double(lateness.count)
        )
    }
}

extension CommittedRows.ResultRow {
    fileprivate var excused: Self {
        Self(userID: userID, outcome: "excused", creditedAt: creditedAt, seconds: seconds, rank: rank, penalty: 0)
    }
}
