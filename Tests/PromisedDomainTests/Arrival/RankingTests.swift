import PromisedDomain
import PromisedSimulation
import PromisedTestSupport
import Testing

@Suite struct RankingTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var name: String
        /// Credited, in seconds from the meeting, of users 1, 2, 3…
        var credited: [Double]
        /// Their ranks in the same order.
        var ranks: [Int]
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "nobody", credited: [], ranks: []),
        Case(name: "one", credited: [900], ranks: [1]),
        Case(name: "one after the other", credited: [0, 60, 120], ranks: [1, 2, 3]),
        Case(name: "received in another order", credited: [120, 0, 60], ranks: [3, 1, 2]),
        Case(name: "two people in the same instant", credited: [7, 7], ranks: [1, 1]),
        // Less than 5 s after the first of the tie.
        Case(name: "4.999 s", credited: [0, 4.999], ranks: [1, 1]),
        Case(name: "5 s", credited: [0, 5], ranks: [1, 2]),
        Case(name: "5.001 s", credited: [0, 5.001], ranks: [1, 2]),
        Case(name: "4.999 s, the other way round", credited: [4.999, 0], ranks: [1, 1]),
        // After the first, not after the one before: chains end.
        Case(name: "a chain", credited: [0, 3, 6], ranks: [1, 1, 3]),
        Case(name: "a chain of four", credited: [0, 4, 8, 12], ranks: [1, 1, 3, 3]),
        Case(name: "a chain of five", credited: [0, 4.999, 5, 9.999, 10], ranks: [1, 1, 3, 3, 5]),
        // The next rank skips.
        Case(name: "1, 1, 3", credited: [0, 0, 60], ranks: [1, 1, 3]),
        Case(name: "1, 2, 2, 4", credited: [0, 60, 61, 120], ranks: [1, 2, 2, 4]),
        Case(name: "all together", credited: [3, 1, 0, 4.999, 2], ranks: [1, 1, 1, 1, 1]),
        // Late ones as well.
        Case(name: "across t + 60 s", credited: [57, 61, 62], ranks: [1, 1, 3]),
    ]

    @Test(arguments: cases)
    func `arrivals are ranked by credited time, and ties share a rank`(_ row: Case) {
        var arrivals: [UserID: Arrival] = [:]
        for (index, credited) in row.credited.enumerated() {
            arrivals[.user(UInt64(index + 1))] = Arrival(
                stage: index.isMultiple(of: 2) ? .provisional : .confirmed,
                creditedAt: .meeting + .seconds(credited),
                source: .gps
            )
        }
        let ranked = Ranking.rank(arrivals)
        let ranks = Dictionary(uniqueKeysWithValues: ranked.map { ($0.userID, $0.rank) })
        #expect(row.credited.indices.map { ranks[.user(UInt64($0 + 1))] } == row.ranks)
        #expect(ranked.map(\.arrival.creditedAt) == ranked.map(\.arrival.creditedAt).sorted())
        #expect(ranked.allSatisfy { arrivals[$0.userID] == $0.arrival })
    }

    @Test func `a tie is sorted by user`() {
        let arrival = Arrival(stage: .confirmed, creditedAt: .meeting, source: .gps)
        let ranked = Ranking.rank([.user(3): arrival, .user(1): arrival, .user(2): arrival])
        #expect(ranked.map(\.userID) == [.user(1), .user(2), .user(3)])
    }

    @Test(arguments: 1...100)
    func `ranks follow from the times alone, as counted one by one`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var arrivals: [UserID: Arrival] = [:]
        for user in 1...UInt64.random(in: 1...50, using: &generator) {
            let credited = TimeSpan.milliseconds(.random(in: 0...60_000, using: &generator))
            arrivals[.user(user)] = Arrival(stage: .confirmed, creditedAt: .meeting + credited, source: .gps)
        }
        // The naive way: the first of the unranked leads a tie of all within 5 s.
        var waiting = arrivals
        var expected: [UserID: Int] = [:]
        while let first = waiting.values.map(\.creditedAt).min() {
            let rank = expected.count + 1
            for (user, arrival) in waiting where arrival.creditedAt - first < .seconds(5) {
                expected[user] = rank
                waiting[user] = nil
            }
        }
        let ranked = Ranking.rank(arrivals)
        #expect(Dictionary(uniqueKeysWithValues: ranked.map { ($0.userID, $0.rank) }) == expected, "seed \(seed)")
    }
}
