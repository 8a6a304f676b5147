import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedWorld

@Suite struct RankCheckTests {
    /// Arrivals with ranks, by their offsets from the meeting time in milliseconds.
    private static func entries(_ arrivals: [(milliseconds: Int64, rank: Int)]) -> [RankCheck.Entry] {
        arrivals.enumerated().map { number, arrival in
            RankCheck.Entry(
                userID: .user(UInt64(number + 1)),
                creditedAt: .meeting + .milliseconds(arrival.milliseconds),
                rank: arrival.rank
            )
        }
    }

    @Test func `ties within five seconds of the first share its rank, and the next rank skips`() throws {
        try RankCheck.check(Self.entries([(0, 1), (4_999, 1), (5_000, 3), (9_999, 3), (10_000, 5)]))
        try RankCheck.check(Self.entries([(60_000, 2), (0, 1)]))
        try RankCheck.check([RankCheck.Entry]())
    }

    @Test(
        .proves("18.1"),
        arguments: [[(0, 1), (5_000, 1)], [(0, 1), (4_999, 2)], [(0, 2)], [(0, 1), (1, 1), (6_000, 2)]]
    )
    func `finds a wrong rank`(arrivals: [(Int64, Int)]) {
        #expect(throws: Violation.self) {
            try RankCheck.check(Self.entries(arrivals.map { (milliseconds: $0, rank: $1) }))
        }
    }
}
