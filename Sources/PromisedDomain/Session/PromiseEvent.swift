/// A durable event of a promise: clients that reconnect must not miss it (domain §9).
///
/// Events contain ids and facts, not names: nicknames are looked up when an event is rendered, so a deleted account
/// leaves none behind.
package enum PromiseEvent: Hashable, Sendable, Codable {
    /// A user was invited.
    case invited(UserID)
    /// An invited user accepted, or a user joined by code.
    case joined(UserID)
    /// An invited user declined.
    case declined(UserID)
    /// A participant left.
    case left(UserID)
    /// The owner removed a participant.
    case removed(UserID)
    /// The promise has a new owner.
    case handedOver(UserID)
    /// Title, place, time, radius, penalty or note changed.
    case edited
    /// The owner cancelled it, with a reason or an empty text.
    case cancelled(reason: String)
    /// The window opened.
    case trackingStarted
    /// The meeting time was reached.
    case meetingTime
    /// The grace ended; these accepted participants had no arrival, in order of their ids.
    case late([UserID])
    /// The window ended.
    case trackingEnded
    /// A participant arrived; rank as of now.
    case arrived(RankedArrival)
    /// An arrival was confirmed; rank as of now.
    case arrivalConfirmed(RankedArrival)
    /// The arrival was retracted.
    case arrivalRetracted(UserID, reason: RetractionReason)
    /// Credited times or ranks changed; the arrivals that did, sorted by rank.
    case rankingRevised([RankedArrival], cause: RevisionCause)
    case resultFinal
    /// The owner excused a participant.
    case excused(UserID)
    /// The owner created a view link that expires at `until`. It replaces the previous link.
    case viewLinkCreated(until: Instant)
    /// The owner revoked the view link.
    case viewLinkRevoked

    /// Why an arrival was retracted.
    package enum RetractionReason: String, Hashable, Sendable, Codable, CaseIterable {
        /// Two usable fixes clearly outside followed soon after (domain §6.2).
        case leftAgain = "left-again"
        /// Five minutes later the last usable fix was still outside (domain §6.2).
        case held
        /// A late fix changed the decision (domain §6.6).
        case backfill
    }

    /// Why the ranking changed.
    package enum RevisionCause: String, Hashable, Sendable, Codable, CaseIterable {
        /// An arrival was credited before those of others.
        case arrival
        /// An arrival was retracted.
        case retraction
        /// Late fixes.
        case backfill
        /// A check-in by hand or by code.
        case checkIn = "check-in"
    }
}

extension PromiseEvent {
    /// The event as it is stored: the evidence of its arrivals contains no device. The arrivals themselves are stored
    /// with the device, which is deleted with the account.
    package var withoutDevices: PromiseEvent {
        switch self {
        case .arrived(let ranked): .arrived(ranked.withoutDevice)
        case .arrivalConfirmed(let ranked): .arrivalConfirmed(ranked.withoutDevice)
        case .rankingRevised(let arrivals, let cause): .rankingRevised(arrivals.map(\.withoutDevice), cause: cause)
        case .invited, .joined, .declined, .left, .removed, .handedOver, .edited, .cancelled, .trackingStarted,
            .meetingTime, .late, .trackingEnded, .arrivalRetracted, .resultFinal, .excused, .viewLinkCreated,
            .viewLinkRevoked:
            self
        }
    }

    /// All properties that depend on the kind of an event, except its form on the wire and its sentences for people.
    package var traits: Traits {
        switch self {
        case .invited(let userID): Traits(label: "invited", alsoTells: .everyConnection(of: userID))
        case .joined: Traits(label: "joined")
        case .declined: Traits(label: "declined")
        case .left(let userID): Traits(label: "left", alsoTells: .subscriptions(of: userID))
        case .removed(let userID): Traits(label: "removed", alsoTells: .subscriptions(of: userID))
        case .handedOver: Traits(label: "handedOver", viewersSee: .promise)
        case .edited: Traits(label: "edited", viewersSee: .promise)
        // The reason is a text of the owner and not for strangers.
        case .cancelled:
            Traits(
                label: "cancelled",
                alsoTells: .members([.accepted, .invited]),
                viewersSee: .part { _ in .cancelled(reason: "") }
            )
        case .trackingStarted: Traits(label: "trackingStarted", alsoTells: .members([.accepted]), viewersSee: .event)
        case .meetingTime: Traits(label: "meetingTime", viewersSee: .event)
        case .late(let userIDs):
            Traits(label: "late", viewersSee: .part { shown in .late(userIDs.filter(shown.contains)) })
        // The link ends with the window at the latest, and its viewers are notified of that.
        case .trackingEnded: Traits(label: "trackingEnded")
        case .arrived(let ranked):
            Traits(label: "arrived", viewersSee: .eventAbout(ranked.userID), arrivals: .arrived(ranked))
        case .arrivalConfirmed(let ranked):
            Traits(label: "arrivalConfirmed", viewersSee: .eventAbout(ranked.userID), arrivals: .confirmed(ranked))
        case .arrivalRetracted(let userID, let reason):
            Traits(label: "arrivalRetracted", viewersSee: .eventAbout(userID), arrivals: .retracted(userID, reason))
        case .rankingRevised(let arrivals, let cause):
            Traits(
                label: "rankingRevised",
                viewersSee: .part { shown in
                    let visible = arrivals.filter { shown.contains($0.userID) }
                    return visible.isEmpty ? nil : .rankingRevised(visible, cause: cause)
                },
                arrivals: .revised(arrivals, cause)
            )
        case .resultFinal: Traits(label: "resultFinal", alsoTells: .peopleInResult, changesStatistics: .peopleInResult)
        case .excused(let userID): Traits(label: "excused", changesStatistics: .user(userID))
        case .viewLinkCreated: Traits(label: "viewLinkCreated")
        case .viewLinkRevoked: Traits(label: "viewLinkRevoked")
        }
    }
}

/// A durable event with its number.
package struct NumberedEvent: Hashable, Sendable {
    /// Rises by one per promise, from 1.
    package var seq: Int
    /// When it happened, on the server's clock.
    package var at: Instant
    package var event: PromiseEvent

    package init(seq: Int, at: Instant, event: PromiseEvent) {
        self.seq = seq
        self.at = at
        self.event = event
    }
}

extension PromiseEvent {
    /// How an event is stored, delivered and counted.
    package struct Traits: Sendable {
        /// The name of its kind, as stored and on the wire.
        package let label: String
        /// The connections that receive it, besides those of accepted subscribers and of watching administrators.
        package var alsoTells = Listeners.nobody
        /// The part of the event that viewers by a link receive.
        package var viewersSee = Sight.nothing
        /// The users whose statistics it changes, once the promise has a result.
        package var changesStatistics = Subjects.nobody
        /// The change of arrivals; nil without one.
        package var arrivals: ArrivalNews?
    }

    /// Connections that receive an event besides those of accepted subscribers.
    package enum Listeners: Hashable, Sendable {
        /// No other connections.
        case nobody
        /// The subscribed connections of a user who is no longer accepted.
        case subscriptions(of: UserID)
        /// All connections of a user, subscribed or not.
        case everyConnection(of: UserID)
        /// All connections of users with one of these memberships, subscribed or not.
        case members([Participant.Membership])
        /// All connections of users in the result, subscribed or not.
        case peopleInResult
    }

    /// The parts of an event that viewers by a link receive.
    package enum Sight: Sendable {
        /// Nothing; their view of the promise covers its people.
        case nothing
        /// The promise again, because their view of it has changed.
        case promise
        /// The unchanged event.
        case event
        /// The unchanged event, if they see this user.
        case eventAbout(UserID)
        /// The part about the users in a set; nil for nothing.
        case part(@Sendable (Set<UserID>) -> PromiseEvent?)
    }

    /// The users that an event is about.
    package enum Subjects: Hashable, Sendable {
        /// No users.
        case nobody
        /// One user.
        case user(UserID)
        /// All users in the result.
        case peopleInResult
    }

    /// A change of arrivals.
    package enum ArrivalNews: Hashable, Sendable {
        case arrived(RankedArrival)
        /// An arrival was confirmed.
        case confirmed(RankedArrival)
        /// An arrival was retracted.
        case retracted(UserID, RetractionReason)
        /// Times or ranks of these arrivals changed.
        case revised([RankedArrival], RevisionCause)
    }
}

extension PromiseEvent {
    /// The event for viewers by a link who see only `shown`; nil if they receive nothing.
    ///
    /// Viewers get memberships and the content of the promise from their view of it, which the server sends again after
    /// each change.
    package func seenByViewers(of shown: Set<UserID>) -> PromiseEvent? {
        switch traits.viewersSee {
        case .nothing, .promise: nil
        case .event: self
        case .eventAbout(let userID): shown.contains(userID) ? self : nil
        case .part(let part): part(shown)
        }
    }

    /// `true` if the event changes the promise as viewers see it.
    package var changesPromiseForViewers: Bool {
        if case .promise = traits.viewersSee { true } else { false }
    }
}

extension PassingEvent {
    /// The event for viewers by a link who see only `shown`; nil if they receive nothing.
    package func seenByViewers(of shown: Set<UserID>) -> PassingEvent? {
        switch self {
        case .presence(let presences):
            let visible = presences.filter { shown.contains($0.userID) }
            return visible.isEmpty ? nil : .presence(visible)
        case .estimate(let userID, _), .sharing(let userID, _), .status(let userID, _, _):
            return shown.contains(userID) ? self : nil
        case .nudged, .pace, .cannotCount, .viewers, .linkSharing: return nil
        }
    }
}
