extension SessionMachine {
    /// A participant sets status text or emoji; nil leaves a value as it is. Throws `promiseNotFound`,
    /// `promiseNotAccepted`, `promiseClosed`.
    mutating func setStatus(
        _ userID: UserID,
        text: String?,
        emoji: String?,
        at now: Instant,
        effects: inout [SessionEffect]
    ) throws(Refusal) {
        let index = try acceptedIndex(of: userID)
        guard !isOver else { throw .promiseClosed }
        let before = members[index].participant
        members[index].participant.statusText = text ?? before.statusText
        members[index].participant.emoji = emoji ?? before.emoji
        let part = members[index].participant
        guard part != before else { return }
        keep(index)
        tellLive(.status(userID, text: part.statusText, emoji: part.emoji), at: now, effects: &effects)
    }

    /// Sends a signal of a participant. It is dropped after the end of the window (domain §9).
    func tellLive(_ event: PassingEvent, at now: Instant, effects: inout [SessionEffect]) {
        if now < promise.closesAt { effects.append(.tell(event)) }
    }

    /// A participant reminds one who has not arrived (domain §9). If one of the two has blocked the other, the reminder
    /// is dropped silently. Throws `promiseNotFound`, `promiseNotAccepted` (either of the two), `userNotFound` (no
    /// participant), `invalid` (oneself), `promiseClosed` (not the time for it, or arrived), `nudgeTooOften`.
    mutating func nudge(
        from userID: UserID,
        to other: UserID,
        at now: Instant,
        effects: inout [SessionEffect]
    ) throws(Refusal) {
        _ = try acceptedIndex(of: userID)
        guard userID != other else { throw .invalid(field: "userId") }
        guard let target = memberIndex[other] else { throw .userNotFound }
        guard members[target].participant.membership == .accepted else { throw .promiseNotAccepted }
        guard !isOver, now < promise.closesAt, NudgeRule.span(around: promise.meetsAt).contains(now) else {
            throw .promiseClosed
        }
        guard announcedArrival(of: target) == nil else { throw .promiseClosed }
        let nudge = Nudge(from: userID, to: other, at: now)
        try pairs.note(nudge)
        pending.nudges.append(nudge)
        effects.append(.tell(.nudged(from: userID, to: other)))
    }
}
