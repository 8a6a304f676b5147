import Foundation
import PromisedTestMarks
import Testing

/// Files as programs write them, replayed by the built binary.
@Suite("The built binary replays files of other programs", .tags(.alone), .timeLimit(.minutes(3)))
struct ReplayFilesBoxTests {
    /// North of the start of the ways, 421 m on.
    private static let place = "37.5537772,126.99"

    private func replay(
        _ files: [String: String],
        _ more: [String] = []
    ) async throws -> (code: Int32, result: ReplayResult?, told: [String]) {
        try await withTemporaryFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (name, text) in files {
                try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
            }
            let run = try BinaryRun(
                [
                    "replay", "--tracks", folder, "--place=\(Self.place)", "--meets-at", "2026-09-05T08:30:00Z",
                    "--json", "--speed", "2000",
                ] + more
            )
            async let told = run.errors.reduce(into: [String]()) { $0.append($1) }
            let output = await run.wholeOutput().joined()
            let result = output.isEmpty ? nil : try JSONDecoder().decode(ReplayResult.self, from: Data(output.utf8))
            return (await run.exitCode(), result, await told)
        }
    }

    /// A point 14 m north of the one before each 10 s for five minutes, then one each 20 s at the end of the way.
    private func walk(creator: String = "test", fields: String = "", dated: Bool = true) -> String {
        let points = (0..<46).map { index in
            let metres = Double(min(index, 30)) * 14
            let seconds = index <= 30 ? index * 10 : 300 + (index - 30) * 20
            let date = Date(timeIntervalSince1970: 1_788_595_200 + Double(seconds)).ISO8601Format()
            let time = dated ? "<time>\(date)</time>" : ""
            return "<trkpt lat=\"\(37.55 + metres / 111_195)\" lon=\"126.99\">\(time)\(fields)</trkpt>"
        }
        return file("<trk><trkseg>\(points.joined(separator: "\n"))</trkseg></trk>", creator: creator)
    }

    private func file(_ content: String, creator: String = "test") -> String {
        "<gpx version=\"1.1\" creator=\"\(creator)\" xmlns=\"http://www.topografix.com/GPX/1/1\">\(content)</gpx>"
    }

    @Test func `reads an accuracy in metres in place of the dilution`() async throws {
        let fields = "<hdop>12</hdop>"
        let (code, result, told) = try await replay([
            "one.gpx": walk(creator: "OsmAnd 4.6.6", fields: fields),
            "other.gpx": walk(creator: "Locus Map, Android", fields: fields),
            "plain.gpx": walk(creator: "Plain 1", fields: "<hdop>18</hdop>"),
        ])
        #expect(code == 0, "\(told)")
        let outcomes = result?.rows.reduce(into: [String: String]()) { $0[$1.user.nickname] = $1.outcome }
        #expect(outcomes == ["one": "EARLY", "other": "EARLY", "plain": "NO_SHOW"])
    }

    @Test func `warns of a file without reports and replays the others`() async throws {
        let (code, result, told) = try await replay([
            "good.gpx": walk(),
            "timeless.gpx": walk(dated: false),
            "pins.gpx": file(#"<wpt lat="37.55" lon="126.99"/><wpt lat="37.56" lon="126.99"/>"#),
        ])
        #expect(code == 0)
        #expect(result?.rows.count == 3)
        #expect(told.contains("warning: timeless.gpx: none of its 46 points has a time; it reports nothing"))
        #expect(told.contains("warning: pins.gpx: it has way-points (2), but no track; it reports nothing"))
        #expect(!told.contains { $0.contains("good.gpx") })
    }

    @Test(.proves("12.11")) func `fails with the name of each file if all are unusable`() async throws {
        func track(_ latitude: String, _ longitude: String, _ count: Int = 1) -> String {
            let points = String(repeating: "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\"/>", count: count)
            return file("<trk><trkseg>\(points)</trkseg></trk>")
        }
        let (code, result, told) = try await replay([
            "broken.gpx": "<gpx>\n</trk>", "comma.gpx": track("37,55", "126,99", 2), "empty.gpx": file(""),
            "exchanged.gpx": track("126.99", "37.55"), "kml.gpx": "<kml/>", "none.gpx": "", "page.gpx": "<html/>",
            "table.gpx": "name,lat,lon\n", "timeless.gpx": walk(dated: false),
        ])
        #expect(code == 1 && result == nil)
        #expect(
            told == [
                "promised: No file can be replayed:",
                "  broken.gpx: line 2: the end tag belongs to another element than the open one",
                "  comma.gpx: 2 points have no position (first on line 1): a decimal comma (write numbers "
                    + "with a point, such as 49.978)", "  empty.gpx: it has no points",
                "  exchanged.gpx: 1 point has no position (line 1): latitude and longitude are exchanged",
                "  kml.gpx: the file is a KML document, not GPX: export it as GPX", "  none.gpx: the file is empty",
                "  page.gpx: the file is an HTML page, not GPX: download the data itself",
                "  table.gpx: the file is not GPX: line 1: not well-formed XML",
                "  timeless.gpx: none of its 46 points has a time",
            ]
        )
    }

    @Test(.proves("12.11")) func `warns of a file that is not GPX`() async throws {
        let cut = String(walk().dropLast(400))
        let (code, result, told) = try await replay([
            "broken.gpx": "<gpx>\n</trk>", "cut.gpx": cut, "good.gpx": walk(), "page.gpx": "<!doctype html>",
            "partly.gpx": walk().replacing("lat=\"37.55\"", with: "lat=\"37,55\""),
        ])
        #expect(code == 0, "\(told)")
        #expect(result?.rows.first { $0.user.nickname == "good" }?.outcome == "EARLY")
        #expect(result?.rows.first { $0.user.nickname == "partly" }?.outcome == "EARLY")
        let warnings = told.filter { $0.hasPrefix("warning: ") }
        #expect(
            warnings == [
                "warning: broken.gpx: line 2: the end tag belongs to another element than the open one; it reports nothing",
                "warning: cut.gpx: it breaks off on line \(cut.split(separator: "\n").count); its other points are reported",
                "warning: page.gpx: the file is an HTML page, not GPX: download the data itself; it reports nothing",
                "warning: partly.gpx: 1 point has no position (line 1): a decimal comma (write numbers "
                    + "with a point, such as 49.978); its other points are reported",
            ]
        )
    }

    @Test func `its set-up waits on the server's request`() async throws {
        try await withTemporaryFolder { folder in
            let rate = 600.0
            // 2026-09-05T08:00:00Z is the opening; there are twenty real seconds to set up.
            let start = Date(timeIntervalSince1970: 1_788_595_200 - 20 * rate)
            let server = try await ServerProcess.start(
                data: folder,
                rate: rate,
                clock: start,
                settings: ["limits.request-burst=4"]
            )
            let names = (10..<26).map { "walker\($0)" }
            let walks = Dictionary(uniqueKeysWithValues: names.map { ("\($0).gpx", walk()) })
            let (code, result, told) = try await replay(walks, ["--server", "ws://127.0.0.1:\(server.port)/ws"])
            #expect(code == 0, "\(told.suffix(5))")
            #expect(result?.rows.map(\.user.nickname).sorted() == names)
            server.run.terminate()
            #expect(await server.run.exitCode() == 0)
        }
    }
}
