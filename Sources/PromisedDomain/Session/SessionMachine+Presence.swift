extension SessionMachine {
    /// How fresh a member's position is; nil outside the window, for who is not in, and for who was told to stop.
    @inline(__always)
    func presence(of member: SessionMember, at now: Instant) -> Presence? {
        guard isTracking(member, at: now), announcedArrival(of: member)?.stage != .confirmed else { return nil }
        let isSharing = member.participant.isSharing
        let freshness = isSharing ? member.live.freshness(at: now) : .lost
        return Presence(
            userID: member.participant.userID,
            freshness: freshness,
            cause: cause(of: member, freshness: freshness),
            lastSeenAt: member.live.lastSeenAt,
            lastMovedAt: member.live.lastMovedAt
        )
    }

    /// Being offline explains only why somebody who was heard of is heard of no more.
    @inline(__always)
    private func cause(of member: SessionMember, freshness: Freshness) -> PresenceCause {
        if !member.participant.isSharing { return .paused }
        if member.live.trouble != .none { return member.live.trouble }
        if freshness == .live || member.isOnline || member.live.lastSeenAt == nil { return .none }
        return .offline
    }

    /// A participant says what keeps their positions away, or that nothing does any more.
    ///
    /// - Throws: `promiseNotFound`, `positionNotAccepted`, `positionOutsideWindow` (not tracking).
    mutating func noteTrouble(_ userID: UserID, cause: PresenceCause, at now: Instant) throws(Refusal) {
        guard let index = memberIndex[userID] else { throw .promiseNotFound }
        guard members[index].participant.membership == .accepted else { throw .positionNotAccepted }
        guard promise.status(at: now) == .tracking else { throw .positionOutsideWindow }
        members[index].live.trouble = cause
        members[index].isOnline = true
    }

    /// A participant's first connection came, or the last one went.
    mutating func noteConnection(_ userID: UserID, isOnline: Bool) {
        guard let index = memberIndex[userID] else { return }
        members[index].isOnline = isOnline
    }

    /// Tells of every presence that is not what was told last.
    mutating func tellPresence(of indices: some Sequence<Int>, at now: Instant, effects: inout [SessionEffect]) {
        var news: [Presence] = []
        for index in indices {
            guard let presence = presence(of: members[index], at: now),
                presence.freshness != members[index].told.freshness || presence.cause != members[index].told.cause
            else { continue }
            members[index].told.freshness = presence.freshness
            members[index].told.cause = presence.cause
            news.append(presence)
        }
        if !news.isEmpty { effects.append(.tell(.presence(news))) }
    }

    /// The next instant after `now` at which the clock alone makes somebody less fresh.
    @inline(__always)
    func nextPresenceChange(of member: SessionMember, after now: Instant) -> Instant? {
        guard let dueAt = member.live.dueAt, member.participant.isSharing else { return nil }
        return Freshness.nextChange(dueAt: dueAt, after: now)
    }

    @inline(__always)
    func isTracking(_ member: SessionMember, at now: Instant) -> Bool {
        member.participant.membership == .accepted && promise.status(at: now) == .tracking && !isOver
    }
}
