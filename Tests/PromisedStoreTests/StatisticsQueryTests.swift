import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// Statistics equal the sums over the rows of final results, for any rows.
@Suite(.timeLimit(.minutes(1))) struct StatisticsQueryTests {
    @Test func `a user without results and an unknown one are newcomers`() async throws {
        try await withStore(users: 1...1) { store async throws in
            for user in [.user(1), .user(9)] as [UserID] {
                #expect(try await store.accounts.statistics(of: user) == Statistics(of: user))
            }
        }
    }

    @Test(.proves("2.16"), arguments: 1...12 as ClosedRange<UInt64>)
    func `the store's values equal the rows' values`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let tables = (1...UInt64.random(in: 1...8, using: &generator)).map { number in
            [1, 2].map { user in Self.row(of: .user(user), number: number, using: &generator) }
        }
        try await withStore(users: 1...2) { store async throws in
            for (index, rows) in tables.enumerated() {
                let promise = Promise.sample(number: UInt64(index + 1), owner: .user(1))
                try await store.finish(promise, rows: rows)
            }
            for (index, user) in [UserID.user(1), .user(2)].enumerated() {
                let expected = Statistics(of: user, rows: tables.map { $0[index] })
                #expect(try await store.accounts.statistics(of: user) == expected)
            }
        }
    }

    @Test(.proves("8.7")) func `counts an excused row as stored`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let promise = Promise.sample(owner: .user(1))
            let late = PromiseResult.Row.sample(.user(2), .late, seconds: 300, rank: 1)
            try await store.finish(promise, rows: [.sample(.user(1), .early, seconds: -5, rank: 2), late])
            #expect(try await store.accounts.statistics(of: .user(2)).late == 1)
            let excused = late.excused(because: "train")
            try await store.write { db in
                try db.run(
                    "UPDATE result_row SET outcome = ? WHERE user_id = ?",
                    [excused.outcome.rawValue, excused.userID]
                )
            }
            let statistics = try await store.accounts.statistics(of: .user(2))
            #expect(statistics == Statistics(of: .user(2), rows: [excused]))
            #expect(statistics.counted == 0 && statistics.bestRank == 1 && statistics.tier == .newcomer)
        }
    }

    @Test func `finds the rows by their index`() async throws {
        try await withStore { store async throws in
            let plan = try await store.plan(of: ProfileQuery.results)
            #expect(plan.contains { $0.contains("result_row_by_user (user_id=?)") }, "\(plan)")
        }
    }

    private static func row(
        of user: UserID,
        number: UInt64,
        using generator: inout SeededGenerator
    ) -> PromiseResult.Row {
        switch Outcome.allCases.randomElement(using: &generator) ?? .early {
        case .early: .sample(user, .early, seconds: .random(in: -900 ... -1, using: &generator), rank: Int(number))
        case .onTime: .sample(user, .onTime, seconds: .random(in: 0...59, using: &generator), rank: Int(number))
        case .late: .sample(user, .late, seconds: .random(in: 60...9_000, using: &generator), rank: Int(number))
        case .noShow: .sample(user, .noShow)
        case .left: .sample(user, .left)
        case .excused: .sample(user, .excused, seconds: 100, rank: 1)
        }
    }
}

extension PromiseResult.Row {
    /// A row credited this number of seconds from the meeting; nil without an arrival.
    static func sample(_ user: UserID, _ outcome: Outcome, seconds: Int? = nil, rank: Int = 0) -> PromiseResult.Row {
        PromiseResult.Row(
            userID: user,
            outcome: outcome,
            creditedAt: seconds.map { .meeting + .seconds(Double($0)) },
            secondsFromMeeting: seconds ?? 0,
            rank: rank,
            source: seconds == nil ? nil : .gps,
            penaltyOwed: 0
        )
    }
}

extension Store {
    /// Creates a promise of its owner and of those with a row, and makes it final with these rows.
    func finish(_ promise: Promise, rows: [PromiseResult.Row]) async throws {
        let others = rows.map(\.userID).filter { $0 != promise.ownerID }.map { Participant.accepted($0) }
        let epoch = try await open(promise, with: others)
        var commit = SessionCommit(promiseID: promise.id)
        commit.mark = .final
        commit.result = PromiseResult(
            promiseID: promise.id,
            meetsAt: promise.meetsAt,
            finalAt: promise.settlesAt,
            penalty: nil,
            rows: rows
        )
        try await sessions.commit(commit, ownerEpoch: epoch)
    }
}
