extension SessionMachine {
    /// The state at `now` that all members share. Inlined, because each call would copy the whole machine.
    @inline(__always)
    func moment(at now: Instant) -> SessionMoment {
        SessionMoment(
            now: now,
            isTracking: mark != .final && promise.status(at: now) == .tracking,
            radiusMetres: Double(promise.radiusMetres),
            lateFrom: promise.lateFrom,
            interval: slot.interval
        )
    }

    /// The announced arrival of a member; nil without one.
    @inline(__always)
    func announcedArrival(of index: Int) -> AnnouncedArrival? {
        board.isEmpty ? nil : SessionMachine.announcedArrival(of: members[index].participant.userID, on: board)
    }

    private static func announcedArrival(of userID: UserID, on board: [RankedArrival]) -> AnnouncedArrival? {
        guard let place = board.firstIndex(where: { $0.userID == userID }) else { return nil }
        return AnnouncedArrival(stage: board[place].arrival.stage, creditedAt: board[place].arrival.creditedAt)
    }
}
