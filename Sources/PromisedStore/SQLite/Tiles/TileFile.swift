internal import Dispatch
internal import Foundation
internal import GRDB
internal import PromisedConcurrency

/// A file of raster map tiles in the MBTiles format (version 1.3), opened read-only.
///
/// One connection reads, on a queue of its own. The file may be foreign: its schema is not trusted, and a tile has at
/// most ``mostBytes``. Replace a file by renaming a new one over it and starting the server again.
package final class TileFile: Sendable {
    /// The largest tile, in bytes; larger ones count as missing.
    package static let mostBytes = 1 << 20
    /// The most tiles that wait to be read.
    package static let mostWaiting = 256
    private static let cacheKiB = 4_096

    package let facts: TileFacts
    private let database: DatabaseQueue
    private let waiting = Guarded(0)

    /// Opens a file and checks that it has raster tiles. Blocks the thread.
    ///
    /// - Throws: ``TileFileError``.
    package init(path: String) throws(TileFileError) {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(
                atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            )
        } catch {
            throw .missing
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else { throw .missing }
        do {
            database = try DatabaseQueue(path: path, configuration: Self.configuration())
            facts = try database.read { db in try TileSurvey(db).facts(stamp: Self.stamp(attributes)) }
        } catch let error as TileFileError {
            throw error
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw .noDatabase
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Reads a tile and passes it to `done`, on the queue of the file; nil if the file lacks it.
    ///
    /// - Returns: `false` if ``mostWaiting`` tiles wait: then `done` is not called.
    package func read(
        _ tile: TileAddress,
        done: @escaping @Sendable (Result<[UInt8]?, TileFileError>) -> Void
    ) -> Bool {
        let hasRoom = waiting.withLock { waiting in
            guard waiting < Self.mostWaiting else { return false }
            waiting += 1
            return true
        }
        guard hasRoom else { return false }
        database.asyncRead { [waiting] access in
            defer { waiting.withLock { $0 -= 1 } }
            done(Result { try Self.bytes(of: tile, access.get()) }.mapError { .unreadable("\($0)") })
        }
        return true
    }

    private static func bytes(of tile: TileAddress, _ db: Database) throws -> [UInt8]? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT tile_data FROM tiles
                WHERE zoom_level = ? AND tile_column = ? AND tile_row = ? AND length(tile_data) <= ?
                """
        )
        // Rows count from the south.
        let row = (1 << tile.zoom) - 1 - tile.row
        let data = try Data.fetchOne(statement, arguments: [tile.zoom, tile.column, row, mostBytes])
        return data.map(Array.init)
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.label = "promised.tiles"
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cache_size = -\(cacheKiB)")
        }
        return configuration
    }

    /// Size and time of modification: the same bytes have the same stamp, over restarts too.
    private static func stamp(_ attributes: [FileAttributeKey: Any]) -> String {
        let size = (attributes[.size] as? NSNumber)?.int64Value ?? 0
        let modified = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return String(size, radix: 36) + String(Int64(modified * 1_000), radix: 36)
    }
}

/// A tile of the web's scheme: at `zoom` there are 2^`zoom` columns from west to east and as many rows from north to
/// south.
package struct TileAddress: Sendable, Hashable {
    package let zoom: Int
    package let column: Int
    package let row: Int

    package init(zoom: Int, column: Int, row: Int) {
        self.zoom = zoom
        self.column = column
        self.row = row
    }
}

/// The contents of a file of tiles.
package struct TileFacts: Sendable, Hashable {
    /// The zooms that have tiles, within 0 to ``TileSurvey/mostZoom``.
    package var zooms: ClosedRange<Int>
    /// West, south, east and north in degrees; nil if the file does not say.
    package var bounds: [Double]?
    /// As in the file, with markup; nil if it has none.
    package var attribution: String?
    /// Identifies the version of the file, in letters and digits.
    package var stamp: String

    package init(zooms: ClosedRange<Int>, bounds: [Double]? = nil, attribution: String? = nil, stamp: String) {
        self.zooms = zooms
        self.bounds = bounds
        self.attribution = attribution
        self.stamp = stamp
    }
}

/// The reason why a file of tiles cannot be used.
package enum TileFileError: Error, Hashable, CustomStringConvertible {
    case missing
    case noDatabase
    /// It has no such table or view.
    case noTable(String)
    case noTiles
    /// Its metadata name this format, or its tiles have an unknown one.
    case noPictures(format: String)
    /// Its metadata have this value, which is not allowed.
    case invalid(name: String, value: String)
    /// It has no tile at a zoom that its metadata name.
    case emptyZoom(Int)
    case unreadable(String)

    /// The rest of a sentence that begins with the file's path.
    package var description: String {
        switch self {
        case .missing: "does not exist or is not a file"
        case .noDatabase: "is not an SQLite database, and therefore not an MBTiles file"
        case .noTable(let name): "is not an MBTiles file: it has no table \(name)"
        case .noTiles: "contains no tiles"
        case .noPictures(let format): "contains \(format) tiles; only png, jpg and webp can be shown"
        case .invalid(let name, let value): "has the invalid \(name) \"\(value)\" in its metadata"
        case .emptyZoom(let zoom): "contains no tiles at zoom \(zoom), which its metadata name"
        case .unreadable(let cause): "cannot be read: \(cause)"
        }
    }
}
