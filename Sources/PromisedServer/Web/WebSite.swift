internal import Foundation
internal import Logging
internal import PromisedSettings
internal import PromisedStore
internal import PromisedTransport

/// The live map page: `/` and everything under `/assets/`, read at start and served from memory.
///
/// Paths are looked up in a table of the loaded files; a browser's text is never used as a file path.
struct WebSite: Sendable {
    /// By the bytes of their paths, because look-ups of text cost more with each combining mark.
    private let files: [[UInt8]: WebFile]
    private let policy: WebPolicy
    /// The document at `/`.
    let start: String
    /// The map tiles of a file; nil without one.
    let tiles: TileRoute?

    /// The site by these settings; nil if it is disabled, or if the page is not installed.
    ///
    /// - Throws: ``StartError`` if the settings name a folder without a page, or a file without tiles.
    init?(_ settings: ServerSettings, log: Logger) throws(StartError) {
        guard settings.web.isEnabled else { return nil }
        guard let folder = try Self.folder(settings.web) else {
            log.warning("The page's files are not installed: set web.directory to serve the page")
            return nil
        }
        let leaflet = Self.leaflet(of: settings.web)
        if leaflet.isEmpty {
            log.warning(
                "Leaflet is not installed, so the page shows no map: install libjs-leaflet or set web.leaflet",
                metadata: ["folder": "\(settings.web.leaflet)"]
            )
        }
        let codes = WebFolder(path: settings.web.qrCodes).file("qrcode.js")
        tiles = try TileRoute(settings.web, log: log)
        let facts = WebFacts(
            settings,
            hasLeaflet: !leaflet.isEmpty,
            hasQRCodes: codes != nil,
            file: tiles?.facts
        )
        var files = leaflet
        for (name, file) in folder.files() { files[name == "index.html" ? "/" : "/assets/" + name] = file }
        files["/assets/config.json"] = WebFile(bytes: facts.json, contentType: "application/json")
        if let codes { files["/assets/qrcode.js"] = codes }
        start = folder.file("index.html").map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        self.files = Dictionary(uniqueKeysWithValues: files.map { (Array($0.key.utf8), $0.value) })
        policy = WebPolicy(tiles: settings.web.tiles)
    }

    /// The reply to a request for a file of the site; nil for other paths.
    func respond(to request: HTTPRequest) -> HTTPResponse? {
        guard let file = files[Array(request.path.utf8)] else { return nil }
        return file.response(ifNoneMatch: request.ifNoneMatch, headers: policy.headers(host: request.host))
    }

    /// The headers of every document of the site.
    func headers(for request: HTTPRequest) -> [HTTPHeader] { policy.headers(host: request.host) }

    private static func folder(_ web: ServerSettings.Web) throws(StartError) -> WebFolder? {
        guard let directory = web.directory else { return WebFolder.shipped() }
        let folder = WebFolder(path: directory)
        guard folder.file("index.html") != nil else {
            throw StartError("The folder of web.directory contains no page: \(directory)/index.html")
        }
        return folder
    }

    /// Leaflet in the folder of the settings, or in that of an unpacked archive; empty if neither has it.
    private static func leaflet(of web: ServerSettings.Web) -> [String: WebFile] {
        let configured = leaflet(in: WebFolder(path: web.leaflet))
        guard configured.isEmpty, let shipped = WebFolder.shippedLeaflet() else { return configured }
        return leaflet(in: shipped)
    }

    /// Leaflet's module, style sheet and pictures with their paths; empty if the module or the style sheet is missing.
    private static func leaflet(in folder: WebFolder) -> [String: WebFile] {
        // The name in Debian, and the name in Leaflet's own release.
        let names = ["leaflet.esm.min.js", "leaflet-src.esm.js"]
        guard let module = names.lazy.compactMap(folder.file).first, let style = folder.file("leaflet.css") else {
            return [:]
        }
        var files = ["/assets/leaflet/leaflet.esm.js": module, "/assets/leaflet/leaflet.css": style]
        for (name, file) in WebFolder(path: folder.path + "/images").files() {
            files["/assets/leaflet/images/" + name] = file
        }
        return files
    }
}

/// The data that the page needs before it connects: `/assets/config.json`.
struct WebFacts: Encodable {
    /// A source of map tiles.
    struct Tiles: Encodable {
        /// The URL template with `{z}`, `{x}` and `{y}`.
        let url: String
        /// Plain text, or empty.
        let attribution: String
        /// The zooms of a file's tiles, and their west, south, east and north; absent for another host's.
        var minZoom: Int?
        var maxZoom: Int?
        var bounds: [Double]?
    }

    let version: String
    /// `true` if Leaflet is installed.
    let leaflet: Bool
    /// `true` if the library for QR codes is installed.
    let qrCodes: Bool
    /// Absent if the page shows a grid instead.
    let tiles: Tiles?
    /// The public origin of the server for links; absent: that of the page.
    let base: String?
    /// The source of accounts: `local` or `issuer`.
    let accounts: String

    init(_ settings: ServerSettings, hasLeaflet: Bool, hasQRCodes: Bool, file: TileFacts?) {
        version = ProductVersion.text
        leaflet = hasLeaflet
        qrCodes = hasQRCodes
        base = settings.links.base
        let attribution = settings.web.tilesAttribution
        if let file {
            let own = file.attribution.map(PlainText.init(ofMarkup:))?.text
            tiles = Tiles(
                url: "/tiles/{z}/{x}/{y}",
                attribution: attribution ?? own ?? "",
                minZoom: file.zooms.lowerBound,
                maxZoom: file.zooms.upperBound,
                bounds: file.bounds
            )
        } else {
            tiles = settings.web.tiles.map { Tiles(url: $0, attribution: attribution ?? "") }
        }
        accounts = settings.auth.accounts.rawValue
    }

    /// The facts as JSON, keys sorted.
    var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(self))
        } catch {
            preconditionFailure("Text and booleans always encode: \(error)")
        }
    }
}

/// The text of a piece of markup, such as an attribution with links.
struct PlainText {
    let text: String

    init(ofMarkup markup: String) {
        var text = markup.replacing(/<[^<>]*>/, with: "")
        for (entity, character) in [
            ("&copy;", "©"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "),
            ("&amp;", "&"),
        ] { text = text.replacing(entity, with: character) }
        self.text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
