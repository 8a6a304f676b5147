internal import Foundation

/// A folder whose files the server sends.
struct WebFolder: Sendable {
    /// Where it is.
    let path: String

    /// No file of a page is larger; what is, was put there by mistake.
    private static let mostBytes = 4 * 1_024 * 1_024

    /// The folder of the page that came with the server: beside the executable as the build leaves it, or where a
    /// package puts it; nil when neither is there.
    static func shipped() -> WebFolder? {
        let executable = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path
        var candidates = ["/usr/share/promised/page"]
        if let executable {
            candidates =
                [
                    executable + "/promised_PromisedServer.resources/Page",
                    executable + "/../share/promised/page",
                ] + candidates
        }
        return candidates.map(WebFolder.init).first { $0.file("index.html") != nil }
    }

    /// A file by its path inside the folder; nil when it is missing, too large, no regular file or of no known kind.
    func file(_ name: String) -> WebFile? {
        let url = URL(fileURLWithPath: path).appendingPathComponent(name).resolvingSymlinksInPath()
        // What cannot be looked at or read counts as missing: the caller says so.
        guard let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey]),
            values.isRegularFile == true, let size = values.fileSize, size <= Self.mostBytes,
            let data = try? Data(contentsOf: url)
        else { return nil }
        return WebFile(name: name, bytes: Array(data))
    }

    /// All files of known kinds under the folder, hidden ones left out, by their path inside it.
    func files() -> [String: WebFile] {
        var found: [String: WebFile] = [:]
        for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? []
        where !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
            if let file = file(name) { found[name] = file }
        }
        return found
    }
}
