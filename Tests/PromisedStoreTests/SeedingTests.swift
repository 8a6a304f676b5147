import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite(.timeLimit(.minutes(1))) struct SeedingTests {
    private static let now = Instant.meeting - .hours(1)

    private static func batch(users: ClosedRange<UInt64>, promise: UInt64) -> SeedBatch {
        let people = users.map { number in
            SeedUser(
                id: .user(number),
                nickname: "Load_\(number)",
                nicknameKey: "load_\(number)",
                signIn: SignInID(high: 9, low: number),
                refreshHash: RefreshHash([UInt8(number)])
            )
        }
        var friendship = Friendship(between: people[0].id, and: people[1].id, since: now)
        friendship.state = .friends
        let promise = Promise(
            id: PromiseID(high: 8, low: promise),
            ownerID: people[0].id,
            title: "Load",
            place: Place(name: "Load", address: "", coordinate: Coordinate(latitude: 1, longitude: 2)),
            meetsAt: .meeting,
            createdAt: now,
            epoch: "e"
        )
        let participants = people.map {
            Participant(userID: $0.id, membership: .accepted, invitedAt: now, acceptedAt: now)
        }
        let events = [
            NumberedEvent(seq: 1, at: now, event: .invited(people[1].id)),
            NumberedEvent(seq: 2, at: now, event: .joined(people[1].id)),
        ]
        let meetup = SeedBatch.Meetup(promise: promise, participants: participants, events: events)
        return SeedBatch(
            at: now,
            signInsExpireAt: now + .hours(1),
            users: people,
            friendships: [friendship],
            meetups: [meetup]
        )
    }

    @Test func `seeds consistent users, friends, sign-ins and promises`() async throws {
        try await withStore(users: 8...9) { store async throws in
            try await store.seed(Self.batch(users: 1...2, promise: 1))
            #expect(try await store.accounts.user(nicknameKey: "load_1")?.id == .user(1))
            #expect(try await store.friendships.friends(of: .user(1), among: [.user(2)]) == [.user(2)])
            #expect(try await store.accounts.authSession(SignInID(high: 9, low: 2))?.userID == .user(2))
            let promise = PromiseID(high: 8, low: 1)
            #expect(try await store.promises.membership(of: .user(2), in: promise) == .accepted)
            #expect(try await store.promises.events(of: promise, after: 0, limit: 9).map(\.seq) == [1, 2])
            #expect(try await store.accounts.credential(of: .user(1)) == nil, "nobody can sign in with a password")
            #expect(try await store.upkeep.verify() == [])
        }
    }

    @Test func `a sign-in lasts until its time`() async throws {
        try await withStore(users: 8...9) { store async throws in
            try await store.seed(Self.batch(users: 1...2, promise: 1))
            try await store.accounts.deleteRefreshTokens(expiredBefore: Self.now + .minutes(59))
            #expect(try await store.accounts.authSession(SignInID(high: 9, low: 2)) != nil)
            try await store.accounts.deleteRefreshTokens(expiredBefore: Self.now + .minutes(61))
            #expect(try await store.accounts.authSession(SignInID(high: 9, low: 2)) == nil)
        }
    }

    @Test func `a batch with taken names leaves no trace`() async throws {
        try await withStore(users: 8...9) { store async throws in
            try await store.seed(Self.batch(users: 1...2, promise: 1))
            await #expect(throws: StoreError.self) { try await store.seed(Self.batch(users: 2...3, promise: 2)) }
            #expect(try await store.accounts.account(.user(3)) == nil)
            #expect(try await store.promises.membership(of: .user(2), in: PromiseID(high: 8, low: 2)) == nil)
        }
    }
}
