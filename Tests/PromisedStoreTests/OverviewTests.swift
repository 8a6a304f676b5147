import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct OverviewTests {
    /// The status of the promise of these tests, by the time from its meeting in minutes.
    @Test(arguments: [
        (-31, PromiseStatus.scheduled), (-30, .tracking), (179, .tracking), (180, .settling), (194, .settling),
        (195, .final),
    ])
    func `the store's statuses equal the domain's`(minutes: Int, status: PromiseStatus) async throws {
        try await withStore(users: 1...2) { store async throws in
            let promise = SessionCommitTests.promise
            try await store.open(promise, with: [.invited(.user(2))])
            let now = promise.meetsAt + .minutes(Int64(minutes))
            #expect(promise.status(at: now) == status)
            for asked in PromiseStatus.allCases {
                let page = try await store.administration.promises(of: nil, with: asked, at: now, limit: 9)
                #expect(page.items.map(\.promise.id) == (asked == status ? [promise.id] : []))
                #expect(try await store.administration.counts(at: now).promises[asked] == (asked == status ? 1 : 0))
            }
            let mine = try await store.administration.promises(of: .user(2), with: nil, at: now, limit: 9)
            #expect(mine.items.map(\.participantCount) == [2])
            #expect(try await store.administration.promises(of: .user(3), with: nil, at: now, limit: 9).items == [])
            #expect(try await store.promises.knows(promise.id))
            #expect(try await !store.promises.knows(PromiseID(high: 1, low: 1)))
        }
    }

    @Test func `reads a cursor of the audit log from its text`() {
        #expect(AuditCursor("\(AuditCursor(number: 9))") == AuditCursor(number: 9))
    }

    @Test(arguments: [
        (UserQuery.list, "user_by_nickname"), (UserQuery.byName, "user_by_email"),
    ])
    func `reads a list in the order of its index`(sql: String, index: String) async throws {
        try await withStore { store async throws in
            let plan = try await store.plan(of: sql)
            #expect(plan.contains { $0.contains(index) }, "\(plan)")
            #expect(!plan.contains { $0.contains("TEMP B-TREE FOR ORDER BY") } || sql == UserQuery.byName, "\(plan)")
        }
    }
}
