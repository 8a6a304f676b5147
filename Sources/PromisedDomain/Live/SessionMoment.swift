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
