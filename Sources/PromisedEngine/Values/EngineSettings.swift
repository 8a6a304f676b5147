package import PromisedDomain

package struct EngineSettings: Sendable {
    /// The time between two reports of one participant, on the server's clock.
    package var reportInterval: TimeSpan
    /// How long positions are collected after the first report of a collection, on the real clock.
    package var collection: Duration
    /// How long before its window a session is restored, on the server's clock.
    package var aliveBefore: TimeSpan
    /// How long an idle session stays loaded, on the server's clock.
    package var idleFor: TimeSpan
    /// The shortest time between two rounds of wakes, on the server's clock: sessions due shortly after one another
    /// share a round.
    package var wakeRound: TimeSpan
    /// The least distance of a wake that the scheduler may receive only with the next collection: longer than a
    /// collection, on the server's clock.
    package var wakeNotice: TimeSpan
    /// The limits on positions per participant.
    package var fixLimits: FixLimits
    /// A user in at least this number of live promises is a heavy user: each report reaches all of the promises, so
    /// further sessions of such users have an executor of their own.
    package var heavyUserPromises: Int

    /// Creates settings; the defaults are those of the documentation.
    package init(
        reportInterval: TimeSpan = .seconds(5),
        collection: Duration = .milliseconds(250),
        aliveBefore: TimeSpan = .minutes(1),
        idleFor: TimeSpan = .minutes(1),
        wakeRound: TimeSpan = .zero,
        wakeNotice: TimeSpan = .seconds(1),
        fixLimits: FixLimits = FixLimits(),
        heavyUserPromises: Int = 16
    ) {
        self.reportInterval = reportInterval
        self.collection = collection
        self.aliveBefore = aliveBefore
        self.idleFor = idleFor
        self.wakeRound = wakeRound
        self.wakeNotice = wakeNotice
        self.fixLimits = fixLimits
        self.heavyUserPromises = heavyUserPromises
    }

    /// The real duration of a collection at a clock rate: at most one reporting interval of that clock.
    func collection(rate: Double) -> Duration {
        min(collection, .nanoseconds(Int64(reportInterval.seconds * 1e9 / rate)))
    }
}
