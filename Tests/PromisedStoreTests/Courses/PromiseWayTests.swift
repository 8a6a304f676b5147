import PromisedDomain
import PromisedJournal
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct PromiseWayTests {
    private static let promise = Promise.sample()

    @Test func `a participant's own way exists from settling until the positions are deleted`() async throws {
        try await withStore(users: 1...4) { store async throws in
            let epoch = try await store.open(Self.promise, with: [.accepted(.user(2)), .invited(.user(3))])
            let fixes = (0..<20).map { number in
                let at = Self.promise.meetsAt - .seconds(200) + .seconds(Double(number) * 10)
                return SettledFix.sample(seq: UInt32(number + 1), at: at, metres: 400 - Double(number) * 10)
            }
            let others = fixes.prefix(5).map { ArchivedFix.sample($0, of: .user(2)) }
            try await store.fixes.writeFixes([Self.promise.id: fixes.map { .sample($0) } + others])
            func way(of user: UInt64, at now: Instant) async throws -> Result<PromiseWay, Refusal> {
                try await store.courses.ownWay(of: .user(user), in: Self.promise.id, at: now)
            }
            let settling = Self.promise.closesAt
            #expect(try await way(of: 1, at: settling - .milliseconds(1)) == .failure(.courseTooEarly))
            let mine = try await way(of: 1, at: settling).get()
            #expect(mine.promise == Self.promise && mine.track.points.count == 20)
            #expect(mine.track.points.map(\.coordinate) == fixes.map(\.coordinate))
            #expect(try await way(of: 2, at: settling).get().track.points.count == 5)
            #expect(try await way(of: 3, at: settling) == .failure(.promiseNotAccepted))
            #expect(try await way(of: 4, at: settling) == .failure(.promiseNotFound))
            try await store.sessions.commit(SessionCommitTests.final(of: Self.promise), ownerEpoch: epoch)
            let over = Self.promise.settlesAt + .days(2)
            // The arrival ends it.
            let snapshot = try await store.sessions.snapshot(of: Self.promise.id, withFixes: false)
            let end = try #require(snapshot?.arrivals[.user(1)]).creditedAt + .minutes(2)
            let whole = try await way(of: 1, at: over).get().track.points
            #expect(!whole.isEmpty && whole.allSatisfy { $0.time.map { $0 <= end } == true })
            _ = try await store.fixes.deleteFixes(ofPromisesFinalBefore: over)
            #expect(try await way(of: 1, at: over) == .failure(.courseGone))
        }
    }

    @Test func `a cancelled promise has no ways`() async throws {
        try await withStore(users: 1...1) { store async throws in
            var promise = Self.promise
            promise.cancelledAt = promise.createdAt
            try await store.open(promise)
            let way = try await store.courses.ownWay(of: .user(1), in: promise.id, at: promise.settlesAt)
            #expect(way == .failure(.courseGone))
        }
    }
}
