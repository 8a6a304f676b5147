internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedGateway
internal import PromisedSettings

/// The parts that run beside the meetups: the directory of places, the weather, and users' notifications.
struct PlaceParts: Sendable {
    let categories: CategoryTable
    let directory: PlaceDirectory
    let imports: PlaceImports
    let administration: PlaceAdministration
    let weather: Weather
    private let dispatcher: NotificationDispatcher

    /// The parts around an open store, not yet running. Throws ``StartError`` for invalid settings and unusable files.
    init(_ parts: ServiceParts, metrics: MetricRegistry) throws(StartError) {
        let settings = parts.settings
        categories = try PlaceParts.categories(settings)
        let openings = PlaceOpenings(
            zones: parts.zones,
            defaultZone: settings.places.timeZone,
            holidays: settings.places.holidays
        )
        directory = PlaceDirectory(
            store: parts.store,
            openings: openings,
            metrics: PlaceMetrics(metrics),
            log: parts.log
        )
        let rules = PlaceRules(categories: categories)
        imports = PlaceImports(
            store: parts.store,
            rules: rules,
            clock: parts.clock,
            random: parts.random,
            metrics: PlaceImportMetrics(metrics),
            log: parts.log,
            directory: directory,
            waitsForIndex: true,
            hasRoom: { [files = parts.files] in await files.hasRoom() }
        )
        administration = PlaceAdministration(
            directory: directory,
            store: parts.store,
            rules: rules,
            clock: parts.clock,
            random: parts.random
        )
        weather = Weather(
            try PlaceParts.weather(settings, at: parts.clock.now),
            settings: settings.weather,
            sessions: parts.sessions,
            places: directory,
            news: parts.peers.broadcaster,
            notifications: parts.notifications,
            clock: parts.clock,
            random: parts.random,
            metrics: metrics,
            log: parts.log
        )
        dispatcher = NotificationDispatcher(
            queue: parts.notifications,
            store: parts.store,
            news: parts.peers.broadcaster,
            leases: parts.peers.connections,
            clock: parts.clock,
            log: parts.log
        )
    }

    /// Works until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await directory.run() }
            group.addTask { await weather.run() }
            group.addTask { await dispatcher.run() }
        }
    }

    /// The built-in categories, and those of the operator's file.
    static func categories(_ settings: ServerSettings) throws(StartError) -> CategoryTable {
        do throws(PlaceCategoriesError) {
            return try PlaceCategories.load(settings.places)
        } catch {
            throw StartError("\(error)")
        }
    }

    /// The weather providers in the settings. Opens no connection.
    static func weather(_ settings: ServerSettings, at now: Instant) throws(StartError) -> WeatherSetup {
        do throws(WeatherSetup.Problem) {
            return try WeatherSetup(settings, version: ProductVersion.text, at: now)
        } catch {
            throw StartError("\(error)")
        }
    }
}
