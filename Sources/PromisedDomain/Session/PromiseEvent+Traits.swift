extension PromiseEvent {
    /// How an event is stored, told and counted.
    public struct Traits: Sendable {
        /// The name of its kind, as stored and on the wire.
        public let label: String
        /// The connections that are told, beside those of accepted subscribers and of administrators who watch.
        public var alsoTells = Listeners.nobody
        /// What people who watch by a link are told.
        public var viewersSee = Sight.nothing
        /// The users whose statistics it changes, once the promise has a result.
        public var changesStatistics = Subjects.nobody
        /// What happened to arrivals; nil when nothing did.
        public var arrivals: ArrivalNews?
    }

    /// Connections that are told of an event although they are not those of accepted subscribers.
    public enum Listeners: Hashable, Sendable {
        /// None.
        case nobody
        /// Those of a user that have subscribed, though the user is not accepted any more.
        case subscriptions(of: UserID)
        /// All of a user, subscribed or not.
        case everyConnection(of: UserID)
        /// All of the users with one of these memberships, subscribed or not.
        case members([Participant.Membership])
        /// All of the users in the result, subscribed or not.
        case peopleInResult
    }

    /// What people who watch by a link are told of an event.
    public enum Sight: Sendable {
        /// Nothing; of the people in the promise they learn by its view.
        case nothing
        /// The promise anew, for it says something else to them.
        case promise
        /// The event as it is.
        case event
        /// The event as it is, if they see this user.
        case eventAbout(UserID)
        /// What is left of it for those who see only the users in a set; nil for nothing.
        case part(@Sendable (Set<UserID>) -> PromiseEvent?)
    }

    /// The users that an event is about.
    public enum Subjects: Hashable, Sendable {
        /// None.
        case nobody
        /// One.
        case user(UserID)
        /// Everybody in the result.
        case peopleInResult
    }

    /// What happened to arrivals.
    public enum ArrivalNews: Hashable, Sendable {
        /// There is a new one.
        case arrived(RankedArrival)
        /// One is confirmed.
        case confirmed(RankedArrival)
        /// One turned out to be none.
        case retracted(UserID, RetractionReason)
        /// These have other times or ranks.
        case revised([RankedArrival], RevisionCause)
    }
}
