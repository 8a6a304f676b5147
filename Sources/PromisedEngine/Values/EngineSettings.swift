public import PromisedDomain

/// The numbers of the engine.
public struct EngineSettings: Sendable {
    /// The time between two reports of one participant, on the server's clock.
    public var reportInterval: TimeSpan
    /// How long positions are collected after the first report of a collection, on the real clock.
    public var collection: Duration
    /// How long before its window a session comes alive, on the server's clock.
    public var aliveBefore: TimeSpan
    /// How long a session that nobody needs is kept, on the server's clock.
    public var idleFor: TimeSpan
    /// How long after one round of wakes the next one begins at the earliest, on the server's clock: sessions that are
    /// to be woken soon after one another share a round.
    public var wakeRound: TimeSpan
    /// How far off a wake must be so that the scheduler need not hear of it at once but only with the next collection:
    /// longer than one takes, on the server's clock.
    public var wakeNotice: TimeSpan
    /// How many positions there may be of each participant.
    public var fixLimits: FixLimits

    /// Settings; by default those of the documentation.
    public init(
        reportInterval: TimeSpan = .seconds(5),
        collection: Duration = .milliseconds(250),
        aliveBefore: TimeSpan = .minutes(1),
        idleFor: TimeSpan = .minutes(1),
        wakeRound: TimeSpan = .zero,
        wakeNotice: TimeSpan = .seconds(1),
        fixLimits: FixLimits = FixLimits()
    ) {
        self.reportInterval = reportInterval
        self.collection = collection
        self.aliveBefore = aliveBefore
        self.idleFor = idleFor
        self.wakeRound = wakeRound
        self.wakeNotice = wakeNotice
        self.fixLimits = fixLimits
    }

    /// The real length of a collection on a clock of that rate: never more than one reporting interval of its time.
    func collection(rate: Double) -> Duration {
        min(collection, .nanoseconds(Int64(reportInterval.seconds * 1e9 / rate)))
    }
}
