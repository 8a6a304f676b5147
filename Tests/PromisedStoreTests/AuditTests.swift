import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct AuditTests {
    @Test func `the audit is newest first, in pages, from an instant on`() async throws {
        try await withStore { store async throws in
            for number in 0..<5 {
                try await store.administration.record(.sample("a\(number)", at: .meeting + .minutes(Int64(number))))
            }
            let first = try await store.administration.audit(limit: 2)
            #expect(first.items.map(\.action) == ["a4", "a3"])
            let second = try await store.administration.audit(after: first.next, limit: 2)
            #expect(second.items.map(\.action) == ["a2", "a1"])
            let third = try await store.administration.audit(after: second.next, limit: 2)
            #expect(third.items.map(\.action) == ["a0"] && third.next == nil)
            let late = try await store.administration.audit(since: .meeting + .minutes(3), limit: 9)
            #expect(late.items.map(\.action) == ["a4", "a3"])
        }
    }

    @Test func `does not attribute actions of users to administrators`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let epoch = try await store.open(SessionCommitTests.promise, with: [.invited(.user(2))])
            var commit = SessionCommit(promiseID: SessionCommitTests.promise.id)
            commit.events = [NumberedEvent(seq: 1, at: .meeting, event: .excused(.user(2)))]
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            #expect(try await store.administration.audit(limit: 9).items == [])
        }
    }

    /// Actions of an administrator, with and without an effect.
    @Test func `writes a row in the transaction of its action, and only if the action changed something`() async throws
    {
        try await withStore(users: 1...3) { store async throws in
            let entry = AuditEntry.sample("x")
            #expect(try await store.accounts.disable(.user(1), at: .meeting, audit: entry))
            #expect(try await !store.accounts.disable(.user(1), at: .meeting, audit: entry))
            #expect(try await count(in: store) == 1)
            #expect(try await store.accounts.enable(.user(1), audit: entry))
            #expect(try await !store.accounts.enable(.user(1), audit: entry))
            #expect(try await count(in: store) == 2)
            let taken = try await store.accounts.createUser(.sample(1), audit: entry)
            #expect(taken == .emailTaken)
            #expect(try await count(in: store) == 2)
            let refused = try await store.friendships.changeFriendship(
                between: .user(1),
                and: .user(2),
                at: .meeting,
                audit: entry
            ) {
                _,
                _ throws(Refusal) in throw .friendBlocked
            }
            #expect(refused == .failure(.friendBlocked))
            #expect(try await count(in: store) == 2)
            _ = try await store.friendships.block(.user(1), by: .user(2), at: .meeting, audit: entry)
            #expect(try await count(in: store) == 3)
            #expect(
                try await store.deletions.beginDeletion(
                    of: .user(3),
                    at: .meeting,
                    subjectKey: { _ in [] },
                    audit: entry
                )?
                .friends == []
            )
            #expect(
                try await store.deletions.beginDeletion(
                    of: .user(3),
                    at: .meeting,
                    subjectKey: { _ in [] },
                    audit: entry
                ) == nil
            )
            #expect(try await count(in: store) == 4)
            #expect(
                try await store.administration.resetPassword(of: .user(3), to: "h", at: .meeting, audit: entry) == nil
            )
            #expect(
                try await store.administration.resetPassword(of: .user(1), to: "h", at: .meeting, audit: entry) == []
            )
            #expect(try await count(in: store) == 5)
            try await store.deletions.makeTombstone(of: .user(3), at: .meeting) { _ in [] }
        }
    }

    private func count(in store: Store) async throws -> Int {
        try await store.administration.audit(limit: 50).items.count
    }
}
