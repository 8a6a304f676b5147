import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import promisectl

@Suite("Commands for courses and files", .timeLimit(.minutes(1)))
struct CourseCommandTests {
    private static let id = "01932a4e-0000-7000-8000-00000000000a"
    private static let course = WireAdminCourse.with {
        ($0.courseID, $0.title, $0.region) = (Self.id, "Round the palace", "KR-11")
        ($0.sourceName, $0.licence, $0.activity) = ("Seoul", "KOGL 1", .walk)
        ($0.distanceMetres, $0.points) = (3_210, 160)
    }

    /// Accepts pieces of a file, lists two pages of courses, and has some files.
    private static let answer: StubAdministration.Answer = { request in
        switch request {
        case .importRecommendedCourse(let piece):
            var reply = WireAdminCourseImport()
            reply.offset = piece.offset + Double(piece.data.count)
            if reply.offset == piece.bytes { reply.course = Self.course }
            return .success(.courseImport(reply))
        case .listRecommendedCourses(let request):
            var page = WireAdminCourses()
            page.courses = [request.cursor.isEmpty ? WireAdminCourse.with { $0.title = "Newest" } : Self.course]
            page.cursor = request.cursor.isEmpty ? "next" : ""
            return .success(.courses(page))
        case .removeRecommendedCourse: return .success(.done(WireAdminDone()))
        case .getFileStatistics: return .success(.fileStatistics(Self.statistics))
        default: return .failure(.refused("no such form"))
        }
    }

    private static let statistics = WireAdminFileStatistics.with {
        $0.files = [.with { ($0.kind, $0.count, $0.bytes) = (.photo, 12, 2_048) }]
        ($0.users, $0.uploads, $0.freeBytes, $0.points, $0.exports) = (7, 1, 1_024, 999, 3)
        $0.recordings = [.with { ($0.state, $0.count) = (.interrupted, 2) }]
        $0.courses = [.with { ($0.source, $0.count) = (.operator, 5) }]
    }

    private func run(_ arguments: [String]) async -> (run: Run, requests: [StubAdministration.Request]) {
        let administration = StubAdministration(Self.answer)
        let run = await Run(arguments, StubConnector(administration: administration))
        return (run, administration.requests)
    }

    /// Imports a GPX file with the given number of points.
    private func runImport(
        points: Int,
        _ options: [String]
    ) async throws -> (run: Run, pieces: [WireAdminImportRecommendedCourse], bytes: Int) {
        let way = (0..<points).map { "<trkpt lat=\"37.\($0 + 100_000)\" lon=\"127\"/>" }.joined()
        let text = "<gpx version=\"1.1\"><trk><trkseg>\(way)</trkseg></trk></gpx>"
        let file = try SampleFile(text, name: "way.gpx")
        let named = ["--title", "Round the palace", "--region", "KR-11", "--source", "Seoul", "--licence", "KOGL 1"]
        let (run, requests) = await run(["course", "import", file.path] + named + options)
        let pieces: [WireAdminImportRecommendedCourse] = requests.compactMap { request in
            if case .importRecommendedCourse(let piece) = request { piece } else { nil }
        }
        return (run, pieces, text.utf8.count)
    }

    @Test func `does not send a truncated file`() async throws {
        let file = try SampleFile("<gpx>\n<trk><trkseg><trkpt lat='37' lon='127'/>", name: "way.gpx")
        let named = ["--title", "a", "--region", "KR-11", "--source", "b", "--licence", "c"]
        let (run, requests) = await run(["course", "import", file.path] + named)
        #expect(run.status == .usage && requests.isEmpty)
        #expect(run.errors.contains("\(file.path): line 2: the file breaks off"), "\(run.errors)")
    }

    @Test func `sends a file in order, in pieces that fit into frames`() async throws {
        let options = ["--activity", "walk", "--source-url", "https://a.example"]
        let (run, pieces, bytes) = try await runImport(points: 3_000, options)
        #expect(run.status == .done, "\(run.errors)")
        #expect(pieces.count == (bytes + CourseFile.pieceBytes - 1) / CourseFile.pieceBytes && pieces.count > 2)
        #expect(Set(pieces.map(\.key)).count == 1 && pieces.allSatisfy { $0.bytes == Double(bytes) })
        #expect(pieces.map(\.offset) == pieces.indices.map { Double($0 * CourseFile.pieceBytes) })
        #expect(pieces.reduce(0) { $0 + $1.data.count } == bytes)
        for piece in pieces {
            #expect(piece.title == "Round the palace" && piece.region == "KR-11" && piece.sourceName == "Seoul")
            #expect(piece.licence == "KOGL 1" && piece.activity == .walk && piece.url == "https://a.example")
        }
        for part in ["Round the palace", Self.id, "KR-11", "Seoul", "KOGL 1", "walk", "3.2 km", "160"] {
            #expect(run.output.contains(part), "\(part)")
        }
    }

    @Test func `prints the course as JSON`() async throws {
        let (run, pieces, _) = try await runImport(points: 3, ["--json"])
        #expect(pieces.map { $0.hasActivity || $0.hasURL } == [false])
        #expect(run.output.hasPrefix(#"{"courseId":"01932a4e-0000-7000-8000-00000000000a","title":"Round the palace""#))
    }

    @Test func `rejects a file that is not GPX with its line, and sends nothing`() async throws {
        let file = try SampleFile("<gpx version=\"1.1\">\n<trk>\n</gpx>", name: "way.gpx")
        let named = ["--title", "a", "--region", "KR-11", "--source", "b", "--licence", "c"]
        let (run, requests) = await run(["course", "import", file.path] + named)
        #expect(run.status == .usage && run.errors.contains("line 3"), "\(run.errors)")
        #expect(requests.isEmpty)
    }

    @Test(
        .proves("12.11"),
        arguments: [
            ("course.too-short", true), ("track.malformed", true), ("course.limit", false), ("request.invalid", false),
        ]
    )
    func `names a file without a course`(code: String, isNamed: Bool) async throws {
        let file = try SampleFile("<gpx><wpt lat=\"1\" lon=\"2\"/></gpx>", name: "pins.gpx")
        let named = ["--title", "a", "--region", "KR-11", "--source", "b", "--licence", "c"]
        let run = await Run(["course", "import", file.path] + named) { _ in
            .failure(.refused("The file has only 1 way-points. (\(code))"))
        }
        #expect(run.status == .refused)
        #expect(
            run.errors == "promisectl: \(isNamed ? "\(file.path): " : "")The file has only 1 way-points. (\(code))\n"
        )
    }

    @Test func `lists the courses of all pages`() async {
        let (run, requests) = await run(["course", "list"])
        #expect(run.status == .done && requests.count == 2)
        #expect(run.output.contains("Newest") && run.output.contains("Round the palace"))
        #expect(await self.run(["course", "list", "--limit", "1"]).requests.count == 1)
    }

    @Test func `removes a course by its id, and not an unknown one`() async {
        let (removed, requests) = await run(["course", "remove", Self.id, "--yes"])
        #expect(removed.status == .done && removed.output == "removed Round the palace\n")
        guard case .removeRecommendedCourse(let request) = requests.last else {
            Issue.record("not asked")
            return
        }
        #expect(request.courseID == Self.id)
        let unknown = await run(["course", "remove", "01932a4e-0000-7000-8000-00000000000b", "--yes"])
        #expect(unknown.run.status == .refused && unknown.run.errors.contains("promisectl course list"))
        #expect(unknown.requests.count == 2)
    }

    @Test func `prints the statistics of files as numbers`() async {
        let (run, _) = await run(["file", "stats"])
        let lines = run.output.split(separator: "\n").map { line in
            line.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        #expect(
            lines == [
                "files: photos: 12, 2.0 KiB", "users with files: 7", "open uploads: 1", "free: 1.0 KiB",
                "recordings: interrupted: 2", "courses: recommended: 5", "points: 999", "exports to make: 3",
            ]
        )
        #expect(await self.run(["file", "stats", "--json"]).run.output.contains(#""freeBytes":1024"#))
    }
}
