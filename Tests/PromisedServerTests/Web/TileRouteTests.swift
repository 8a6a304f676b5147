import Foundation
import Logging
import PromisedConcurrency
import PromisedStore
import PromisedTestMarks
import PromisedTransport
import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite struct TileRouteTests {
    @Test(.proves("/tiles/z/x/y")) func `serves a tile with its kind, validator and age`() async throws {
        let tiles = FakeTiles()
        let answer = try #require(await tiles.answer("/tiles/3/5/2"))
        #expect(answer.status == 200 && answer.contentType == "image/png" && answer.body == FakeTiles.png)
        #expect(answer.value("ETag") == "\"v1-3-5-2\"")
        #expect(answer.value("Cache-Control") == "public, max-age=86400")
        #expect(answer.value("X-Content-Type-Options") == "nosniff")
        #expect(tiles.asked == [TileAddress(zoom: 3, column: 5, row: 2)])
        // The corners of the first and the last zoom.
        for path in ["/tiles/2/0/0", "/tiles/2/3/3", "/tiles/9/511/511"] {
            #expect(await tiles.answer(path)?.status == 200)
        }
    }

    @Test(arguments: ["\"v1-3-5-2\"", "W/\"v1-3-5-2\"", "\"other\", \"v1-3-5-2\""])
    func `does not read a tile that the browser has`(tag: String) async throws {
        let tiles = FakeTiles()
        let answer = try #require(await tiles.answer("/tiles/3/5/2", ifNoneMatch: tag))
        #expect(answer.status == 304 && answer.body.isEmpty && tiles.asked.isEmpty)
        #expect(await tiles.answer("/tiles/3/5/3", ifNoneMatch: tag)?.status == 200)
    }

    @Test(.defends("path-traversal"), arguments: wrongPaths)
    func `answers 404 for a tile that no map has, without a read`(path: String) async throws {
        let tiles = FakeTiles()
        #expect(await tiles.answer(path)?.status == 404)
        #expect(tiles.asked.isEmpty)
    }

    @Test(arguments: ["/", "/tiles", "/tile/3/5/2", "/assets/tiles/3/5/2"])
    func `leaves other paths to others`(path: String) async { #expect(await FakeTiles().answer(path) == nil) }

    @Test(arguments: [
        (FakeTiles.Content.missing, 404), (.bytes([]), 404), (.bytes(Array("<svg onload=x>".utf8)), 404),
        (.bytes([0x1F, 0x8B, 8]), 404), (.failing, 500), (.busy, 503),
    ])
    func `says that there is no tile, no picture, no file or no room`(
        content: FakeTiles.Content,
        status: Int
    ) async throws {
        let answer = try #require(await FakeTiles(content).answer("/tiles/3/5/2"))
        #expect(answer.status == status && answer.value("ETag") == nil)
        #expect((answer.value("Retry-After") != nil) == (status == 503))
    }

    @Test(arguments: [("/nowhere/map.mbtiles", "does not exist"), ("FOLDER", "is not an SQLite database")])
    func `rejects a start with a file without tiles, naming the setting`(path: String, reason: String) throws {
        let file = NSTemporaryDirectory() + "tiles-\(UUID().uuidString).mbtiles"
        try Data(repeating: 0x41, count: 5_000).write(to: URL(fileURLWithPath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        var web = ServerSettings.Web()
        web.tiles = path == "FOLDER" ? file : path
        let error = try #require(throws: StartError.self) { _ = try TileRoute.file(web) }
        #expect("\(error)".contains("web.tiles \(reason)") && "\(error)".contains(web.tiles ?? "-"))
        web.isEnabled = false
        #expect(try TileRoute.file(web) == nil)
        web.isEnabled = true
        web.tiles = "https://tiles.example/{z}/{x}/{y}"
        #expect(try TileRoute.file(web) == nil)
    }

    @Test(arguments: [
        ("© <a href=\"https://www.openstreetmap.org/copyright\">OpenStreetMap</a>", "© OpenStreetMap"),
        ("&copy; A &amp; B", "© A & B"), ("&amp;lt;b&amp;gt;", "&lt;b&gt;"), ("a < b", "a < b"), ("<b>", ""),
    ])
    func `shows an attribution without its markup`(markup: String, text: String) {
        #expect(PlainText(ofMarkup: markup).text == text)
    }
}

/// Tiles out of range, malformed numbers, and attempts to reach files.
private let wrongPaths: [String] =
    ["1/0/0", "10/0/0", "22/0/0", "99/0/0", "3/8/0", "3/0/8", "3/8/8", "9/512/0", "9/0/512", "2/4/4", "2/0/9999999"].map
{
    "/tiles/" + $0
}
    + ["3/-1/0", "3/0/-1", "-3/0/0", "3/5/99999999", "3/5/18446744073709551616", "3/5/9223372036854775807"].map {
        "/tiles/" + $0
    }
    + [
        "3/5", "3", "", "/", "3/5/", "3//2", "/3/5/2", "3/5/2/", "3/5/2/1", "3/5/2.png", "3/5/2?x", "3/5/2#x", "3/5/2;",
        "3/5/ 2", " 3/5/2", "3/5/2 ", "3/5/+2", "3/5/02", "03/5/2", "3/5/2.0", "3/5/2e0", "3/5/0x2", "3/5/٢", "３/5/2",
        "3/5/2\u{301}", "3/5/\u{0}", "3/5/2\n", "z/x/y", "{z}/{x}/{y}", "NaN/0/0", "3/inf/0", "null/0/0",
        "../../etc/passwd", "3/../3/5/2", "3/5/../../../map.mbtiles", "..%2f..%2fetc/0/0", "3/5/2'--", "3/5/2 OR 1=1",
        "3\\5\\2", "./3/5/2", "3/./2", "3/5/%32",
    ].map { "/tiles/" + $0 }

/// Tiles of zoom 2 to 9, all alike.
final class FakeTiles: TileSource {
    enum Content: Sendable {
        case bytes([UInt8])
        case missing, failing, busy
    }

    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let facts = TileFacts(zooms: 2...9, stamp: "v1")
    private let content: Content
    private let addresses = Guarded<[TileAddress]>([])

    init(_ content: Content = .bytes(png)) { self.content = content }

    /// The tiles that were read.
    var asked: [TileAddress] { addresses.withLock { $0 } }

    func read(_ tile: TileAddress, done: @escaping @Sendable (Result<[UInt8]?, TileFileError>) -> Void) -> Bool {
        addresses.withLock { $0.append(tile) }
        switch content {
        case .bytes(let bytes): done(.success(bytes))
        case .missing: done(.success(nil))
        case .failing: done(.failure(.unreadable("gone")))
        case .busy: return false
        }
        return true
    }

    /// The reply of a route to these tiles; nil if the path is none of its.
    func answer(_ path: String, ifNoneMatch: String? = nil) async -> HTTPResponse? {
        let route = TileRoute(self, log: Logger(label: "tile-tests") { _ in SwiftLogNoOpLogHandler() })
        let request = HTTPRequest(path: path, remoteAddress: "127.0.0.1", ifNoneMatch: ifNoneMatch)
        switch route.respond(to: request) {
        case .now(let response)?: return response
        case .later(let work)?: return await work()
        case nil: return nil
        }
    }
}

extension HTTPResponse {
    fileprivate func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
