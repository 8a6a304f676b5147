import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct PromiseResultTests {
    static let promise = Promise.sample(penalty: Penalty(amount: 5_000, currency: "KRW"))

    static func gps(_ seconds: Double, _ stage: Arrival.Stage = .confirmed) -> Arrival {
        Arrival(stage: stage, creditedAt: .meeting + .seconds(seconds), source: .gps)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        var participant: Participant
        var arrival: Arrival?
        /// Nil for no row.
        var row: PromiseResult.Row?
        var testDescription: String { name }
    }

    static func row(
        _ outcome: Outcome,
        credited: Double? = nil,
        seconds: Int = 0,
        rank: Int = 0,
        owed: Int32 = 0,
        reason: String = ""
    ) -> PromiseResult.Row {
        PromiseResult.Row(
            userID: .user(2),
            outcome: outcome,
            creditedAt: credited.map { .meeting + .seconds($0) },
            secondsFromMeeting: seconds,
            rank: rank,
            source: credited == nil ? nil : .gps,
            penaltyOwed: owed,
            excusedReason: reason
        )
    }

    static func excused(_ participant: Participant) -> Participant {
        var excused = participant
        excused.excusedReason = "ill"
        return excused
    }

    static let inside = promise.opensAt + .minutes(5)

    static let cases: [Case] = [
        Case(
            name: "already there at t − 30 min",
            participant: .accepted(.user(2)),
            arrival: gps(-1_800),
            row: row(.early, credited: -1_800, seconds: -1_800, rank: 1)
        ),
        Case(
            name: "early by a millisecond",
            participant: .accepted(.user(2)),
            arrival: gps(-0.001),
            row: row(.early, credited: -0.001, seconds: -1, rank: 1)
        ),
        Case(
            name: "1 ms before t + 60 s",
            participant: .accepted(.user(2)),
            arrival: gps(59.999),
            row: row(.onTime, credited: 59.999, seconds: 59, rank: 1)
        ),
        Case(
            name: "at t + 60 s exactly",
            participant: .accepted(.user(2)),
            arrival: gps(60),
            row: row(.late, credited: 60, seconds: 60, rank: 1, owed: 5_000)
        ),
        Case(
            name: "provisional to the end",
            participant: .accepted(.user(2)),
            arrival: gps(10, .provisional),
            row: row(.onTime, credited: 10, seconds: 10, rank: 1)
        ),
        Case(name: "never came", participant: .accepted(.user(2)), row: row(.noShow, owed: 5_000)),
        Case(
            name: "accepted inside the window, never came",
            participant: .accepted(.user(2), at: inside),
            row: row(.noShow, owed: 5_000)
        ),
        // Leaving.
        Case(
            name: "left before the window",
            participant: .left(.user(2), at: promise.opensAt - .milliseconds(1)),
            row: nil
        ),
        Case(name: "left during the window", participant: .left(.user(2), at: inside), row: row(.left, owed: 5_000)),
        Case(
            name: "left after arriving",
            participant: .left(.user(2), at: inside),
            arrival: gps(-1_700),
            row: row(.early, credited: -1_700, seconds: -1_700, rank: 1)
        ),
        Case(
            name: "left after arriving late",
            participant: .left(.user(2), at: .meeting + .minutes(9)),
            arrival: gps(300),
            row: row(.late, credited: 300, seconds: 300, rank: 1, owed: 5_000)
        ),
        Case(
            name: "left while settling",
            participant: .left(.user(2), at: promise.closesAt),
            row: row(.left, owed: 5_000)
        ),
        Case(
            name: "removed before the window",
            participant: .removed(.user(2), at: promise.opensAt - .hours(1)),
            row: nil
        ),
        // Excused.
        Case(name: "excused no-show", participant: excused(.accepted(.user(2))), row: row(.excused, reason: "ill")),
        Case(
            name: "excused and late",
            participant: excused(.accepted(.user(2))),
            arrival: gps(600),
            row: row(.excused, credited: 600, seconds: 600, rank: 1, reason: "ill")
        ),
        Case(
            name: "excused after leaving",
            participant: excused(.left(.user(2), at: inside)),
            row: row(.excused, reason: "ill")
        ),
        // No part.
        Case(name: "never answered", participant: .invited(.user(2)), row: nil),
        Case(name: "declined", participant: .declined(.user(2)), row: nil),
    ]

    @Test(.proves("8.1", "8.5"), arguments: cases)
    func `derives each participant's row from their part and arrival`(_ row: Case) {
        let result = PromiseResult(
            deciding: Self.promise,
            participants: [.accepted(.user(1)), row.participant],
            arrivals: row.arrival.map { [.user(2): $0] } ?? [:]
        )
        #expect(result.rows.first { $0.userID == .user(2) } == row.row)
        #expect(result.rows.contains { $0.userID == .user(1) && $0.outcome == .noShow })
        #expect(result.penaltyTotal == 5_000 + Int64(row.row?.penaltyOwed ?? 0))
    }

    @Test func `finalizes the table at the end of settling, sorted by rank, time and user`() {
        let users = (1...6).map { UserID.user($0) }
        let result = PromiseResult(
            deciding: Self.promise,
            participants: users.shuffled().map { .accepted($0) },
            arrivals: [users[0]: Self.gps(90), users[1]: Self.gps(3), users[2]: Self.gps(0), users[4]: Self.gps(3)]
        )
        #expect(result.rows.map(\.userID) == [users[2], users[1], users[4], users[0], users[3], users[5]])
        #expect(result.rows.map(\.rank) == [1, 1, 1, 4, 0, 0])
        #expect(result.rows.map(\.outcome) == [.onTime, .onTime, .onTime, .late, .noShow, .noShow])
        #expect(result.finalAt == Self.promise.settlesAt)
        #expect(result.meetsAt == .meeting)
        #expect(result.penaltyTotal == 15_000)
    }

    @Test(.proves("4.15")) func `participants who left before the window occupy no rank`() {
        let result = PromiseResult(
            deciding: Self.promise,
            participants: [.accepted(.user(1)), .left(.user(2), at: Self.promise.opensAt - .minutes(1))],
            arrivals: [.user(1): Self.gps(30), .user(2): Self.gps(-100)]
        )
        #expect(result.rows.map(\.rank) == [1])
    }

    @Test(.proves("8.5")) func `without a penalty all amounts are zero`() {
        let result = PromiseResult(deciding: .sample(), participants: [.accepted(.user(1))], arrivals: [:])
        #expect(result.penalty == nil)
        #expect(result.rows.map(\.outcome) == [.noShow])
        #expect(result.penaltyTotal == 0)
    }

    @Test(.proves("8.5")) func `the total of the largest penalty still fits the 32 bits of the protocol`() {
        let promise = Promise.sample(penalty: Penalty(amount: Penalty.largestAmount, currency: "KRW"))
        let result = PromiseResult(
            deciding: promise,
            participants: (1...50).map { .accepted(.user($0)) },
            arrivals: [:]
        )
        #expect(result.penaltyTotal == 50 * 40_000_000)
        #expect(result.penaltyTotal <= Int64(Int32.max))
    }

    @Test(.proves("8.6")) func `a later excuse changes only that participant's row, except its time and rank`() {
        let late = Self.row(.late, credited: 90, seconds: 90, rank: 2, owed: 5_000)
        #expect(late.excused(because: "ill") == Self.row(.excused, credited: 90, seconds: 90, rank: 2, reason: "ill"))
        let absent = Self.row(.noShow, owed: 5_000)
        #expect(absent.excused(because: "ill") == Self.row(.excused, reason: "ill"))
    }
}
