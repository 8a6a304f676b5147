import Foundation
import PromisedClient
import PromisedProtocol
import PromisedTestMarks
import PromisedWire
import SwiftProtobuf
import Testing

@testable import promisectl

/// Imports into a server in a separate process.
@Suite("Administration of places", .tags(.realTime), .timeLimit(.minutes(5)))
struct PlaceStoryTests {
    /// The numbers that `place import --json` prints.
    private struct Report: Decodable, Equatable {
        var added = 0
        var changed = 0
        var unchanged = 0
        var removed = 0
        var refused = 0
        var refusedBy: [String: Int] = [:]
        var finished = true
        var advice: String?
    }

    private struct Killed: Error {}

    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let real = root.deletingLastPathComponent().appending(path: "shared/places")
    private static let hasRealFiles = FileManager.default.fileExists(atPath: real.path)
    private static let markets = ["--preset", root.appending(path: "config/places/markets-kr.yaml").path]
    private static let limits = ["limits.request-rate=10000", "limits.request-burst=100000"]

    // MARK: - Real files

    @Test(.proves("12.2"), .enabled(if: hasRealFiles, "../shared/places is absent"))
    func `imports the markets of Korea once, and a later edition replaces them`() async throws {
        let first = try Self.bytes("markets-kr.csv")
        let whole = Report(added: 1_372, refused: 16, refusedBy: ["no-position": 16])
        try await OperatorWorld.with(settings: Self.limits) { world in
            #expect(try await Self.importing(first, Self.markets, into: world).report == whole)
            try await world.makeUser("ada")
            try await world.signedIn(as: "ada") { client in
                // The map shows an import some seconds later.
                var regions = try await client.listRegions().regions
                while regions.map(\.count).reduce(0, +) < 1_372 { regions = try await client.listRegions().regions }
                #expect(regions.count == 17)
                let categories = try await client.listCategories().categories
                #expect(categories.first { $0.id == "market/periodic" }.map { $0.count > 300 } == true)
            }
            var again = whole
            (again.added, again.unchanged) = (0, 1_372)
            #expect(try await Self.importing(first, Self.markets, into: world).report == again)

            // The first market has another phone, the second is missing, and the third has a copy elsewhere.
            var lines = first.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            lines.append(try Self.replacing("37.75505954", by: "37.85505954", in: lines[3]))
            lines[1] = try Self.replacing("033-648-4477", by: "033-648-4478", in: lines[1])
            lines.remove(at: 2)
            let later = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
            let replacing = Self.markets + ["--replace"]
            var changes = again
            (changes.added, changes.changed, changes.unchanged, changes.removed) = (1, 1, 1_370, 1)
            #expect(try await Self.importing(later, replacing, into: world).report == changes)

            let half = try await Self.importing(Array(first.prefix(first.count / 2)), replacing, into: world)
            #expect(half.code == 1 && half.errors.contains("at most 20 % may be removed"))
            // No place was removed; the second market, contained in the half, is restored.
            let sources = try await world.output(of: ["place", "source", "show", "markets-kr", "--json"])
            #expect(sources.contains(#""count":1373"#))
        }
    }

    @Test(.proves("12.2"), .enabled(if: hasRealFiles, "../shared/places is absent"))
    func `imports stations and cafés, and reports exchanged columns`() async throws {
        let bikes = ["--preset", Self.root.appending(path: "config/places/bikes-seoul.yaml").path]
        let cafes = [
            "--preset", Self.root.appending(path: "config/places/osm-geojson.yaml").path, "--category", "cafe",
        ]
        let exchanged = Self.markets + ["--map", "latitude=경도", "--map", "longitude=위도"]
        try await OperatorWorld.with(settings: Self.limits) { world in
            let stations = try await Self.importing(Self.bytes("bikes-seoul.csv"), bikes, into: world).report
            #expect(stations?.added == 1_540 && stations?.refused == 1)
            let places = try await Self.importing(
                Self.bytes("cafes-jp.geojson"),
                cafes + ["--source", "cafes-jp", "--time-zone", "Asia/Tokyo"],
                as: "cafes.geojson",
                into: world
            ).report
            #expect(places?.added == 3_087 && places?.refusedBy == ["no-name": 239, "duplicate": 4])
            let wrong = try await Self.importing(Self.bytes("markets-kr.csv"), exchanged, into: world)
            #expect(wrong.code == 1 && wrong.report?.finished == false)
            #expect(wrong.report?.advice?.contains("latitude and longitude exchanged") == true)
        }
    }

    // MARK: - A crash

    @Test(.proves("12.5"))
    func `a server killed during an import has the acknowledged rows, and the import can be repeated`()
        async throws
    {
        let (count, acknowledged, batch) = (6_000, 3_000, 250)
        let rows = (0..<count).map { Self.row($0) }
        let copy = OperatorWorld.temporaryPath()
        await #expect(throws: Killed.self) {
            try await OperatorWorld.with(settings: Self.limits) { world in
                try await world.makeUser("ada")
                let token = try String(contentsOfFile: world.tokenFile, encoding: .utf8)
                try await world.connected { client in
                    _ = try await client.signIn(administratorToken: token.filter { !$0.isWhitespace })
                    var begin = WireAdminBeginImport()
                    (begin.source.name, begin.source.title, begin.source.licence) = ("shops", "Shops", "CC0")
                    begin.timeZone = "Asia/Seoul"
                    let id = try await client.administer(.beginImport(begin)).importID
                    for start in stride(from: 0, to: acknowledged, by: batch) {
                        _ = try await client.administer(.putPlaces(Array(rows[start..<start + batch]), into: id))
                    }
                    async let lost = client.administer(
                        .putPlaces(Array(rows[acknowledged..<acknowledged + batch]), into: id)
                    )
                    world.server.signal(SIGKILL)
                    // Its reply may already have been sent.
                    _ = try? await lost
                }
                _ = await world.server.exitCode()
                try FileManager.default.copyItem(atPath: world.folder, toPath: copy)
                throw Killed()
            }
        }
        let csv =
            "ref,name,latitude,longitude,category\n"
            + rows.map {
                "\($0.ref),\($0.place.name),\($0.place.latitude),\($0.place.longitude),cafe\n"
            }.joined()
        let options =
            ["--source", "shops", "--title", "Shops", "--licence", "CC0", "--time-zone", "Asia/Seoul"]
            + ["ref", "name", "latitude", "longitude", "category"].flatMap { ["--map", "\($0)=\($0)"] }
        try await OperatorWorld.with(folder: copy, settings: Self.limits) { world in
            let report = try #require(try await Self.importing(Array(csv.utf8), options, into: world).report)
            #expect(report.unchanged >= acknowledged && report.unchanged <= acknowledged + batch)
            #expect(report.added == count - report.unchanged)
            #expect(report.changed == 0 && report.removed == 0 && report.refused == 0)
            let again = try await Self.importing(Array(csv.utf8), options, into: world).report
            #expect(again == Report(unchanged: count))
            let verified = try await world.run(["verify"])
            #expect(verified.code == 0, "\(verified.errors)")
        }
    }

    private static func row(_ number: Int) -> WirePlaceRow {
        var row = WirePlaceRow()
        (row.ref, row.place.name, row.categories) = ("s\(number)", "Shop \(number)", ["cafe"])
        (row.place.latitude, row.place.longitude) = (37 + Double(number) / 100_000, 127)
        return row
    }

    // MARK: - Files

    private static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: real.appending(path: name)))
    }

    private static func replacing(
        _ text: String,
        by other: String,
        in line: ArraySlice<UInt8>
    ) throws -> ArraySlice<UInt8> {
        let range = try #require(line.firstRange(of: text.utf8))
        return line[..<range.lowerBound] + other.utf8 + line[range.upperBound...]
    }

    /// Imports a file of these bytes with `promisectl place import`.
    private static func importing(
        _ bytes: [UInt8],
        _ options: [String],
        as name: String = "places.csv",
        into world: OperatorWorld
    ) async throws -> (report: Report?, code: Int32, errors: String) {
        let folder = OperatorWorld.temporaryPath()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/" + name
        try Data(bytes).write(to: URL(filePath: file))
        let outcome = try await world.run(["place", "import", file, "--json"] + options)
        let report = try? JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
        return (report, outcome.code, outcome.errors)
    }
}
