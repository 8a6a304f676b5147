internal import Crypto
internal import Foundation
internal import PromisedTransport

struct WebFolder: Sendable {
    let path: String

    /// The largest accepted file of a page; a larger one is a mistake.
    private static let mostBytes = 4 * 1_024 * 1_024

    /// The folder of the installed page: beside the executable after a build, or where a package installs it; nil if
    /// neither exists.
    static func shipped() -> WebFolder? {
        var candidates = ["/usr/share/promised/page"]
        if let programs {
            candidates =
                [
                    programs + "/promised_PromisedServer.resources/Web",
                    programs + "/../share/promised/page",
                ] + candidates
        }
        return candidates.map(WebFolder.init).first { $0.file("index.html") != nil }
    }

    /// The folder that a release's archive has for Leaflet, whether it is there or not; nil if the executable's folder
    /// is unknown.
    static func shippedLeaflet() -> WebFolder? {
        programs.map { WebFolder(path: $0 + "/../share/promised/leaflet") }
    }

    /// The executable's folder.
    private static var programs: String? {
        Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path
    }

    /// A file by its path inside the folder; nil if it is missing, too large, not a regular file or of an unknown kind.
    func file(_ name: String) -> WebFile? {
        let url = URL(fileURLWithPath: path).appendingPathComponent(name).resolvingSymlinksInPath()
        // An unreadable file counts as missing: the caller reports that.
        guard let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]),
            values.isRegularFile == true, let size = values.fileSize, size <= Self.mostBytes,
            let data = try? Data(contentsOf: url)
        else { return nil }
        return WebFile(name: name, bytes: Array(data))
    }

    /// All files of known kinds in the folder, except hidden ones, by their path inside it.
    func files() -> [String: WebFile] {
        var found: [String: WebFile] = [:]
        for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? []
        where !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
            if let file = file(name) { found[name] = file }
        }
        return found
    }
}

/// A file of the page, read once, immutable.
struct WebFile: Sendable {
    let bytes: [UInt8]
    /// The media type, with the character set for text.
    let contentType: String
    /// The strong validator, including quotes: a hash of the bytes, so it stays the same across restarts.
    let entityTag: String

    init(bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
        let digest = SHA256.hash(data: bytes).prefix(12)
        entityTag = "\"" + digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "\""
    }

    /// A file with that name; nil for a kind that the page does not use.
    init?(name: some StringProtocol, bytes: [UInt8]) {
        guard let dot = name.lastIndex(of: "."), let type = Self.types[String(name[name.index(after: dot)...])] else {
            return nil
        }
        self.init(bytes: bytes, contentType: type)
    }

    /// The reply to a request for the file: the file, or 304 if the browser already has it (RFC 9110 §13.1.2).
    func response(ifNoneMatch: String?, headers: [HTTPHeader]) -> HTTPResponse {
        let caching = [HTTPHeader("ETag", entityTag), HTTPHeader("Cache-Control", "no-cache")]
        guard !matches(ifNoneMatch) else { return HTTPResponse(status: 304, headers: caching + headers) }
        return HTTPResponse(status: 200, contentType: contentType, headers: caching + headers, body: bytes)
    }

    /// `true` if a list of validators contains this one; weak ones match strong ones, as the clause requires.
    private func matches(_ list: String?) -> Bool {
        guard let list else { return false }
        return list.split(separator: ",").contains { item in
            let tag = item.drop { $0 == " " || $0 == "\t" }.split(separator: " ").first ?? ""
            return tag == "*" || tag == entityTag || tag == "W/" + entityTag
        }
    }

    private static let types = [
        "html": "text/html; charset=utf-8",
        "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "svg": "image/svg+xml",
        "png": "image/png",
        "gz": "application/gzip",
        "webmanifest": "application/manifest+json",
    ]
}
