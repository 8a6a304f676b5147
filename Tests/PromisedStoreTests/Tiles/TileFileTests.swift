import Foundation
import GRDB
import PromisedConcurrency
import PromisedTestSupport
import Testing

@testable import PromisedStore

@Suite struct TileFileTests {
    @Test func `reads tiles by the rows of the web, and facts of the metadata`() async throws {
        try await TileWorld.with { world in
            let path = try world.file { db in
                try db.execute(
                    sql: """
                        INSERT INTO metadata VALUES ('format', 'png'), ('minzoom', '2'), ('maxzoom', '3.0'),
                            ('bounds', '124.5, 33.0,131.0,39.0'), ('attribution', '© Somebody');
                        INSERT INTO tiles VALUES (2, 3, 2, x'89504E470D0A1A0A02'), (3, 6, 5, x'89504E470D0A1A0A03')
                        """
                )
            }
            let file = try TileFile(path: path)
            #expect(file.facts.zooms == 2...3 && file.facts.bounds == [124.5, 33, 131, 39])
            #expect(file.facts.attribution == "© Somebody" && !file.facts.stamp.isEmpty)
            #expect(try await file.bytes(2, 3, 1)?.last == 2)
            #expect(try await file.bytes(3, 6, 2)?.last == 3)
            #expect(try await file.bytes(3, 6, 5) == nil)
            #expect(try TileFile(path: path).facts == file.facts)
        }
    }

    @Test func `reads the zooms of a file whose metadata lack them, and tiles of a view`() async throws {
        try await TileWorld.with { world in
            let path = try world.file(tables: false) { db in
                try db.execute(
                    sql: """
                        CREATE TABLE metadata (name TEXT, value TEXT);
                        CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT);
                        CREATE TABLE images (tile_id TEXT, tile_data BLOB);
                        CREATE VIEW tiles AS SELECT zoom_level, tile_column, tile_row, tile_data
                            FROM map JOIN images ON images.tile_id = map.tile_id;
                        INSERT INTO images VALUES ('sea', x'FFD8FFE000');
                        INSERT INTO map VALUES (4, 0, 0, 'sea'), (6, 1, 1, 'sea')
                        """
                )
            }
            let file = try TileFile(path: path)
            #expect(file.facts.zooms == 4...6 && file.facts.bounds == nil && file.facts.attribution == nil)
            #expect(try await file.bytes(4, 0, 15) == [0xFF, 0xD8, 0xFF, 0xE0, 0])
        }
    }

    @Test(arguments: brokenFiles)
    func `rejects a broken or foreign file`(_ broken: BrokenTiles) async throws {
        try await TileWorld.with { world in
            let path = try world.file(tables: broken.hasTables) { db in try db.execute(sql: broken.sql) }
            let error = try #require(throws: TileFileError.self) { _ = try TileFile(path: path) }
            #expect(error == broken.error, "\(error)")
            #expect(!"\(error)".isEmpty && !"\(error)".hasSuffix("."))
        }
    }

    @Test func `rejects a missing file, a folder, another kind of file, an empty and a cut one`() async throws {
        try await TileWorld.with { world in
            #expect(throws: TileFileError.missing) { _ = try TileFile(path: world.folder + "/none.mbtiles") }
            #expect(throws: TileFileError.missing) { _ = try TileFile(path: world.folder) }
            let text = world.folder + "/text.mbtiles"
            try Data(repeating: 0x20, count: 9_000).write(to: URL(fileURLWithPath: text))
            #expect(throws: TileFileError.noDatabase) { _ = try TileFile(path: text) }
            let empty = world.folder + "/empty.mbtiles"
            try Data().write(to: URL(fileURLWithPath: empty))
            #expect(throws: TileFileError.noTable("tiles")) { _ = try TileFile(path: empty) }
            let whole = try world.file { db in
                try db.execute(sql: "INSERT INTO tiles VALUES (0, 0, 0, x'89504E470D0A1A0A' || zeroblob(100000))")
            }
            let cut = world.folder + "/cut.mbtiles"
            try Data(contentsOf: URL(fileURLWithPath: whole)).prefix(6_000).write(to: URL(fileURLWithPath: cut))
            #expect(throws: TileFileError.self) { _ = try TileFile(path: cut) }
        }
    }

    @Test func `a tile that is too large is missing`() async throws {
        try await TileWorld.with { world in
            let path = try world.file { db in
                for (column, size) in [(0, TileFile.mostBytes), (1, TileFile.mostBytes + 1)] {
                    let tile = FakePicture.png + Data(count: size - FakePicture.png.count)
                    try db.execute(sql: "INSERT INTO tiles VALUES (1, ?, 0, ?)", arguments: [column, tile])
                }
            }
            let file = try TileFile(path: path)
            #expect(try await file.bytes(1, 0, 1)?.count == TileFile.mostBytes)
            #expect(try await file.bytes(1, 1, 1) == nil)
        }
    }

    @Test func `refuses tiles while as many as it holds wait, and reads again afterwards`() async throws {
        try await TileWorld.with { world in
            let file = try TileFile(
                path: try world.file { db in try db.execute(sql: "INSERT INTO tiles VALUES (0, 0, 0, x'89504E47')") }
            )
            let tile = TileAddress(zoom: 0, column: 0, row: 0)
            let mayGoOn = DispatchSemaphore(value: 0)
            let done = Signals<Int>()
            #expect(file.read(tile) { _ in mayGoOn.wait() })
            for _ in 1..<TileFile.mostWaiting { #expect(file.read(tile) { _ in done.note(1) }) }
            #expect(!file.read(tile) { _ in done.note(1_000) })
            mayGoOn.signal()
            _ = await done.wait { $0.count == TileFile.mostWaiting - 1 }
            #expect(try await file.bytes(0, 0, 0)?.count == 4)
        }
    }

    @Test func `a file is not changed, and two can read it`() async throws {
        try await TileWorld.with { world in
            let path = try world.file { db in try db.execute(sql: "INSERT INTO tiles VALUES (0, 0, 0, x'89504E47')") }
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let (one, other) = (try TileFile(path: path), try TileFile(path: path))
            #expect(try await one.bytes(0, 0, 0) == other.bytes(0, 0, 0))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test(
        arguments: [
            (Array("RIFF0000WEBPVP8".utf8), TilePicture.webp), ([0x89, 0x50, 0x4E, 0x47], .png),
            ([0xFF, 0xD8, 0xFF], .jpeg),
            (Array("RIFF0000WAVE".utf8), nil), ([0x1F, 0x8B, 0x08], nil), ([0xFF, 0xD8], nil), ([], nil),
        ] as [([UInt8], TilePicture?)]
    )
    func `knows a picture by its first bytes`(bytes: [UInt8], picture: TilePicture?) {
        #expect(TilePicture(of: bytes) == picture)
    }
}

struct BrokenTiles: Sendable, CustomTestStringConvertible {
    var hasTables = true
    let sql: String
    let error: TileFileError

    var testDescription: String { "\(error)" }

    /// A file with one tile at zoom 3 and these metadata.
    static func metadata(_ name: String, _ value: String, _ error: TileFileError) -> BrokenTiles {
        BrokenTiles(
            sql: """
                INSERT INTO metadata VALUES ('\(name)', '\(value)');
                INSERT INTO tiles VALUES (3, 0, 0, x'89504E470D0A1A0A')
                """,
            error: error
        )
    }

    static func invalid(_ name: String, _ value: String) -> BrokenTiles {
        metadata(name, value, .invalid(name: name, value: value))
    }
}

private let brokenFiles: [BrokenTiles] = [
    BrokenTiles(hasTables: false, sql: "CREATE TABLE other (a)", error: .noTable("tiles")),
    BrokenTiles(hasTables: false, sql: "CREATE TABLE tiles (zoom_level)", error: .noTable("metadata")),
    BrokenTiles(sql: "", error: .noTiles),
    BrokenTiles(sql: "INSERT INTO tiles VALUES (0, 0, 0, x'1F8B0800')", error: .noPictures(format: "unknown")),
    BrokenTiles(sql: "INSERT INTO tiles VALUES (0, 0, 0, 'text')", error: .noPictures(format: "unknown")),
    BrokenTiles(sql: "INSERT INTO tiles VALUES (23, 0, 0, x'89504E47')", error: .invalid(name: "minzoom", value: "23")),
    BrokenTiles(sql: "INSERT INTO tiles VALUES (-1, 0, 0, x'89504E47')", error: .invalid(name: "minzoom", value: "-1")),
    .metadata("format", "pbf", .noPictures(format: "vector (pbf)")),
    .metadata("format", "tiff", .noPictures(format: "tiff")),
    .metadata("maxzoom", "4", .emptyZoom(4)),
    .metadata("minzoom", "2", .emptyZoom(2)),
    .metadata("maxzoom", "2", .invalid(name: "maxzoom", value: "2")),
    .invalid("maxzoom", "23"), .invalid("minzoom", "-1"), .invalid("minzoom", "three"), .invalid("maxzoom", "3.5"),
    .invalid("maxzoom", "1e99"), .invalid("minzoom", ""), .invalid("maxzoom", "nan"),
    .invalid("bounds", "1,2,3"), .invalid("bounds", "1,2,3,4,5"), .invalid("bounds", "a,b,c,d"),
    .invalid("bounds", "131,33,124,39"), .invalid("bounds", "124,39,131,33"), .invalid("bounds", "-181,0,10,10"),
    .invalid("bounds", "0,0,10,91"), .invalid("bounds", "nan,0,1,1"),
]

private enum FakePicture {
    static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
}

private struct TileWorld {
    let folder: String

    static func with(_ body: (TileWorld) async throws -> Void) async throws {
        let world = TileWorld(folder: NSTemporaryDirectory() + "promised-tiles-" + UUID().uuidString)
        try FileManager.default.createDirectory(atPath: world.folder, withIntermediateDirectories: true)
        // A temporary folder: the system removes it if this fails.
        defer { try? FileManager.default.removeItem(atPath: world.folder) }
        try await body(world)
    }

    /// The path of a new file, with the tables of the format unless told otherwise.
    func file(tables: Bool = true, _ fill: (Database) throws -> Void) throws -> String {
        let path = folder + "/\(UUID().uuidString).mbtiles"
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            if tables {
                try db.execute(
                    sql: """
                        CREATE TABLE metadata (name TEXT, value TEXT);
                        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
                        CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row)
                        """
                )
            }
            try fill(db)
        }
        try queue.close()
        return path
    }
}

extension TileFile {
    fileprivate func bytes(_ zoom: Int, _ column: Int, _ row: Int) async throws -> [UInt8]? {
        let tile = TileAddress(zoom: zoom, column: column, row: row)
        return try await withCheckedContinuation { continuation in
            #expect(read(tile) { continuation.resume(returning: $0) })
        }.get()
    }
}
