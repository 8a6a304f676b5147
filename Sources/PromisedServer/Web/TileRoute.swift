internal import Logging
internal import PromisedConcurrency
internal import PromisedSettings
internal import PromisedStore
internal import PromisedTransport

/// A source of raster tiles.
protocol TileSource: Sendable {
    var facts: TileFacts { get }

    /// Reads a tile and passes it to `done`, on another thread; nil if there is none.
    ///
    /// - Returns: `false` if too many tiles wait: then `done` is not called.
    func read(_ tile: TileAddress, done: @escaping @Sendable (Result<[UInt8]?, TileFileError>) -> Void) -> Bool
}

extension TileFile: TileSource {}

/// The map tiles of a file at `/tiles/z/x/y`.
struct TileRoute: Sendable {
    private static let prefix = "/tiles/"
    private static let caching = HTTPHeader("Cache-Control", "public, max-age=86400")

    private let source: any TileSource
    private let log: Logger
    /// `true` once a failed read was logged: a broken file must not fill the log.
    private let hasFailed = Guarded(false)

    init(_ source: any TileSource, log: Logger) {
        self.source = source
        self.log = log
    }

    /// The tiles of the file in `web.tiles`; nil if the setting names none.
    ///
    /// - Throws: ``StartError`` for a file without raster tiles.
    init?(_ web: ServerSettings.Web, log: Logger) throws(StartError) {
        guard let source = try Self.file(web) else { return nil }
        self.init(source, log: log)
    }

    /// Opens the file in `web.tiles`; nil if the setting names none, or the page is disabled.
    ///
    /// - Throws: ``StartError`` for a file without raster tiles.
    static func file(_ web: ServerSettings.Web) throws(StartError) -> TileFile? {
        guard web.isEnabled, let path = web.tiles, TileTemplate.isFile(path) else { return nil }
        do throws(TileFileError) {
            return try TileFile(path: path)
        } catch {
            throw StartError("The file of web.tiles \(error): \(path)")
        }
    }

    var facts: TileFacts { source.facts }

    /// The reply to a request for a tile, or nil for other paths. A browser that has the tile gets 304 without a read.
    func respond(to request: HTTPRequest) -> HTTPReply? {
        guard request.path.utf8.starts(with: Self.prefix.utf8) else { return nil }
        guard let tile = address(request.path) else { return .now(.notFound) }
        let tag = "\"\(facts.stamp)-\(tile.zoom)-\(tile.column)-\(tile.row)\""
        let headers = [HTTPHeader("ETag", tag), Self.caching, HTTPHeader("X-Content-Type-Options", "nosniff")]
        if let known = request.ifNoneMatch, known.contains(tag) {
            return .now(HTTPResponse(status: 304, headers: headers))
        }
        return .later {
            await withCheckedContinuation { continuation in
                let isQueued = source.read(tile) { continuation.resume(returning: response($0, headers)) }
                guard !isQueued else { return }
                let retry = HTTPHeader("Retry-After", "1")
                continuation.resume(returning: HTTPResponse(status: 503, headers: [retry]))
            }
        }
    }

    private func response(_ result: Result<[UInt8]?, TileFileError>, _ headers: [HTTPHeader]) -> HTTPResponse {
        switch result {
        case .success(let bytes?):
            guard let picture = TilePicture(of: bytes) else { return .notFound }
            return HTTPResponse(status: 200, contentType: picture.rawValue, headers: headers, body: bytes)
        case .success(nil): return .notFound
        case .failure(let error):
            let isFirst = hasFailed.withLock { failed in
                defer { failed = true }
                return !failed
            }
            if isFirst {
                log.error("A tile could not be read; later failures are not logged", metadata: ["error": "\(error)"])
            }
            return HTTPResponse(status: 500)
        }
    }

    /// The tile of a path; nil unless it is written as the page writes it and can be in the file.
    private func address(_ path: String) -> TileAddress? {
        let parts = path.utf8.dropFirst(Self.prefix.utf8.count).split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, let zoom = Self.number(parts[0]), facts.zooms.contains(zoom),
            let column = Self.number(parts[1]), let row = Self.number(parts[2]), max(column, row) < 1 << zoom
        else { return nil }
        return TileAddress(zoom: zoom, column: column, row: row)
    }

    /// A number of up to seven digits, without leading zeros.
    private static func number(_ digits: Substring.UTF8View) -> Int? {
        guard (1...7).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.count == 1 || digits.first != UInt8(ascii: "0")
        else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
