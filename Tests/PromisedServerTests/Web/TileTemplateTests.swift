import Testing

@testable import PromisedServer
@testable import PromisedSettings

@Suite struct TileTemplateTests {
    @Test(arguments: [
        ("https://tiles.example/{z}/{x}/{y}.png", "https://tiles.example"),
        ("http://localhost:8081/{z}/{y}/{x}", "http://localhost:8081"),
        ("https://{s}.tiles.example/{z}/{x}/{y}{r}.png?k=1", "https://*.tiles.example"),
    ])
    func `a template has the origin of its tiles`(template: String, source: String) {
        #expect(TileTemplate.isValid(template))
        #expect(TileTemplate.source(of: template) == source)
    }

    @Test(arguments: [
        "", "none of it", "ftp://tiles.example/{z}/{x}/{y}", "https:///{z}/{x}/{y}", "https://tiles.example/{z}/{x}",
        "https://{z}.{x}.{y}/", "https://tiles.example; script-src */{z}/{x}/{y}", "https://*/{z}/{x}/{y}",
        "https://tiles.example/{z}/{x}/{y} ", "javascript:alert(1)//{z}{x}{y}", "https://a@b/{z}/{x}/{y}",
    ])
    func `rejects an invalid template`(text: String) {
        #expect(!TileTemplate.isValid(text))
    }

    @Test(arguments: [
        ("/srv/korea.mbtiles", true), ("map.mbtiles", true), ("/srv/한국 지도.mbtiles", true), ("/srv/korea.sqlite", false),
        ("https://tiles.example/a.mbtiles", false), ("/srv/a\n.mbtiles", false), ("", false),
    ])
    func `a path that ends with mbtiles is a file`(text: String, isFile: Bool) {
        #expect(TileTemplate.isFile(text) == isFile)
        #expect(!TileTemplate.isValid(text))
    }
}
