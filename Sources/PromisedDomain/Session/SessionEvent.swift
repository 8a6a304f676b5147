/// An event that reaches a session from outside.
package enum SessionEvent: Hashable, Sendable {
    /// A participant's phone reports.
    case report(from: UserID, Report)
    /// A device's track from the archive, judged: the answer to ``SessionEffect/recall(_:)``.
    indirect case recalled(Recall, JudgedTrack)
    /// An invited user accepts or declines; `hasRoom` is false at the limit of ``PromiseLimits/participations`` or of
    /// ``PromiseLimits/overlapping``.
    case respond(UserID, accept: Bool, hasRoom: Bool = true)
    /// A participant leaves.
    case leave(UserID)
    /// The owner calls the promise off.
    case cancel(by: UserID, reason: String)
    /// A participant switches their sharing on or off.
    case setSharing(UserID, on: Bool)
    /// The owner changes the promise; those to be invited are friends. `hasRoom` is false if at the new meeting time
    /// somebody who takes part would be beyond ``PromiseLimits/overlapping``.
    case edit(PromiseEdit, by: UserID, hasRoom: Bool = true)
    /// Somebody joins by a code that is good; `hasRoom` is false at the limit of ``PromiseLimits/participations`` or of
    /// ``PromiseLimits/overlapping``.
    case join(UserID, hasRoom: Bool = true)
    /// The owner makes somebody else the owner.
    case handOver(to: UserID, by: UserID)
    /// A participant's account is being deleted.
    case part(UserID)
    /// A participant says what keeps their positions away.
    case trouble(UserID, PresenceCause)
    /// A participant shows a word or a picture; nil leaves what is there.
    case setStatus(UserID, text: String?, emoji: String?)
    /// A participant reminds another.
    case nudge(from: UserID, to: UserID)
    /// A participant's first connection came, or the last one went.
    case connection(UserID, isOnline: Bool)
    /// Between whom a block stands, among all who ever had a part.
    case blocks(Set<UserPair>)
    /// A participant says that they are there; for ``Arrival/Source/peer`` the code has been checked.
    case checkIn(UserID, Arrival.Source)
    /// The owner excuses a participant.
    case excuse(UserID, by: UserID, reason: String)
    /// The owner makes a link by which people without an account watch; it replaces the previous link.
    case makeViewLink(ViewLink, by: UserID)
    /// The owner makes the link invalid.
    case revokeViewLink(by: UserID)
    /// A participant switches whether people who watch by the link see them.
    case setLinkSharing(UserID, on: Bool)
    /// The owner's course was deleted, and the archive has cleared it.
    case courseDeleted(CourseID)
    /// Nobody can read the promise any more, and the archive has emptied its texts and its place.
    case emptied
    /// The number of people who watch by the link now.
    case viewers(Int)
    /// The clock reached the instant asked for by ``SessionEffect/wake(at:)``, or the session has just been restored.
    case wake
}

/// An effect that a session asks for, in this order.
package enum SessionEffect: Hashable, Sendable {
    /// Keep these fixes; they may be written behind.
    case archive([ArchivedFix])
    /// Make this durable, then announce its events; a reply waits for it.
    indirect case commit(SessionCommit)
    /// Somebody's live position changed: collect and send soon; at once when nobody else is expected to report.
    case positionsChanged(isComplete: Bool)
    /// Tell something without a number.
    case tell(PassingEvent)
    /// Read all kept fixes of a participant's device, judge them and feed that back as
    /// ``SessionEvent/recalled(_:_:)``.
    indirect case recall(Recall)
    /// Wake the session at this instant, which is sooner than any asked for that has not come.
    case wake(at: Instant)
    /// The promise is final or cancelled: nothing will change any more.
    case ended
    /// Answer the request that caused the event.
    case reply(SessionReply)
}

/// The answer to a request that a session handled.
package enum SessionReply: Hashable, Sendable {
    /// Done; the session's view shows the result.
    case done
    /// The receipt of a report.
    case reported(ReportReceipt)
    /// No.
    case refused(Refusal)
}

/// A session as it stands, for snapshots and replies.
package struct SessionView: Hashable, Sendable {
    /// One participant.
    package struct Member: Hashable, Sendable {
        /// Their part.
        package var participant: Participant
        /// Their arrival and rank, nil without one.
        package var arrival: RankedArrival?
        /// Their live state; positions only while tracking and sharing.
        package var live: LiveState
        /// The freshness of their position; nil outside the window and once they were told to stop.
        package var presence: Presence?
        /// When they are expected; nil when nothing is known or told.
        package var estimate: ArrivalEstimate?

        /// A member with all fields.
        package init(
            participant: Participant,
            arrival: RankedArrival?,
            live: LiveState,
            presence: Presence? = nil,
            estimate: ArrivalEstimate? = nil
        ) {
            self.participant = participant
            self.arrival = arrival
            self.live = live
            self.presence = presence
            self.estimate = estimate
        }

        /// The member as somebody sees them between whom and them a block stands: their part, arrival and rank.
        func withoutWhereabouts() -> Member {
            var part = participant
            part.statusText = ""
            part.emoji = ""
            return Member(participant: part, arrival: arrival, live: LiveState())
        }
    }

    /// Those members that are shown: all, unless the promise is from before ``PromiseLimits/people`` and has more; then who
    /// is in or took part comes first.
    package var shownMembers: [Member] {
        guard members.count > PromiseLimits.people else { return members }
        func matters(_ member: Member) -> Bool {
            member.participant.membership.isIn || member.participant.tookPart(from: promise.opensAt)
        }
        return Array((members.filter(matters) + members.filter { !matters($0) }).prefix(PromiseLimits.people))
    }

    /// The promise.
    package var promise: Promise
    /// Where it stands.
    package var status: PromiseStatus
    /// All who ever had a part, in order of invitation.
    package var members: [Member]
    /// The number of the last durable event.
    package var lastSeq: Int
    /// The result, once final.
    package var result: PromiseResult?
    /// The participants who came together; each pair once, in order of their ids.
    package var together: [CameTogether]
    /// When the link ends by which people without an account watch; nil without one.
    package var viewLinkEndsAt: Instant?
    /// How many watch by it.
    package var viewerCount: Int
    /// The standing of the user for whom the view was made; nil in a view of everything.
    package var standing: Standing?

    /// A view with all fields.
    package init(
        promise: Promise,
        status: PromiseStatus,
        members: [Member],
        lastSeq: Int,
        result: PromiseResult?,
        together: [CameTogether] = [],
        viewLinkEndsAt: Instant? = nil,
        viewerCount: Int = 0,
        standing: Standing? = nil
    ) {
        self.promise = promise
        self.status = status
        self.members = members
        self.lastSeq = lastSeq
        self.result = result
        self.together = together
        self.viewLinkEndsAt = viewLinkEndsAt
        self.viewerCount = viewerCount
        self.standing = standing
    }
}
