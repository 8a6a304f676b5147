extension SessionMachine {
    /// A participant reports the cause of missing positions, or that it has ended. Throws `promiseNotFound`,
    /// `positionNotAccepted`, `positionOutsideWindow` (not tracking).
    mutating func noteTrouble(_ userID: UserID, cause: PresenceCause, at now: Instant) throws(Refusal) {
        guard let index = memberIndex[userID] else { throw .promiseNotFound }
        guard members[index].participant.membership == .accepted else { throw .positionNotAccepted }
        guard promise.status(at: now) == .tracking else { throw .positionOutsideWindow }
        members[index].live.trouble = cause
        members[index].isOnline = true
    }

    /// A participant's first connection was opened, or the last one closed.
    mutating func noteConnection(_ userID: UserID, isOnline: Bool) {
        guard let index = memberIndex[userID] else { return }
        members[index].isOnline = isOnline
    }

    /// Sends every presence that differs from the last one sent.
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
