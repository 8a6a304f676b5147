import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

/// View links in the database.
@Suite(.timeLimit(.minutes(1))) struct ViewLinkStoreTests {
    private static let promise = Promise.sample()
    private static let end = Instant.meeting + .minutes(5)

    private static func hash(_ byte: UInt8 = 7) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    private static func link(_ byte: UInt8 = 7, until expiresAt: Instant? = nil) -> ViewLink {
        ViewLink(codeHash: hash(byte), createdAt: .meeting - .minutes(40), expiresAt: expiresAt)
    }

    private static func commit(_ change: ViewLinkChange) -> SessionCommit {
        var commit = SessionCommit(promiseID: promise.id)
        commit.viewLink = change
        return commit
    }

    @Test(
        arguments: [
            // One before, and on its own end; the window's end where it has none or a later one.
            (end, end - .milliseconds(1), true), (end, end, false),
            (nil, promise.closesAt - .milliseconds(1), true), (nil, promise.closesAt, false),
            (promise.closesAt + .hours(1), promise.closesAt, false),
        ] as [(Instant?, Instant, Bool)]
    )
    func `a code is valid until its expiry or the window's end`(
        expiresAt: Instant?,
        now: Instant,
        isGood: Bool
    ) async throws {
        try await withStore(users: 1...1) { store async throws in
            let epoch = try await store.open(Self.promise)
            try await store.sessions.commit(Self.commit(.made(Self.link(until: expiresAt))), ownerEpoch: epoch)
            #expect(
                try await store.promises.promise(watchedBy: Self.hash(), at: now) == (isGood ? Self.promise.id : nil)
            )
            #expect(try await store.promises.promise(watchedBy: Self.hash(8), at: now) == nil)
            let kept = try await store.sessions.snapshot(of: Self.promise.id, withFixes: false)
            #expect(kept?.viewLink == Self.link(until: expiresAt))
        }
    }

    @Test func `a new link replaces the previous one, and a revoked one is deleted`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let epoch = try await store.open(Self.promise)
            try await store.sessions.commit(Self.commit(.made(Self.link(7))), ownerEpoch: epoch)
            try await store.sessions.commit(Self.commit(.made(Self.link(8))), ownerEpoch: epoch)
            #expect(try await store.promises.promise(watchedBy: Self.hash(7), at: .meeting) == nil)
            #expect(try await store.promises.promise(watchedBy: Self.hash(8), at: .meeting) == Self.promise.id)
            try await store.sessions.commit(Self.commit(.revoked), ownerEpoch: epoch)
            #expect(try await store.promises.promise(watchedBy: Self.hash(8), at: .meeting) == nil)
            #expect(try await store.sessions.snapshot(of: Self.promise.id, withFixes: false)?.viewLink == nil)
        }
    }

    @Test func `a cancelled promise has no viewers`() async throws {
        try await withStore(users: 1...1) { store async throws in
            let epoch = try await store.open(Self.promise)
            var commit = Self.commit(.made(Self.link()))
            commit.promise = Self.promise
            commit.promise?.cancelledAt = .meeting
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            #expect(try await store.promises.promise(watchedBy: Self.hash(), at: .meeting) == nil)
        }
    }

    @Test func `restores the consents of participants`() async throws {
        try await withStore(users: 1...2) { store async throws in
            let epoch = try await store.open(Self.promise, with: [.accepted(.user(2))])
            var agreed = Participant.accepted(.user(2))
            agreed.isLinkSharing = true
            var commit = SessionCommit(promiseID: Self.promise.id)
            commit.participants = [agreed]
            try await store.sessions.commit(commit, ownerEpoch: epoch)
            let people = try await store.sessions.snapshot(of: Self.promise.id, withFixes: false)?.participants
            #expect(people?.map(\.isLinkSharing) == [false, true])
        }
    }
}
