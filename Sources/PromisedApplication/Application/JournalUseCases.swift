internal import PromisedEngine
internal import PromisedSettings

/// Users' own data: visits, courses in folders, recordings, and exports.
package struct JournalUseCases: Sendable {
    package let visits: Visits
    package let folders: Folders
    package let courses: Courses
    package let keeping: CourseKeeping
    package let courseFiles: CourseFiles
    package let recordings: Recordings
    /// The operator's recommended courses.
    package let recommended: RecommendedCourses
    package let exports: DataExports

    /// - Parameter directory: names the points of courses.
    init(_ ports: ApplicationPorts, _ core: ApplicationCore, directory: PlaceDirectory) {
        let (files, clock, random) = (core.files, ports.clock, ports.random)
        let work = CourseWork(directory: directory, store: ports.store, on: ports.execution.work)
        visits = Visits(
            store: ports.store,
            files: files,
            zones: ports.zones,
            holidays: ports.settings.places.holidays,
            clock: clock,
            random: random
        )
        folders = Folders(
            store: ports.store,
            files: files,
            work: work,
            sessions: core.engine.registry,
            clock: clock,
            random: random
        )
        courses = Courses(ports, core, work)
        keeping = CourseKeeping(
            store: ports.store,
            files: files,
            work: work,
            archive: core.archive,
            clock: clock,
            random: random
        )
        courseFiles = CourseFiles(store: ports.store, files: files, work: work)
        recordings = Recordings(ports, core, work)
        recommended = RecommendedCourses(store: ports.store, work: work, clock: clock, random: random)
        exports = DataExports(ports, files)
    }
}

extension Courses {
    fileprivate init(_ ports: ApplicationPorts, _ core: ApplicationCore, _ work: CourseWork) {
        self.init(
            store: ports.store,
            files: core.files,
            work: work,
            sessions: core.engine.registry,
            notifications: ports.connections.notifications,
            news: ports.connections.news,
            clock: ports.clock,
            random: ports.random
        )
    }
}

extension Recordings {
    fileprivate init(_ ports: ApplicationPorts, _ core: ApplicationCore, _ work: CourseWork) {
        self.init(
            store: ports.store,
            files: core.files,
            work: work,
            zones: ports.zones,
            notifications: ports.connections.notifications,
            news: ports.connections.news,
            clock: ports.clock,
            random: ports.random,
            log: ports.log
        )
    }
}

extension DataExports {
    fileprivate init(_ ports: ApplicationPorts, _ files: Files) {
        self.init(
            store: ports.store,
            files: files,
            notifications: ports.connections.notifications,
            news: ports.connections.news,
            clock: ports.clock,
            metrics: ports.metrics,
            on: ports.execution.exports,
            log: ports.log
        )
    }
}
