internal import Foundation
internal import PromisedSettings

/// What the page has to know of the server before it connects: `/assets/config.json`.
struct WebFacts: Encodable {
    /// A source of map tiles.
    struct Tiles: Encodable {
        /// The URL template with `{z}`, `{x}` and `{y}`.
        let url: String
        /// Who made the tiles, as plain text; empty for nobody.
        let attribution: String
    }

    /// The server's version.
    let version: String
    /// Whether Leaflet is there.
    let leaflet: Bool
    /// The tiles; absent for the grid.
    let tiles: Tiles?
    /// Who knows the users: `local` or `issuer`.
    let accounts: String

    /// The facts of a server with these settings.
    init(_ settings: ServerSettings, hasLeaflet: Bool) {
        version = ProductVersion.text
        leaflet = hasLeaflet
        tiles = settings.web.tiles.map { Tiles(url: $0, attribution: settings.web.tilesAttribution ?? "") }
        accounts = settings.auth.accounts.rawValue
    }

    /// The facts as JSON, keys sorted.
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(self))
        } catch {
            preconditionFailure("Texts and truth values always encode: \(error)")
        }
    }
}
