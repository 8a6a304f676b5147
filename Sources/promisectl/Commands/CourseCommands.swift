import ArgumentParser
import PromisedClient
import PromisedCommandLine
import PromisedProtocol

struct CourseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "course",
        abstract: "The recommended courses, which everybody sees.",
        subcommands: [CourseImportCommand.self, CourseListCommand.self, CourseRemoveCommand.self]
    )
}

struct CourseImportCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a recommended course from a GPX file.",
        discussion: """
            The file has one track or route, GPX 1.0 or 1.1, at most 16 MiB; its description becomes the memo. Everybody \
            sees the course with its source and licence, and may copy it. Importing a file twice makes two courses. \
            Example: promisectl course import trail.gpx --title '북한산 둘레길 1구간' --region KR-11 --source '국립공원공단' \
            --licence 'KOGL 1' --activity walk
            """
    )

    @Argument(help: "A GPX file.") var file: String
    @Option(help: ArgumentHelp("The title, at most 60 characters.", valueName: "text")) var title: String
    @Option(help: ArgumentHelp("The region, such as KR-11 or KR-11/종로구.", valueName: "code")) var region: String
    @Option(help: ArgumentHelp("The publisher, at most 100 characters.", valueName: "name")) var source: String
    @Option(help: ArgumentHelp("The licence, at most 100 characters.", valueName: "text")) var licence: String
    @Option(help: "What people do on it; default: other.") var activity: ActivityArgument?
    @Option(help: ArgumentHelp("The page of the course; the memo ends with it.", valueName: "url")) var sourceURL:
        String?
    @OptionGroup var options: ServerCommandOptions

    /// The server creates the course with the last piece, after those before it.
    var patience: Duration { .seconds(60) }

    func check(in context: Context) throws(Failure) {
        _ = try CourseFile(path: file)
    }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        var course = WireAdminImportRecommendedCourse()
        course.title = title
        course.region = region
        course.sourceName = source
        course.licence = licence
        if let activity { course.activity = activity.activity }
        if let sourceURL { course.url = sourceURL }
        return .courseImported(try await CourseFile(path: file).send(as: course, to: administration))
    }
}

struct CourseListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the recommended courses, the last imported one first.",
        discussion: "Example: promisectl course list --limit 20"
    )

    @OptionGroup var limits: LimitOptions
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .courses(try await administration.recommendedCourses(upTo: limits.limit))
    }
}

struct CourseRemoveCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a recommended course.",
        discussion: """
            Copies that users made of it stay. \
            Example: promisectl course remove 01932a4e-0000-7000-8000-00000000000a --yes
            """
    )

    @Argument(help: "The course's id.", transform: IdentifierArgument.course) var course: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let known = try await administration.recommendedCourses(upTo: nil).courses
        guard let title = known.first(where: { $0.courseID == course })?.title.printable else {
            throw .refused("no recommended course has the id \(course); \"promisectl course list\" lists them")
        }
        try options.confirmation.confirm("remove the course \(title)", in: context)
        return .done(try await administration.ask(.removeRecommendedCourse(course)), "removed \(title)")
    }
}

extension Administration {
    /// The recommended courses of all pages.
    fileprivate func recommendedCourses(upTo limit: Int?) async throws(Failure) -> WireAdminCourses {
        try await pages(upTo: limit) { cursor, limit in .listRecommendedCourses(cursor: cursor, limit: limit) }
    }
}
