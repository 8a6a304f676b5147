import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
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

    @Test(.proves("6.8"), arguments: cases)
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

    @Test(.proves("6.8")) func `sorts ties by user`() {
        let arrival = Arrival(stage: .confirmed, creditedAt: .meeting, source: .gps)
        let ranked = Ranking.rank([.user(3): arrival, .user(1): arrival, .user(2): arrival])
        #expect(ranked.map(\.userID) == [.user(1), .user(2), .user(3)])
    }

    @Test(.proves("6.8"), arguments: 1...100)
    func `ranks depend on the times alone and equal a naive count`(seed: Int) {
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

    struct PairCase: CustomTestStringConvertible, Sendable {
        var name: String
        /// Credited, in seconds from the meeting, of users 1, 2, 3…
        var credited: [Double]
        /// The users who came together.
        var pairs: [(UInt64, UInt64)]
        /// The ranks of the users.
        var ranks: [Int]
        var testDescription: String { name }
    }

    static let pairCases: [PairCase] = [
        PairCase(name: "a pair", credited: [0, 60], pairs: [(1, 2)], ranks: [1, 1]),
        PairCase(
            name: "somebody in between keeps their rank",
            credited: [0, 50, 100],
            pairs: [(1, 3)],
            ranks: [1, 2, 1]
        ),
        PairCase(name: "by way of others", credited: [0, 60, 120], pairs: [(1, 2), (2, 3)], ranks: [1, 1, 1]),
        PairCase(
            name: "by way of others, told late first",
            credited: [0, 60, 120],
            pairs: [(2, 3), (1, 2)],
            ranks: [1, 1, 1]
        ),
        // A pair joins both groups that the 5 s make.
        PairCase(name: "groups", credited: [0, 4, 60, 63, 120], pairs: [(2, 4)], ranks: [1, 1, 1, 1, 5]),
        PairCase(name: "two pairs apart", credited: [0, 30, 60, 90], pairs: [(1, 3), (2, 4)], ranks: [1, 2, 1, 2]),
        PairCase(name: "a pair within a tie", credited: [0, 2, 60], pairs: [(1, 2)], ranks: [1, 1, 3]),
        PairCase(name: "the later ones", credited: [0, 60, 120, 180], pairs: [(2, 3)], ranks: [1, 2, 2, 4]),
        PairCase(name: "somebody without an arrival", credited: [0, 60], pairs: [(1, 9), (2, 9)], ranks: [1, 2]),
    ]

    @Test(.proves("6.23"), arguments: pairCases)
    func `a pair that came together shares the best rank of both groups`(_ row: PairCase) {
        let ranked = Ranking.rank(
            Self.arrivals(row.credited.map { .seconds($0) }),
            together: row.pairs.map { UserPair(.user($0), .user($1)) }
        )
        let ranks = Dictionary(uniqueKeysWithValues: ranked.map { ($0.userID, $0.rank) })
        #expect(row.credited.indices.map { ranks[.user(UInt64($0 + 1))] } == row.ranks)
        #expect(ranked.map(\.rank) == row.ranks.sorted())
    }

    private static func arrivals(_ credited: [TimeSpan]) -> [UserID: Arrival] {
        let arrivals = credited.enumerated().map { index, span in
            (
                UserID.user(UInt64(index + 1)),
                Arrival(stage: .confirmed, creditedAt: .meeting + span, source: .gps)
            )
        }
        return Dictionary(uniqueKeysWithValues: arrivals)
    }

    @Test(.proves("6.23"), arguments: 1...100)
    func `pairs worsen no rank and change only those of their members`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let count = UInt64.random(in: 2...20, using: &generator)
        let arrivals = Self.arrivals((1...count).map { _ in .milliseconds(.random(in: 0...60_000, using: &generator)) })
        var pairs: [UserPair] = []
        for _ in 0..<Int.random(in: 0...8, using: &generator) {
            let one = UInt64.random(in: 1...count, using: &generator)
            let other = UInt64.random(in: 1...count, using: &generator)
            if one != other { pairs.append(UserPair(.user(one), .user(other))) }
        }
        let alone = Dictionary(uniqueKeysWithValues: Ranking.rank(arrivals).map { ($0.userID, $0.rank) })
        // A naive implementation: pairs give the better rank to all of the worse one, until the result is stable.
        var expected = alone
        var changes = true
        while changes {
            changes = false
            for pair in pairs {
                guard let first = expected[pair.first], let second = expected[pair.second], first != second else {
                    continue
                }
                for (user, rank) in expected where rank == max(first, second) { expected[user] = min(first, second) }
                changes = true
            }
        }
        for order in [pairs, pairs.reversed(), pairs.shuffled(using: &generator)] {
            let ranked = Ranking.rank(arrivals, together: order)
            #expect(Dictionary(uniqueKeysWithValues: ranked.map { ($0.userID, $0.rank) }) == expected, "seed \(seed)")
        }
        #expect(expected.allSatisfy { user, rank in rank <= alone[user] ?? 0 }, "seed \(seed)")
    }
}
