extension SessionMachine {
    /// A participant says what keeps their positions away, or that nothing does any more. Throws `promiseNotFound`,
    /// `positionNotAccepted`, `positionOutsideWindow` (not tracking).
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
    mutating func tellPresence(
        of indices: some Sequence<Int>,
        at moment: SessionMoment,
        effects: inout [SessionEffect]
    ) {
        var news: [Presence] = []
        for index in indices {
            let arrival = announcedArrival(of: index)
            if let presence = members[index].newsOfPresence(at: moment, arrival: arrival) { news.append(presence) }
        }
        if !news.isEmpty { effects.append(.tell(.presence(news))) }
    }
}
