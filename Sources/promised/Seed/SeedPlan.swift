internal import PromisedAccess
import PromisedDomain
import PromisedServer
import PromisedStore

/// The users and promises of a load test: groups of friends, each with one promise that is tracking or about to be.
///
/// User n is called `load_n`; the first user of each group owns its promise, the others were invited and have accepted.
/// All places are far apart.
struct SeedPlan: Sendable {
    /// The total number of users.
    var users: Int
    /// The number of members per promise; the last promise has the rest.
    var members: Int
    var meetsIn: TimeSpan
    /// The spans around the meeting time.
    var spans: WindowSpans
    /// The lifetime of the sign-ins.
    var lifetime: TimeSpan

    /// A group of friends with their promise.
    struct Group: Sendable {
        var users: [SeedUser]
        var meetup: SeedBatch.Meetup
    }

    /// The number of groups, each with a promise.
    var groups: Int { (users + members - 1) / members }

    /// The group with a number below ``groups``.
    ///
    /// - Parameters:
    ///   - now: the timestamp of everything that need not be earlier than the opening of the window.
    ///   - generator: creates ids.
    func group(_ number: Int, at now: Instant, using generator: inout some RandomNumberGenerator) -> Group {
        let first = number * members
        let people = (first..<min(first + members, users)).map { user($0, at: now, using: &generator) }
        let id = PromiseID(at: now, using: &generator)
        // Dated before the window, so that even a tracking promise violates no rule.
        let createdAt = min(now, now + meetsIn - spans.before - .minutes(1))
        let promise = Promise(
            id: id,
            ownerID: people[0].id,
            title: "Load \(number + 1)",
            place: place(number),
            meetsAt: now + meetsIn,
            spans: spans,
            createdAt: createdAt,
            epoch: PromiseID(at: now, using: &generator).description
        )
        let participants = people.map { user in
            Participant(userID: user.id, membership: .accepted, invitedAt: createdAt, acceptedAt: createdAt)
        }
        let events = people.dropFirst().flatMap { [PromiseEvent.invited($0.id), .joined($0.id)] }
        let numbered = events.enumerated().map { NumberedEvent(seq: $0.offset + 1, at: createdAt, event: $0.element) }
        let meetup = SeedBatch.Meetup(promise: promise, participants: participants, events: numbered)
        return Group(users: people, meetup: meetup)
    }

    /// The groups as a batch for the store; all users in a group are friends.
    func batch(_ groups: [Group], at now: Instant) -> SeedBatch {
        SeedBatch(
            at: now,
            signInsExpireAt: now + lifetime,
            users: groups.flatMap(\.users),
            friendships: groups.flatMap { friendships(among: $0.users, since: now) },
            meetups: groups.map(\.meetup)
        )
    }

    private func user(_ number: Int, at now: Instant, using generator: inout some RandomNumberGenerator) -> SeedUser {
        let nickname = "load_\(number + 1)"
        return SeedUser(
            id: UserID(at: now, using: &generator),
            nickname: nickname,
            nicknameKey: Nickname.key(for: nickname),
            signIn: SignInID(at: now, using: &generator),
            // The token itself is discarded: the access token outlives the test.
            refreshHash: RefreshToken(using: &generator).hash
        )
    }

    private func place(_ number: Int) -> Place {
        // A grid of 100 by 200 places, about ten kilometres apart, that wraps around.
        let coordinate = Coordinate(
            latitude: 40 + Double(number / 200 % 100) * 0.1,
            longitude: -10 + Double(number % 200) * 0.1
        )
        return Place(name: "Load \(number + 1)", address: "", coordinate: coordinate)
    }

    private func friendships(among people: [SeedUser], since now: Instant) -> [Friendship] {
        people.indices.flatMap { one in
            people[(one + 1)...].map { other in
                var friendship = Friendship(between: people[one].id, and: other.id, since: now)
                friendship.state = .friends
                return friendship
            }
        }
    }
}
