import Foundation
import PromisedConcurrency
import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import PromisedApplication

/// Files from users' watches, phones and planners; their results are in the log of the field trial.
@Suite(.timeLimit(.minutes(2))) struct FieldCourseTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var file: String
        var metres = 420.0
        var seconds: Double?
        var moving: Double?
        var testDescription: String { file }
    }

    private typealias Drafts = (drafts: [CourseDraft], dropped: Int, brokenOffLine: Int?)

    private static let now = Instant(milliseconds: 1_790_000_000_000)

    private static func drafts(_ bytes: [UInt8]) async throws -> Drafts {
        let found = Guarded<Drafts>(([], 0, nil))
        try await PlaceWorld.run(isStanding: false) { world in
            let made = try await CourseWork(directory: world.directory, store: world.store).drafts(
                of: bytes,
                .other,
                inTurnOf: nil,
                in: .english,
                field: "fileId",
                at: now
            )
            found.withLock { $0 = made }
        }
        return found.withLock { $0 }
    }

    private static func bytes(_ name: String) throws -> [UInt8] {
        let here = URL(filePath: #filePath).deletingLastPathComponent()
        return Array(try Data(contentsOf: here.appending(path: "../../Field/\(name)").standardizedFileURL))
    }

    @Test(
        .proves("17.1"),
        arguments: [
            Case(file: "03-zero-start.gpx", seconds: 300, moving: 300),
            Case(file: "04-stale-first-fix.gpx", seconds: 300, moving: 300),
            Case(file: "05-equal-times.gpx", metres: 177, seconds: 190, moving: 190),
            Case(file: "06-some-times.gpx", seconds: 300, moving: 300),
            Case(file: "07-altitude-zero-start.gpx", metres: 840, seconds: 600, moving: 600),
            Case(file: "12-garmin-route.gpx", metres: 1_200, seconds: 0),
            Case(file: "13-clock-jumps-back.gpx", seconds: 190, moving: 190),
            Case(file: "14-route-and-track.gpx", seconds: 300, moving: 300),
            Case(file: "16-one-equal-time-of-three.gpx", metres: 13, seconds: 2),
        ]
    )
    func `reads the course of a file's way`(row: Case) async throws {
        let drafts = try await Self.drafts(Self.bytes(row.file)).drafts
        let draft = try #require(drafts.first)
        #expect(drafts.count == 1)
        let statistics = draft.way.statistics
        #expect(abs(statistics.distanceMetres - row.metres) < 1)
        #expect(statistics.duration.seconds == row.seconds)
        if let moving = row.moving { #expect(abs(statistics.moving.seconds - moving) <= 10) }
        #expect((statistics.topSpeedMps ?? 0) < 10)
        #expect(statistics.ascentMetres ?? 0 == 0)
        if row.file.hasPrefix("07") { #expect(statistics.minAltitudeMetres == 1_350) }
        let ends = draft.raw.points.map(\.coordinate).filter { $0.latitude > 37.54 && $0.latitude < 37.56 }
        let track = CourseTrack(
            raw: draft.raw,
            cleanedAt: Self.now,
            hideMetres: 90,
            secret: EndsSecret(first: 1, second: 2),
            isOwn: false,
            version: 1
        )
        for end in [ends.first, ends.last].compactMap(\.self) {
            #expect(track.seen.points.allSatisfy { $0.coordinate.distanceMetres(to: end) > 90 })
        }
    }

    @Test(
        arguments: [
            ("<trkpt lat=\"37,55\" lon=\"126,99\"/><trkpt lat=\"37,56\" lon=\"126,99\"/>", "decimal comma"),
            ("<trkpt lat=\"126.99\" lon=\"37.55\"/><trkpt lat=\"126.98\" lon=\"37.55\"/>", "exchanged"),
            ("<trkpt/><trkpt/>", "lat or lon is missing"), ("<trkpt lat=\"a\" lon=\"b\"/>", "not a number"),
            ("<trkpt lat=\"95\" lon=\"999\"/>", "outside"),
            ("<trkpt lat=\"37.55\" lon=\"126.99\"/>", "too short"), ("", "no points"),
        ]
    )
    func `rejects a file without a way, naming its content`(points: String, words: String) async throws {
        let gpx = "<gpx version=\"1.1\"><trk><trkseg>\(points)</trkseg></trk></gpx>"
        let error = await #expect(throws: ApplicationError.self) { try await Self.drafts(Array(gpx.utf8)) }
        #expect("\(String(describing: error))".contains(words), "\(String(describing: error))")
    }

    @Test func `reads the course of the complete part of a truncated file and reports the position`() async throws {
        let bytes = try Self.bytes("05-equal-times.gpx")
        let whole = try #require(try await Self.drafts(bytes).drafts.first)
        let made = try await Self.drafts(Array(bytes.dropLast(100)))
        let draft = try #require(made.drafts.first)
        #expect(draft.raw.points == Array(whole.raw.points.prefix(draft.raw.points.count)))
        #expect(draft.raw.points.count == whole.raw.points.count - 1)
        let lines = bytes.dropLast(100).count { $0 == UInt8(ascii: "\n") } + 1
        #expect(made.brokenOffLine == lines && made.dropped == 0)
    }

    @Test func `distinguishes way-points from a way`() async throws {
        let waypoints = (0..<61).map { "<wpt lat=\"37.5\($0)\" lon=\"127\"/>" }.joined()
        let error = await #expect(throws: ApplicationError.self) {
            try await Self.drafts(Array("<gpx version=\"1.1\">\(waypoints)</gpx>".utf8))
        }
        #expect("\(String(describing: error))".contains("only 61 way-points"))
    }

    @Test func `truncates a file of one long text`() async throws {
        let words = String(repeating: "long name ", count: 1_600_000)
        let way = try String(decoding: Self.bytes("04-stale-first-fix.gpx"), as: UTF8.self)
        let named = way.replacing(
            "<name>way</name>",
            with: "<name>\(words)</name><desc>\(words.prefix(400_000))</desc>"
        )
        let draft = try #require(try await Self.drafts(Array(named.utf8)).drafts.first)
        #expect(draft.notes.title == String(words.prefix(59)))
    }
}
