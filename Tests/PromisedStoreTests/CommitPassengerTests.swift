import PromisedConcurrency
import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// Rows that go with a session's commit.
@Suite(.timeLimit(.minutes(1))) struct CommitPassengerTests {
    private static let id = SessionCommitTests.promise.id

    /// Writes a row of the audit, and records when it is durable.
    private static func passenger(_ name: String, _ durable: Signals<String>) -> CommitPassenger {
        CommitPassenger { (commit, _, db) throws -> (@Sendable () -> Void)? in
            let entry = AuditEntry(at: .meeting, actor: name, action: "travels", subject: "\(commit.promiseID)")
            try AuditRecord.insert(entry, into: db)
            return { durable.note(name) }
        }
    }

    @Test func `all passengers write in the transaction of the commit, and are called once it is durable`() async throws
    {
        try await withOpenPromise { store, epoch async throws in
            let durable = Signals<String>()
            let passengers = ["outbox", "notifications"].map { Self.passenger($0, durable) }
            try await store.sessions.commit(SessionCommitTests.final(), ownerEpoch: epoch, with: passengers)
            #expect(durable.all == ["outbox", "notifications"])
            #expect(try await store.administration.audit(limit: 9).items.map(\.actor) == ["notifications", "outbox"])
        }
    }

    @Test func `a passenger that fails leaves neither the commit nor the rows of the others`() async throws {
        try await withOpenPromise { store, epoch async throws in
            let durable = Signals<String>()
            let failing = CommitPassenger { (_, _, _) throws -> (@Sendable () -> Void)? in
                throw StoreError.broken("no seat")
            }
            await #expect(throws: StoreError.broken("no seat")) {
                try await store.sessions.commit(
                    SessionCommitTests.final(),
                    ownerEpoch: epoch,
                    with: [Self.passenger("outbox", durable), failing]
                )
            }
            #expect(durable.all == [])
            #expect(try await store.administration.audit(limit: 9).items == [])
            #expect(try await store.sessions.snapshot(of: Self.id, withFixes: false)?.result == nil)
        }
    }

    @Test func `a passenger sees the result with the first commit that has one`() async throws {
        try await withOpenPromise { store, epoch async throws in
            let results = Signals<PromiseResult?>()
            let observer = CommitPassenger { (_, result, _) throws -> (@Sendable () -> Void)? in
                { results.note(result) }
            }
            var plain = SessionCommit(promiseID: Self.id)
            plain.arrivals = [.user(1): SessionCommitTests.arrival]
            try await store.sessions.commit(plain, ownerEpoch: epoch, with: [observer])
            let final = SessionCommitTests.final()
            try await store.sessions.commit(final, ownerEpoch: epoch, with: [observer])
            #expect(results.all == [nil, final.result])
        }
    }

    private func withOpenPromise(_ body: (Store, Int) async throws -> Void) async throws {
        try await withStore(users: 1...3) { store async throws in
            let epoch = try await store.open(SessionCommitTests.promise, with: [.invited(.user(2))])
            try await body(store, epoch)
        }
    }
}
