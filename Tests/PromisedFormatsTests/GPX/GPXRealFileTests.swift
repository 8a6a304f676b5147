import Foundation
import PromisedDomain
import PromisedFormats
import Testing

/// The real GPX files beside the repository.
@Suite(
    .enabled(
        if: SharedFiles.places != nil && SharedFiles.tracks != nil,
        "../shared/places or ../shared/tracks is absent"
    )
)
struct GPXRealFileTests {
    /// Content of a file: points in segments of tracks, and names of way-points.
    struct Row: CustomTestStringConvertible, Sendable {
        let path: String
        let segments: [[Int]]
        var waypoints: [String?] = []
        var testDescription: String { path }
    }

    private static let rows = [
        Row(path: "tracks/ride-a/adafruit.gpx", segments: [[1_267]]),
        Row(path: "tracks/ride-a/etrex30.gpx", segments: [[1_043]]),
        Row(path: "tracks/ride-a/lezyne.gpx", segments: [[2_577]]),
        Row(path: "tracks/ride-a/motog3.gpx", segments: [[2_363]]),
        Row(path: "tracks/ride-a/openlog.gpx", segments: [[641]]),
        Row(path: "tracks/ride-a/xiaomi.gpx", segments: [[4_062]]),
        Row(
            path: "places/gpx/gpx1.0_with_all_fields.gpx",
            segments: [[3], [2], [1], []],
            waypoints: ["example name", nil]
        ),
        Row(
            path: "places/gpx/gpx1.1_with_all_fields.gpx",
            segments: [[3], [2], [1], []],
            waypoints: ["example name", nil]
        ),
        Row(path: "places/gpx/route.gpx", segments: [[55]]),
        Row(
            path: "places/gpx/unicode.gpx",
            segments: [],
            waypoints: ["šđčćž", "BIRDS NEST", "FAGGIO", "RAKOV12", "RAKV SKCJN", "VANSHNG LK"]
        ),
    ]

    private static func file(_ path: String) throws -> GPXFile {
        let shared = try #require(SharedFiles.places).deletingLastPathComponent()
        return try GPXFile(contentsOf: shared.appending(path: path))
    }

    @Test(arguments: rows)
    func `reads points, segments and way-points of each file`(row: Row) throws {
        let file = try Self.file(row.path)
        #expect(file.document.tracks.map { $0.segments.map(\.count) } == row.segments)
        #expect(file.document.waypoints.map(\.name) == row.waypoints)
        #expect(file.droppedCount == 0)
    }

    @Test func `edge605 has five segments and 6,398 points`() throws {
        let file = try Self.file("tracks/ride-a/edge605.gpx")
        #expect(file.document.tracks.map(\.segments.count) == [5])
        #expect(file.points.count == 6_398)
        #expect(file.points.allSatisfy { $0.time != nil && $0.elevation != nil })
    }

    @Test func `omits an empty segment`() throws {
        let file = try Self.file("places/gpx/track-with-empty-segment.gpx")
        #expect(file.document.tracks.map { $0.segments.contains([]) } == [false])
        #expect(file.points.count == 9)
    }

    @Test(arguments: ["1.0", "1.1"])
    func `keeps the document's elements of all those of each version`(version: String) throws {
        let document = try Self.file("places/gpx/gpx\(version)_with_all_fields.gpx").document
        #expect(document.name == "example name")
        let waypoint = try #require(document.waypoints.first)
        #expect(waypoint.coordinate == Coordinate(latitude: 12.3, longitude: 45.6))
        #expect(waypoint.elevation == 75.1 && waypoint.time?.rfc3339 == "2013-01-02T02:03:00Z")
        #expect(waypoint.comment == "example cmt" && waypoint.description == "example desc")
        #expect(document.tracks.map(\.name) == ["example name", "second route", "example name t", nil])
        #expect(document.tracks.map(\.description) == ["example desc", "example desc 2", "example desc t", nil])
        let routePoint = GPXPoint(
            coordinate: Coordinate(latitude: 10, longitude: 20),
            elevation: 75.1,
            time: Instant(rfc3339: "2013-01-02T02:03:03Z"),
            hdop: 7
        )
        #expect(document.tracks.first?.segments.first?.first == routePoint)
        let trackPoint = GPXPoint(
            coordinate: Coordinate(latitude: 10.1, longitude: -20.2),
            elevation: 11.1,
            time: Instant(rfc3339: "2013-01-01T12:00:04Z"),
            hdop: 101
        )
        #expect(document.tracks[2].segments == [[trackPoint]])
    }

    @Test func `reading, writing and reading again gives the same document`() throws {
        let folders = [try #require(SharedFiles.places).appending(path: "gpx"), try #require(SharedFiles.tracks)]
        var paths: [URL] = []
        for folder in folders {
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            paths += names.filter { $0.hasSuffix(".gpx") }.map { folder.appending(path: $0) }
        }
        #expect(paths.count == 12)
        for path in paths {
            let first = try GPXFile(contentsOf: path)
            let second = try GPXFile(first.document.chunks(creator: "test").flatMap(\.self))
            #expect(second.document == first.document, "\(path.lastPathComponent)")
        }
    }
}
