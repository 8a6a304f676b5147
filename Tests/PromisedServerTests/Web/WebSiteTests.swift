import Foundation
import Logging
import PromisedTestMarks
import PromisedTransport
import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite struct WebSiteTests {
    @Test(.proves("/")) func `serves the built-in page with its files`() throws {
        try WebWorld.with { world in
            let site = try #require(try world.site { $0.web.directory = nil })
            #expect(site.respond(to: .get("/"))?.status == 200)
            #expect(site.respond(to: .get("/"))?.contentType == "text/html; charset=utf-8")
            #expect(site.respond(to: .get("/assets/promised.js"))?.contentType == "text/javascript; charset=utf-8")
            #expect(site.respond(to: .get("/assets/client/feed.js"))?.status == 200)
        }
    }

    @Test func `every file of the page exists`() throws {
        let page = try #require(WebFolder.shipped())
        let files = page.files()
        let index = try #require(files["index.html"])
        let names = try index.text.matches(of: Regex(#"(?:href|src)="/assets/([^"]+)""#)).compactMap { $0[1].substring }
        #expect(names.count >= 5)
        for name in names where !name.hasPrefix("leaflet/") { #expect(files[String(name)] != nil, "\(name)") }
        let folders = files.filter { $0.key.hasSuffix(".js") }
        for (name, file) in folders {
            let base = URL(fileURLWithPath: "/" + name)
            for match in try file.text.matches(of: Regex(#"from '(\.[^']+)'"#)) {
                let path = URL(fileURLWithPath: String(match[1].substring ?? ""), relativeTo: base).path.dropFirst()
                #expect(files[String(path)] != nil, "\(name) imports \(path)")
            }
        }
    }

    @Test(.defends("script-injection"))
    func `no file of the page contains inline code, styles or another host`() throws {
        let page = try #require(WebFolder.shipped())
        for (name, file) in page.files() {
            if name.hasSuffix(".html") {
                #expect(!file.text.contains("style=") && !file.text.contains("onclick"), "\(name)")
                #expect(file.text.matches(of: /<script(?! type="module" src="\/assets\/)/).isEmpty, "\(name)")
            }
            if name.hasSuffix(".js") { #expect(!file.text.contains("innerHTML"), "\(name)") }
            let elsewhere = file.text.matches(of: /https?:\/\/(?!www\.w3\.org\/2000\/svg)[a-z0-9.]+/)
            #expect(elsewhere.isEmpty, "\(name) names another host")
        }
    }

    @Test(
        .proves("/assets/…"),
        .defends("path-traversal"),
        arguments: [
            "/assets/", "/assets", "/assets/../index.html", "/assets/index.html", "/assets/.hidden.js",
            "/assets/notes.txt",
            "//", "/etc/passwd", "/assets/../../../../etc/passwd", "/assets/a.js/", "/assets/A.js", "/assets/link.js",
            "/assets/leaflet/../a.js",
        ]
    )
    func `serves no other paths`(path: String) throws {
        try WebWorld.with { world in
            let site = try #require(try world.site())
            #expect(site.respond(to: .get("/assets/a.js"))?.status == 200)
            #expect(site.respond(to: .get(path)) == nil)
        }
    }

    @Test(
        .proves("/assets/…"),
        arguments: [
            ("TAG", 304), ("W/TAG", 304), (#""other", TAG"#, 304), ("*", 304), (#""other""#, 200), ("", 200),
            ("TAGs", 200),
        ]
    )
    func `does not send a cached file again`(list: String, status: Int) throws {
        try WebWorld.with { world in
            let site = try #require(try world.site())
            let first = try #require(site.respond(to: .get("/assets/a.js")))
            let tag = try #require(first.value("ETag"))
            var request = HTTPRequest.get("/assets/a.js")
            request.ifNoneMatch = list.replacingOccurrences(of: "TAG", with: tag)
            let answer = try #require(site.respond(to: request))
            #expect(answer.status == status)
            #expect(answer.body.isEmpty == (status == 304))
            #expect(answer.value("ETag") == tag && answer.value("Cache-Control") == "no-cache")
        }
    }

    @Test(.proves("/"), .defends("script-injection")) func `the policy allows only this server`() throws {
        try WebWorld.with { world in
            let answer = try #require(try world.site()?.respond(to: .get("/", host: "meet.example:8080")))
            let policy = try #require(answer.value("Content-Security-Policy"))
            #expect(
                policy == """
                    default-src 'none'; script-src 'self'; style-src 'self'; manifest-src 'self'; \
                    img-src 'self' data: blob:; connect-src 'self' ws://meet.example:8080 wss://meet.example:8080; \
                    base-uri 'none'; form-action 'none'; frame-ancestors 'none'
                    """
            )
            #expect(answer.value("X-Content-Type-Options") == "nosniff")
            #expect(answer.value("X-Frame-Options") == "DENY")
            #expect(answer.value("Referrer-Policy") == "no-referrer")
            #expect(answer.value("Permissions-Policy")?.contains("geolocation=(self)") == true)
        }
    }

    @Test(arguments: ["x; script-src *", "x y", "*", "x'", ""])
    func `omits a host that would weaken the policy`(host: String) throws {
        try WebWorld.with { world in
            let answer = try #require(try world.site()?.respond(to: .get("/", host: host)))
            #expect(answer.value("Content-Security-Policy")?.contains("connect-src 'self'; base-uri") == true)
        }
    }

    @Test func `the policy and the page have the origin of tiles`() throws {
        try WebWorld.with { world in
            let site = try #require(
                try world.site {
                    $0.web.tiles = "https://{s}.tiles.example:444/{z}/{x}/{y}.png"
                    $0.web.tilesAttribution = "© <b>Somebody</b>"
                }
            )
            let policy = site.respond(to: .get("/"))?.value("Content-Security-Policy")
            #expect(policy?.contains("img-src 'self' data: blob: https://*.tiles.example:444;") == true)
            let facts = try #require(site.respond(to: .get("/assets/config.json")))
            #expect(String(decoding: facts.body, as: UTF8.self).contains(#""attribution":"© <b>Somebody</b>""#))
        }
    }

    @Test func `reports missing Leaflet to the page`() throws {
        try WebWorld.with { world in
            let with = try #require(try world.site()?.respond(to: .get("/assets/config.json")))
            #expect(String(decoding: with.body, as: UTF8.self).contains(#""leaflet":true"#))
            let site = try #require(try world.site { $0.web.leaflet = world.directory + "/nowhere" })
            let without = try #require(site.respond(to: .get("/assets/config.json")))
            #expect(String(decoding: without.body, as: UTF8.self).contains(#""leaflet":false"#))
            #expect(site.respond(to: .get("/assets/leaflet/leaflet.css")) == nil)
        }
    }

    @Test func `serves no page when disabled, and rejects a start with a folder without one`() throws {
        try WebWorld.with { world in
            let none = try world.site { $0.web.isEnabled = false }
            #expect(none == nil)
            #expect(throws: StartError.self) {
                _ = try world.site { $0.web.directory = world.directory + "/nowhere" }
            }
        }
    }
}

/// A folder with a small page and a small Leaflet.
private struct WebWorld {
    let directory: String

    static func with(_ body: (WebWorld) throws -> Void) throws {
        let world = WebWorld(directory: NSTemporaryDirectory() + "promised-web-" + UUID().uuidString)
        // A temporary folder: the system removes it if this fails.
        defer { try? FileManager.default.removeItem(atPath: world.directory) }
        try world.write("secret.js", "out")
        for name in ["page/index.html", "page/a.js", "page/.hidden.js", "page/notes.txt"] {
            try world.write(name, name)
        }
        for name in ["leaflet.esm.min.js", "leaflet.css", "images/layers.png"] {
            try world.write("leaflet/" + name, name)
        }
        try FileManager.default.createSymbolicLink(
            atPath: world.directory + "/page/folder.js",
            withDestinationPath: world.directory + "/leaflet"
        )
        try body(world)
    }

    func site(_ configure: (inout ServerSettings) -> Void = { _ in }) throws -> WebSite? {
        var settings = ServerSettings()
        settings.web.directory = directory + "/page"
        settings.web.leaflet = directory + "/leaflet"
        configure(&settings)
        return try WebSite(settings, log: Logger(label: "web-tests") { _ in SwiftLogNoOpLogHandler() })
    }

    private func write(_ name: String, _ text: String) throws {
        let url = URL(fileURLWithPath: directory).appendingPathComponent(name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }
}

extension HTTPRequest {
    fileprivate static func get(_ path: String, host: String? = nil) -> HTTPRequest {
        HTTPRequest(path: path, remoteAddress: "127.0.0.1", host: host)
    }
}

extension HTTPResponse {
    fileprivate func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

extension WebFile {
    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
}
