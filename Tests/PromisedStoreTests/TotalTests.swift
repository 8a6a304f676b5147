import PromisedDomain
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct TotalTests {
    @Test(arguments: [
        "UPDATE total SET count = count + 1 WHERE thing = 'user'",
        "INSERT INTO total (thing, kind, count, amount) VALUES ('file', 'photo', 1, 0)",
        "INSERT INTO total (thing, kind, count, amount) VALUES ('course', 'import', 0, 9)",
        "DELETE FROM total WHERE thing = 'user'",
    ])
    func `reports a total that differs from the rows as a violation`(sql: String) async throws {
        let directory = TemporaryDirectory()
        let store = try await Store.open(directory: directory.path)
        _ = try await store.accounts.createUser(.sample(1))
        #expect(try await store.upkeep.verify() == [])
        try await store.write { db in try db.script(sql) }
        #expect(try await store.upkeep.verify().map(\.check) == ["totals-in-step"])
        try await store.close()
    }

    @Test func `counts promises without reading settled ones`() async throws {
        try await withStore { store async throws in
            let plan = try await store.plan(of: TotalQuery.promises)
            let search = "SEARCH promise USING INDEX promise_by_settling (settles_at>?)"
            #expect(plan.filter { $0.contains(" promise ") } == [search])
            #expect(try await store.plan(of: TotalQuery.kinds) == ["SEARCH total USING PRIMARY KEY (thing=?)"])
        }
    }
}
