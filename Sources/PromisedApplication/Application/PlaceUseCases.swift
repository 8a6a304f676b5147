internal import PromisedDomain
internal import PromisedEngine
package import PromisedPlaces
internal import PromisedSettings

/// The directory of places, its administration, and the weather.
package struct PlaceUseCases: Sendable {
    package let categories: CategoryTable
    package let directory: PlaceDirectory
    package let places: Places
    package let favourites: Favourites
    package let shareTexts: ShareTexts
    package let administration: PlaceAdministration
    package let imports: PlaceImports
    package let weather: Weather

    init(_ ports: ApplicationPorts, _ core: ApplicationCore) {
        let (clock, random) = (ports.clock, ports.random)
        let rules = PlaceRules(categories: ports.categories)
        categories = ports.categories
        directory = PlaceDirectory(
            store: ports.store,
            openings: core.openings,
            metrics: PlaceMetrics(ports.metrics),
            log: ports.log,
            pauses: ports.execution.pauses,
            on: ports.execution.work
        )
        places = Places(directory: directory, store: ports.store, categories: categories, clock: clock)
        favourites = Favourites(store: ports.store, openings: core.openings, clock: clock, random: random)
        shareTexts = ShareTexts(
            sessions: core.sessions,
            openings: core.openings,
            maps: ports.settings.places.mapLinks,
            clock: clock
        )
        administration = PlaceAdministration(
            directory: directory,
            store: ports.store,
            rules: rules,
            clock: clock,
            random: random
        )
        imports = PlaceImports(ports, rules, into: directory, files: core.files)
        weather = Weather(ports, sessions: core.sessions, places: directory)
    }
}

extension PlaceImports {
    fileprivate init(_ ports: ApplicationPorts, _ rules: PlaceRules, into directory: PlaceDirectory, files: Files) {
        self.init(
            store: ports.store,
            rules: rules,
            clock: ports.clock,
            random: ports.random,
            metrics: PlaceImportMetrics(ports.metrics),
            log: ports.log,
            directory: directory,
            waitsForIndex: true,
            hasRoom: { await files.hasRoom() },
            realNow: ports.execution.realNow,
            on: ports.execution.work
        )
    }
}

extension Weather {
    fileprivate init(_ ports: ApplicationPorts, sessions: PromiseSessions, places: PlaceDirectory) {
        self.init(
            ports.weather,
            settings: ports.settings.weather,
            sessions: sessions,
            places: places,
            news: ports.connections.news,
            notifications: ports.connections.notifications,
            clock: ports.clock,
            random: ports.random,
            metrics: ports.metrics,
            pause: { [pauses = ports.execution.pauses] in try await pauses.sleep(for: $0.duration) },
            log: ports.log
        )
    }
}
