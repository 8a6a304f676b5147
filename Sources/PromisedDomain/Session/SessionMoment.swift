/// What is the same for all members at one instant: found once, so that a look at one of them copies nothing else.
struct SessionMoment {
    /// The server's clock.
    let now: Instant
    /// Whether positions are shown.
    let isTracking: Bool
    /// Of the place.
    let radiusMetres: Double
    /// When somebody is late.
    let lateFrom: Instant
    /// The time between two reports.
    let interval: TimeSpan
}

/// What everybody was told of somebody's arrival, as far as others depend on it.
struct AnnouncedArrival {
    /// How sure it is.
    let stage: Arrival.Stage
    /// The instant that counts.
    let creditedAt: Instant
}

extension SessionMachine {
    /// What holds at `now` for everybody.
    func moment(at now: Instant) -> SessionMoment {
        SessionMoment(
            now: now,
            isTracking: mark != .final && promise.status(at: now) == .tracking,
            radiusMetres: Double(promise.radiusMetres),
            lateFrom: promise.lateFrom,
            interval: slot.interval
        )
    }

    /// The arrival of a member as it was announced; nil without one.
    @inline(__always)
    func announcedArrival(of index: Int) -> AnnouncedArrival? {
        board.isEmpty ? nil : SessionMachine.announcedArrival(of: members[index].participant.userID, on: board)
    }

    private static func announcedArrival(of userID: UserID, on board: [RankedArrival]) -> AnnouncedArrival? {
        guard let place = board.firstIndex(where: { $0.userID == userID }) else { return nil }
        return AnnouncedArrival(stage: board[place].arrival.stage, creditedAt: board[place].arrival.creditedAt)
    }
}
