import PromisedDomain
import PromisedProtocol
import PromisedWire
import Testing

@testable import promised

@Suite("The final table")
struct ResultTableTests {
    @Test func `lists every participant with a plain sentence`() {
        var result = WireResult()
        result.penalty.amount = 5_000
        result.penalty.currency = "KRW"
        result.penaltyTotal = 10_000
        result.rows = [
            row("Ada", .early, rank: 1, seconds: -185, owes: 0),
            row("Bea", .late, rank: 2, seconds: 492, owes: 5_000),
            row("Cid", .noShow, rank: 0, seconds: nil, owes: 5_000),
        ]
        let expected = """
            rank  name  outcome  credited  from meeting  source  owes
            ----  ----  -------  --------  ------------  ------  --------
            1     Ada   early    13:36:55  -3:05         gps     -
            2     Bea   late     13:48:12  +8:12         gps     5000 KRW
            -     Cid   no-show  -         -             -       5000 KRW

            together: 10000 KRW
            """
        #expect(ResultTable(result: result).text == expected)
    }

    @Test(arguments: [
        (WireOutcome.Value.early, "early"), (.onTime, "on time"), (.late, "late"), (.noShow, "no-show"),
        (.left, "left"), (.excused, "excused"), (.unspecified, "unknown"),
    ])
    func `outcomes have words`(outcome: WireOutcome.Value, word: String) {
        #expect(ResultTable.english(outcome) == word)
    }

    private func row(
        _ name: String,
        _ outcome: WireOutcome.Value,
        rank: UInt32,
        seconds: Int32?,
        owes: Int32
    ) -> WireResultRow {
        var row = WireResultRow()
        row.user.nickname = name
        row.outcome = outcome
        row.rank = rank
        row.penaltyOwed = owes
        if let seconds {
            row.secondsFromMeeting = seconds
            // A time after 2019-11-29T13:40:00Z.
            row.creditedAt = WireTimestamp(.init(milliseconds: (1_575_034_800 + Int64(seconds)) * 1_000))
            row.source = .gps
        }
        return row
    }
}
