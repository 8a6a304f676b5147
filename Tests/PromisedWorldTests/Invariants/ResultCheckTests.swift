import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct ResultCheckTests {
    private static let id = Promise.sample().id

    private static func row(
        _ user: UInt64,
        _ outcome: String,
        rank: Int = 0,
        seconds: Int = 0
    ) -> CommittedRows.ResultRow {
        CommittedRows.ResultRow(
            userID: .user(user),
            outcome: outcome,
            creditedAt: rank > 0 ? .meeting + .seconds(Double(seconds)) : nil,
            seconds: seconds,
            rank: rank,
            penalty: outcome == "excused" ? 0 : 500
        )
    }

    /// A final promise with these rows, whose arrivals and visits follow from them.
    private static func committed(_ rows: CommittedRows.ResultRow...) -> CommittedRows {
        var committed = CommittedRows()
        committed.promises[id] = CommittedRows.PromiseRow(
            ownerID: .user(1),
            opensAt: .meeting - .minutes(30),
            closesAt: .meeting + .hours(3),
            isCancelled: false,
            isFinal: true,
            lastSeq: 0
        )
        committed.results[id] = rows
        for row in rows {
            let isExcused = row.outcome == "excused"
            committed.parts[id, default: [:]][row.userID] = .init(
                membership: "accepted",
                wasAccepted: true,
                isExcused: isExcused
            )
            guard let creditedAt = row.creditedAt else { continue }
            committed.arrivals[id, default: [:]][row.userID] = .init(stage: "confirmed", creditedAt: creditedAt)
            committed.visits.append(CommittedRows.VisitRow(promiseID: id, userID: row.userID))
        }
        return committed
    }

    @Test(.proves("18.9")) func `accepts only excuses of a result`() throws {
        let before = Self.committed(Self.row(1, "early", rank: 1, seconds: -60), Self.row(2, "noShow"))
        try ResultCheck.compare(before, with: before)
        let excused = Self.committed(Self.row(1, "early", rank: 1, seconds: -60), Self.row(2, "excused"))
        try ResultCheck.compare(before, with: excused)
        var unasked = excused
        unasked.parts = before.parts
        #expect(throws: Violation.self) { try ResultCheck.compare(before, with: unasked) }
        for changed in [
            Self.committed(Self.row(1, "early", rank: 1, seconds: -60)),
            Self.committed(Self.row(1, "late", rank: 1, seconds: -60), Self.row(2, "noShow")),
            Self.committed(Self.row(1, "excused"), Self.row(2, "noShow")),
        ] {
            #expect(throws: Violation.self) { try ResultCheck.compare(before, with: changed) }
        }
    }

    @Test func `finds a result before the end and a missing visit`() {
        let final = Self.committed(Self.row(1, "early", rank: 1))
        var early = final
        early.promises = [:]
        #expect(throws: Violation.self) { try ResultCheck.compare(CommittedRows(), with: early) }
        var without = final
        without.visits = []
        #expect(throws: Violation.self) { try ResultCheck.compare(final, with: without) }
        without.deleted = [.user(1)]
        #expect(throws: Never.self) { try ResultCheck.compare(final, with: without) }
    }

    @Test func `finds a result with times, ranks or visits that differ from the arrivals`() throws {
        let sound = Self.committed(
            Self.row(1, "early", rank: 1, seconds: -60),
            Self.row(2, "late", rank: 2, seconds: 90)
        )
        try ResultCheck.check(sound, of: Self.id)
        var other = sound
        other.arrivals[Self.id]?[.user(1)] = .init(stage: "confirmed", creditedAt: .meeting)
        #expect(throws: Violation.self) { try ResultCheck.check(other, of: Self.id) }
        other = Self.committed(Self.row(1, "early", rank: 2, seconds: -60), Self.row(2, "late", rank: 1, seconds: 90))
        #expect(throws: Violation.self) { try ResultCheck.check(other, of: Self.id) }
        for visits in [[], sound.visits + sound.visits, sound.visits + [.init(promiseID: Self.id, userID: .user(3))]] {
            other = sound
            other.visits = visits
            #expect(throws: Violation.self) { try ResultCheck.check(other, of: Self.id) }
        }
    }

    @Test(.proves("18.12")) func `counts statistics from the rows`() {
        let committed = Self.committed(Self.row(1, "late", rank: 3, seconds: 90), Self.row(2, "left"))
        let late = ResultCheck.statistics(of: .user(1), in: committed)
        #expect(late.late == 1 && late.noShow == 0 && late.bestRank == 3 && late.meanLatenessSeconds == 90)
        let left = ResultCheck.statistics(of: .user(2), in: committed)
        #expect(left.late == 1 && left.noShow == 1 && left.bestRank == 0 && left.meanLatenessSeconds == 0)
        #expect(ResultCheck.statistics(of: .user(3), in: committed).counted == 0)
    }
}
