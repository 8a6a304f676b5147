package import CoreMetrics
package import Logging
package import PromisedAccess
package import PromisedDomain
package import PromisedEngine
package import PromisedPlaces
package import PromisedSettings
package import PromisedStore

/// Everything outside an ``Application``: its storage, its users' connections, time and chance, and the operator's
/// settings.
package struct ApplicationPorts: Sendable {
    package let store: Store
    /// The bytes of the store's files.
    package let storage: any FileStorage
    package let connections: ConnectionPorts
    package let clock: any WallClock
    /// Creates ids, keys and codes; cryptographically secure outside tests.
    package let random: RandomSource
    /// Signs access tokens and check-in codes.
    package let key: SigningKey
    /// The accounts of an outside issuer; nil if accounts are local.
    package let outside: OutsideAccounts?
    package let weather: WeatherSetup
    package let zones: TimeZones
    /// The valid categories of places.
    package let categories: CategoryTable
    package let execution: Execution
    package let settings: ServerSettings
    package let metrics: any MetricsFactory
    package let log: Logger

    /// - Parameter zones: nil for those of the system around the clock's present.
    package init(
        store: Store,
        storage: any FileStorage,
        connections: ConnectionPorts,
        clock: any WallClock,
        random: RandomSource,
        key: SigningKey,
        outside: OutsideAccounts? = nil,
        weather: WeatherSetup = .off,
        zones: TimeZones? = nil,
        categories: CategoryTable = .builtIn,
        execution: Execution = Execution(),
        settings: ServerSettings,
        metrics: any MetricsFactory = NOOPMetricsHandler.instance,
        log: Logger
    ) {
        self.store = store
        self.storage = storage
        self.connections = connections
        self.clock = clock
        self.random = random
        self.key = key
        self.outside = outside
        self.weather = weather
        self.zones = zones ?? TimeZones(around: clock.now)
        self.categories = categories
        self.execution = execution
        self.settings = settings
        self.metrics = metrics
        self.log = log
    }
}

/// The users' connections, as use cases see them, with the state that both sides share.
package struct ConnectionPorts: Sendable {
    package let news: any ApplicationNews
    package let leases: any FocusLeases
    /// The cards of the users in live promises, which rendered events show.
    package let cards: UserCardCache
    /// Receives the events of promises of which users are notified.
    package let notifications: NotificationQueue

    package init(
        news: any ApplicationNews,
        leases: any FocusLeases,
        cards: UserCardCache = UserCardCache(),
        notifications: NotificationQueue
    ) {
        self.news = news
        self.leases = leases
        self.cards = cards
        self.notifications = notifications
    }
}

/// All news of an application for users and connections. Implemented by the owner of the connections.
package typealias ApplicationNews = Announcer & ConnectionIndex & News

/// The threads of an application and its real clock: those of the machine, or of a simulation.
package struct Execution: Sendable {
    /// Runs work of queues; nil for a thread for each queue.
    package var work: WorkThread?
    /// Makes exports; nil for a thread of their own.
    package var exports: (any SerialExecutor)?
    /// Run the sessions of promises; empty for a thread of their own.
    package var sessions: [any SerialExecutor] = []
    /// Runs the sessions of users with many promises; nil for the executors of sessions.
    package var heavyUsers: (any SerialExecutor)?
    /// Measures the collection of positions.
    package var collection = CollectionClock.real
    /// Real time, for pauses.
    package var pauses: any Clock<Duration> = .continuous
    /// Real time, for the age of imports.
    package var realNow: @Sendable () -> ContinuousClock.Instant = { .now }

    package init() {}
}
