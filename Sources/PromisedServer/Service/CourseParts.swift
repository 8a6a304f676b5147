internal import PromisedApplication
internal import PromisedDomain
internal import PromisedEngine
internal import PromisedGateway

/// The parts that store users' data: courses, recordings, and archives of their data.
struct CourseParts: Sendable {
    let recordings: Recordings
    /// The operator's recommended courses.
    let recommended: RecommendedCourses
    let exports: DataExports
    let folders: Folders
    let courses: Courses
    let keeping: CourseKeeping
    let files: CourseFiles

    init(_ parts: ServiceParts, _ places: PlaceParts, metrics: MetricRegistry) {
        let (store, clock, random) = (parts.store, parts.clock, parts.random)
        let work = CourseWork(directory: places.directory, store: store)
        folders = Folders(
            store: store,
            files: parts.files,
            work: work,
            sessions: parts.engine.registry,
            clock: clock,
            random: random
        )
        courses = Courses(
            store: store,
            files: parts.files,
            work: work,
            sessions: parts.engine.registry,
            notifications: parts.notifications,
            news: parts.peers.broadcaster,
            clock: clock,
            random: random
        )
        keeping = CourseKeeping(
            store: store,
            files: parts.files,
            work: work,
            archive: parts.archive,
            clock: clock,
            random: random
        )
        files = CourseFiles(store: store, files: parts.files, work: work)
        recommended = RecommendedCourses(store: store, work: work, clock: clock, random: random)
        recordings = Recordings(
            store: store,
            files: parts.files,
            work: work,
            zones: parts.zones,
            notifications: parts.notifications,
            news: parts.peers.broadcaster,
            clock: clock,
            random: random,
            log: parts.log
        )
        exports = DataExports(
            store: store,
            files: parts.files,
            notifications: parts.notifications,
            news: parts.peers.broadcaster,
            clock: clock,
            metrics: metrics,
            log: parts.log
        )
    }

    /// Makes archives until the task is cancelled.
    func run() async { await exports.run() }
}
