public import PromisedDomain

/// What ``Store/seed(_:)`` writes in one transaction.
public struct SeedBatch: Hashable, Sendable {
    /// A promise with all who have a part in it.
    public struct Meetup: Hashable, Sendable {
        /// The promise.
        public var promise: Promise
        /// Its participants in order, the owner among them.
        public var participants: [Participant]
        /// What happened so far, numbered from 1 without a gap.
        public var events: [NumberedEvent]

        /// A promise with its participants and events.
        public init(promise: Promise, participants: [Participant], events: [NumberedEvent]) {
            self.promise = promise
            self.participants = participants
            self.events = events
        }
    }

    /// The instant everything is dated at.
    public var at: Instant
    /// When the sign-ins end.
    public var signInsExpireAt: Instant
    /// New users.
    public var users: [SeedUser]
    /// Pairs of users of this batch or earlier ones.
    public var friendships: [Friendship]
    /// Promises among users of this batch or earlier ones.
    public var meetups: [Meetup]

    /// A batch of these.
    public init(
        at: Instant,
        signInsExpireAt: Instant,
        users: [SeedUser],
        friendships: [Friendship],
        meetups: [Meetup]
    ) {
        self.at = at
        self.signInsExpireAt = signInsExpireAt
        self.users = users
        self.friendships = friendships
        self.meetups = meetups
    }
}
