internal import Foundation
internal import GRDB

/// The check of a file of tiles when it is opened.
struct TileSurvey {
    /// The largest zoom: a tile is 10 m wide.
    static let mostZoom = 22
    private static let pictures = ["png", "jpg", "jpeg", "webp"]

    private let db: Database
    private let metadata: [String: String]

    /// - Throws: ``TileFileError/noTable(_:)``.
    init(_ db: Database) throws {
        for name in ["tiles", "metadata"] {
            let exists = try Bool.fetchOne(
                db,
                sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = ? AND type IN ('table', 'view'))",
                arguments: [name]
            )
            guard exists == true else { throw TileFileError.noTable(name) }
        }
        // Names and values are short; a foreign file may have more of them than anybody reads.
        let rows = try Row.fetchAll(
            db,
            sql: "SELECT name, value FROM metadata WHERE length(value) <= 4096 AND typeof(name) = 'text' LIMIT 100"
        )
        var metadata: [String: String] = [:]
        for row in rows {
            guard let name = String.fromDatabaseValue(row[0]) else { continue }
            metadata[name] = String.fromDatabaseValue(row[1]) ?? (row[1] as Double?).map { "\($0)" }
        }
        self.db = db
        self.metadata = metadata
    }

    /// - Throws: ``TileFileError``.
    func facts(stamp: String) throws -> TileFacts {
        if let format = metadata["format"], !Self.pictures.contains(format.lowercased()) {
            throw TileFileError.noPictures(format: format == "pbf" ? "vector (pbf)" : format)
        }
        let zooms = try zooms()
        guard let first = try sample(zooms.upperBound) else { throw TileFileError.emptyZoom(zooms.upperBound) }
        guard TilePicture(of: first) != nil else { throw TileFileError.noPictures(format: "unknown") }
        guard try sample(zooms.lowerBound) != nil else { throw TileFileError.emptyZoom(zooms.lowerBound) }
        return TileFacts(
            zooms: zooms,
            bounds: try bounds(),
            attribution: metadata["attribution"].flatMap { $0.isEmpty ? nil : $0 },
            stamp: stamp
        )
    }

    /// The zooms by the metadata, or where they lack one, by the tiles.
    private func zooms() throws -> ClosedRange<Int> {
        guard try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM tiles)") == true else {
            throw TileFileError.noTiles
        }
        let least = try zoom("minzoom", orBy: "SELECT min(zoom_level) FROM tiles")
        let most = try zoom("maxzoom", orBy: "SELECT max(zoom_level) FROM tiles")
        guard least <= most else { throw TileFileError.invalid(name: "maxzoom", value: "\(most)") }
        return least...most
    }

    private func zoom(_ name: String, orBy sql: String) throws -> Int {
        let text = try metadata[name] ?? Int.fetchOne(db, sql: sql).map { "\($0)" } ?? ""
        // Some tools write 3.0.
        guard let number = Double(text), let zoom = Int(exactly: number), (0...Self.mostZoom).contains(zoom) else {
            throw TileFileError.invalid(name: name, value: text)
        }
        return zoom
    }

    private func sample(_ zoom: Int) throws -> Data? {
        try Data.fetchOne(
            db,
            sql: "SELECT substr(tile_data, 1, 16) FROM tiles WHERE zoom_level = ? LIMIT 1",
            arguments: [zoom]
        )
    }

    private func bounds() throws -> [Double]? {
        guard let text = metadata["bounds"], !text.isEmpty else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespaces)) ?? .nan
        }
        guard parts.count == 4, parts.allSatisfy(\.isFinite), parts[1] < parts[3],
            (-180.0...180).contains(parts[0]), (-180.0...180).contains(parts[2]), parts[0] < parts[2],
            (-90.0...90).contains(parts[1]), (-90.0...90).contains(parts[3])
        else { throw TileFileError.invalid(name: "bounds", value: text) }
        return parts
    }
}

/// The kind of a tile's picture.
package enum TilePicture: String, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case webp = "image/webp"

    /// The kind by the first bytes; nil for something else, such as a vector tile.
    package init?(of bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(12))
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).elementsEqual("WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }
}
