/// An event that reaches a session from outside.
package enum SessionEvent: Hashable, Sendable {
    /// A participant's phone reports.
    case report(from: UserID, Report)
    /// The judged track of a device from the archive: the answer to ``SessionEffect/recall(_:)``.
    indirect case recalled(Recall, JudgedTrack)
    /// An invited user accepts or declines; `hasRoom` is `false` at the limit of ``PromiseLimits/participations`` or of
    /// ``PromiseLimits/overlapping``.
    case respond(UserID, accept: Bool, hasRoom: Bool = true)
    /// A participant leaves.
    case leave(UserID)
    /// The owner cancels the promise.
    case cancel(by: UserID, reason: String)
    /// A participant switches their sharing on or off.
    case setSharing(UserID, on: Bool)
    /// The owner changes the promise; the invited users are friends. `hasRoom` is `false` if at the new meeting time a
    /// participant would exceed ``PromiseLimits/overlapping``.
    case edit(PromiseEdit, by: UserID, hasRoom: Bool = true)
    /// A user joins by a valid code; `hasRoom` is `false` at the limit of ``PromiseLimits/participations`` or of
    /// ``PromiseLimits/overlapping``.
    case join(UserID, hasRoom: Bool = true)
    /// The owner hands the promise over to another participant.
    case handOver(to: UserID, by: UserID)
    /// A participant's account is being deleted.
    case part(UserID)
    /// A participant reports the cause of missing positions.
    case trouble(UserID, PresenceCause)
    /// A participant sets status text or emoji; nil leaves a value as it is.
    case setStatus(UserID, text: String?, emoji: String?)
    /// A participant reminds another.
    case nudge(from: UserID, to: UserID)
    /// A participant's first connection was opened, or the last one closed.
    case connection(UserID, isOnline: Bool)
    /// The blocks among all present and former participants.
    case blocks(Set<UserPair>)
    /// A participant checks in; for ``Arrival/Source/peer`` the code has been checked.
    case checkIn(UserID, Arrival.Source)
    /// The owner excuses a participant.
    case excuse(UserID, by: UserID, reason: String)
    /// The owner creates a view link; it replaces the previous link.
    case makeViewLink(ViewLink, by: UserID)
    /// The owner revokes the view link.
    case revokeViewLink(by: UserID)
    /// A participant switches their visibility to people who view by the link.
    case setLinkSharing(UserID, on: Bool)
    /// The owner's course was deleted, and the archive has cleared it.
    case courseDeleted(CourseID)
    /// All accounts that could read the promise are deleted, and the archive has removed its texts and its place.
    case emptied
    /// The current number of people who view by the link.
    case viewers(Int)
    /// The clock reached the instant of ``SessionEffect/wake(at:)``, or the session has just been restored.
    case wake
}

/// An effect of a session, performed in this order.
package enum SessionEffect: Hashable, Sendable {
    /// Store these fixes; a write-behind is allowed.
    case archive([ArchivedFix])
    /// Make this durable, then announce its events; a reply waits for it.
    indirect case commit(SessionCommit)
    /// A live position changed: collect and send soon, or at once if no other report is expected.
    case positionsChanged(isComplete: Bool)
    /// Send an event without a number.
    case tell(PassingEvent)
    /// Read all stored fixes of a participant's device, judge them and feed the result back as
    /// ``SessionEvent/recalled(_:_:)``.
    indirect case recall(Recall)
    /// Wake the session at this instant, which is earlier than any pending wake.
    case wake(at: Instant)
    /// The promise is final or cancelled: it will not change any more.
    case ended
    /// Answer the request that caused the event.
    case reply(SessionReply)
}

/// The answer to a request that a session handled.
package enum SessionReply: Hashable, Sendable {
    /// Done; the session's view shows the result.
    case done
    case reported(ReportReceipt)
    /// The request is refused.
    case refused(Refusal)
}

/// The current state of a session, for snapshots and replies.
package struct SessionView: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        /// The participant's membership.
        package var participant: Participant
        /// The arrival and its rank, nil without one.
        package var arrival: RankedArrival?
        /// The live state; positions only while tracking and sharing.
        package var live: LiveState
        /// The freshness of the position; nil outside the window and once the participant may stop reporting.
        package var presence: Presence?
        /// The expected arrival; nil if unknown or not announced.
        package var estimate: ArrivalEstimate?

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

        /// The member as seen by a user with a block between them: membership, arrival and rank.
        func withoutWhereabouts() -> Member {
            var part = participant
            part.statusText = ""
            part.emoji = ""
            return Member(participant: part, arrival: arrival, live: LiveState())
        }
    }

    /// The members that are shown: all, unless the promise predates ``PromiseLimits/people`` and has more; then those
    /// who are in it or took part come first.
    package var shownMembers: [Member] {
        guard members.count > PromiseLimits.people else { return members }
        func matters(_ member: Member) -> Bool {
            member.participant.membership.isIn || member.participant.tookPart(from: promise.opensAt)
        }
        return Array((members.filter(matters) + members.filter { !matters($0) }).prefix(PromiseLimits.people))
    }

    package var promise: Promise
    package var status: PromiseStatus
    /// All present and former participants, in order of invitation.
    package var members: [Member]
    /// The number of the last durable event.
    package var lastSeq: Int
    /// The result, once final.
    package var result: PromiseResult?
    /// The participants who came together; each pair once, in order of their ids.
    package var together: [CameTogether]
    /// When the view link ends; nil without one.
    package var viewLinkEndsAt: Instant?
    /// The number of people who view by it.
    package var viewerCount: Int
    /// The standing of the user for whom the view was made; nil in a view of everything.
    package var standing: Standing?

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
