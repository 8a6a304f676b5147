/// A durable event of a promise: what clients who come back must not have missed (domain §9).
///
/// Events hold ids and facts, no names: nicknames are looked up when an event is rendered, so a deleted account leaves none.
package enum PromiseEvent: Hashable, Sendable, Codable {
    /// Somebody was invited.
    case invited(UserID)
    /// An invited user accepted, or somebody joined by code.
    case joined(UserID)
    /// An invited user declined.
    case declined(UserID)
    /// A participant left.
    case left(UserID)
    /// The owner took somebody out.
    case removed(UserID)
    /// The promise has a new owner.
    case handedOver(UserID)
    /// Title, place, time, radius, penalty or note changed.
    case edited
    /// The owner called it off, with a reason or an empty text.
    case cancelled(reason: String)
    /// The window opened.
    case trackingStarted
    /// The meeting time came.
    case meetingTime
    /// The grace ended; these accepted participants had no arrival, in order of their ids.
    case late([UserID])
    /// The window ended.
    case trackingEnded
    /// Somebody arrived; rank as of now.
    case arrived(RankedArrival)
    /// An arrival was confirmed; rank as of now.
    case arrivalConfirmed(RankedArrival)
    /// An arrival turned out to be none.
    case arrivalRetracted(UserID, reason: RetractionReason)
    /// Credited times or ranks changed; the arrivals that did, sorted by rank.
    case rankingRevised([RankedArrival], cause: RevisionCause)
    /// The result is final.
    case resultFinal
    /// The owner excused somebody.
    case excused(UserID)
    /// The owner made a link by which people without an account watch, good until then; one before it is no more.
    case viewLinkCreated(until: Instant)
    /// The owner made the link invalid.
    case viewLinkRevoked

    /// Why an arrival was taken back.
    package enum RetractionReason: String, Hashable, Sendable, Codable, CaseIterable {
        /// Two usable fixes clearly outside followed soon after (domain §6.2).
        case leftAgain = "left-again"
        /// Five minutes later the last usable fix still lay outside (domain §6.2).
        case held
        /// A fix that turned up later changed the picture (domain §6.6).
        case backfill
    }

    /// Why the ranking changed.
    package enum RevisionCause: String, Hashable, Sendable, Codable, CaseIterable {
        /// Somebody's arrival was credited before those of others.
        case arrival
        /// An arrival was retracted.
        case retraction
        /// Fixes that turned up later.
        case backfill
        /// A check-in by hand or by code.
        case checkIn = "check-in"
    }
}

extension PromiseEvent {
    /// The event as it is stored: the evidence of its arrivals names no device. The arrivals themselves are stored with it,
    /// and lose it with the account.
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

    /// Everything that depends on the kind of an event, but its form on the wire and its sentences for people.
    package var traits: Traits {
        switch self {
        case .invited(let userID): Traits(label: "invited", alsoTells: .everyConnection(of: userID))
        case .joined: Traits(label: "joined")
        case .declined: Traits(label: "declined")
        case .left(let userID): Traits(label: "left", alsoTells: .subscriptions(of: userID))
        case .removed(let userID): Traits(label: "removed", alsoTells: .subscriptions(of: userID))
        case .handedOver: Traits(label: "handedOver", viewersSee: .promise)
        case .edited: Traits(label: "edited", viewersSee: .promise)
        // The reason is in the owner's words, and not for strangers.
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
        // The link ends with the window at the latest, and its viewers are told that.
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
    /// The event.
    package var event: PromiseEvent

    /// Event number `seq`.
    package init(seq: Int, at: Instant, event: PromiseEvent) {
        self.seq = seq
        self.at = at
        self.event = event
    }
}

extension PromiseEvent {
    /// How an event is stored, told and counted.
    package struct Traits: Sendable {
        /// The name of its kind, as stored and on the wire.
        package let label: String
        /// The connections that are told, beside those of accepted subscribers and of administrators who watch.
        package var alsoTells = Listeners.nobody
        /// The part of the event that people watching by a link are told.
        package var viewersSee = Sight.nothing
        /// The users whose statistics it changes, once the promise has a result.
        package var changesStatistics = Subjects.nobody
        /// The change of arrivals; nil if nothing changed.
        package var arrivals: ArrivalNews?
    }

    /// Connections that are told of an event although they are not those of accepted subscribers.
    package enum Listeners: Hashable, Sendable {
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

    /// The parts of an event that people watching by a link are told.
    package enum Sight: Sendable {
        /// Nothing; of the people in the promise they learn by its view.
        case nothing
        /// The promise anew, for it says something else to them.
        case promise
        /// The event as it is.
        case event
        /// The event as it is, if they see this user.
        case eventAbout(UserID)
        /// The part about the users in a set; nil for nothing.
        case part(@Sendable (Set<UserID>) -> PromiseEvent?)
    }

    /// The users that an event is about.
    package enum Subjects: Hashable, Sendable {
        /// None.
        case nobody
        /// One.
        case user(UserID)
        /// Everybody in the result.
        case peopleInResult
    }

    /// A change of arrivals.
    package enum ArrivalNews: Hashable, Sendable {
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

extension PromiseEvent {
    /// The event as seen by people who watch by a link and see only `shown`; nil if they learn nothing.
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

    /// Whether the promise says something else to viewers after it.
    package var changesPromiseForViewers: Bool {
        if case .promise = traits.viewersSee { true } else { false }
    }
}

extension PassingEvent {
    /// The event as seen by people who watch by a link and see only `shown`; nil if they learn nothing.
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
