import Foundation
import PromisedProtocol
import SwiftProtobuf
import Testing

@testable import promisectl

@Suite("Exported tracks")
struct ExportTests {
    private func sample() throws -> TrackExport {
        var promise = try WirePromise.sample()
        promise.title = "Lunch <&> \"co\"\u{1}"
        return TrackExport(
            promise: promise,
            positions: try PackedTracks(Self.stored())
        )
    }

    /// Two pages' positions in the order of storage: those of the second device were stored later.
    private static func stored() throws -> [WireAdminPosition] {
        [
            try .sample("zoe", device: 9, second: 2, latitude: 52.4),
            try .sample("ada", device: 7, second: 6, latitude: 52.51),
            try .sample("ada", device: 7, second: 1, latitude: 52.5),
            try .sample("ada", device: 5, second: 3, latitude: 52.49),
            try .sample("zoe", device: 9, second: 7, latitude: 52.41),
        ]
    }

    @Test(arguments: ExportFormat.allCases)
    func `are documents of their kind`(format: ExportFormat) throws {
        try Golden.expect(try format.document(of: sample()), matches: "export.\(format.rawValue)")
    }

    @Test func `GeoJSON parses, and has a point where there is one position only`() throws {
        let text = try ExportFormat.geojson.document(of: sample())
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let features = try #require(json?["features"] as? [[String: Any]])
        let kinds = features.map { ($0["geometry"] as? [String: Any])?["type"] as? String }
        #expect(kinds == ["Point", "LineString", "Point", "LineString"])
    }

    @Test(arguments: ExportFormat.allCases, [Int64.min, -9_223_372_036_854_777, 9_223_372_036_854_776, .max])
    func `positions beyond all years make a document`(format: ExportFormat, seconds: Int64) throws {
        var position = try WireAdminPosition.sample("ada", second: 1, latitude: 52.5)
        position.fixTime.seconds = seconds
        position.receivedAt.seconds = seconds
        let export = TrackExport(promise: try .sample(), positions: try PackedTracks([position]))
        #expect(try format.document(of: export).contains(seconds < 0 ? "0001-01-01T00:00:0" : "9999-12-31T23:59:59"))
    }

    @Test func `a promise without positions makes a document`() throws {
        let export = TrackExport(promise: try .sample(), positions: try PackedTracks())
        #expect(GPXText.text(of: export).hasSuffix("</gpx>\n"))
        #expect(CSVText.text(of: export).utf8.filter { $0 == 0x0A }.count == 1)
    }

    @Test func `numbers a user's devices by their first report, equal ones in the server's order`() throws {
        let first = try WireAdminPosition.sample("ada", device: 3, second: 5, latitude: 52.5)
        let second = try WireAdminPosition.sample("ada", device: 8, second: 5, latitude: 52.6)
        var late = try WireAdminPosition.sample("ada", device: 1, second: 1, latitude: 52.7)
        late.receivedAt = try .sample("2026-11-21T12:30:00Z")
        for (positions, latitudes) in [
            ([late, first, second], [52.5, 52.6, 52.7]), ([second, first], [52.6, 52.5]),
        ] {
            let tracks = TrackExport(promise: try .sample(), positions: try PackedTracks(positions)).tracks
            #expect(tracks.map(\.device) == Array(1...UInt32(latitudes.count)))
            #expect(tracks.flatMap { $0.positions.map(\.fix.latitude) } == latitudes)
        }
    }

    @Test func `keeps the server's order of positions with equal time and number`() throws {
        let positions = try [52.3, 52.1, 52.2].map { try WireAdminPosition.sample("ada", second: 5, latitude: $0) }
        let tracks = TrackExport(promise: try .sample(), positions: try PackedTracks(positions)).tracks
        #expect(tracks.flatMap { $0.positions.map(\.fix.latitude) } == [52.3, 52.1, 52.2])
    }

    @Test func `all pages are one list by user, device and time, in every format`() async throws {
        let stored = try Self.stored()
        let promise = try WirePromise.sample()
        let answer: StubAdministration.Answer = { request in
            guard case .exportPositions(let asked) = request else {
                return .success(.promise(.with { $0.promise = promise }))
            }
            let isFirst = asked.cursor.isEmpty
            let page = WireAdminPositions.with {
                $0.positions = Array(isFirst ? stored.prefix(2) : stored.dropFirst(2))
                $0.cursor = isFirst ? "next" : ""
            }
            return .success(.positions(page))
        }
        let listed = zip([2, 1, 3, 0, 4], [1, 1, 2, 1, 1] as [UInt32]).map { place, device in
            var position = stored[place]
            position.device = device
            return position
        }
        let whole = try WireAdminPositions.with { $0.positions = listed }.jsonString() + "\n"
        let lines = try listed.map { try $0.jsonString() + "\n" }.joined()
        let texts = ["--csv": try ExportFormat.csv.document(of: sample()), "--json": whole, "--jsonl": lines]
        for (option, text) in texts {
            let run = await Run(["promise", "export", promise.promiseID, option], answer: answer)
            #expect(run.output == text, "\(option)")
        }
    }

    @Test func `a promise without positions is an empty reply`() async throws {
        let answer: StubAdministration.Answer = { request in
            guard case .exportPositions = request else { return .success(.promise(WirePromiseReply())) }
            return .success(.positions(WireAdminPositions()))
        }
        let id = try WirePromise.sample().promiseID
        #expect(await Run(["promise", "export", id, "--json"], answer: answer).output == "{}\n")
        #expect(await Run(["promise", "export", id, "--jsonl"], answer: answer).output == "")
    }

    @Test func `an export that the server does not finish writes nothing`() async throws {
        let promise = try WirePromise.sample()
        let stored = try Self.stored()
        let answer: StubAdministration.Answer = { request in
            guard case .exportPositions(let asked) = request else {
                return .success(.promise(.with { $0.promise = promise }))
            }
            guard asked.cursor.isEmpty else { return .failure(.unreachable("the connection was lost")) }
            let page = WireAdminPositions.with { ($0.positions, $0.cursor) = (stored, "next") }
            return .success(.positions(page))
        }
        let path = NSTemporaryDirectory() + "promisectl-export-" + UUID().uuidString
        let run = await Run(["promise", "export", promise.promiseID, "--csv", "--file", path], answer: answer)
        #expect(run.status == .unreachable && run.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
