import Foundation
import Logging
import PromisedDomain
import PromisedPlaces
import PromisedTestSupport
import Testing

@testable import PromisedSettings

/// The commented example in `config/`.
@Suite struct ExampleFileTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let path = root.appendingPathComponent("config/promised.yaml").path

    @Test func `the example file contains exactly the defaults`() throws {
        let loaded = try ConfigurationLoader(file: Self.path).load()
        #expect(loaded.configuration == ServerSettings())
        for setting in ServerSettings.settings {
            #expect(loaded.sources[setting.key] == .file(path: Self.path, key: setting.key))
        }
    }

    @Test func `the example file equals the output of the table of settings`() throws {
        let printed = ServerSettings().commentedYAML
        if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
            try Data(printed.utf8).write(to: URL(fileURLWithPath: Self.path))
        }
        #expect(try String(contentsOfFile: Self.path, encoding: .utf8) == printed)
    }

    @Test func `the configuration examples of the operations page are valid and change settings`() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/operations.md"), encoding: .utf8)
        let blocks = CodeBlock.all("yaml", in: page)
        #expect(!blocks.isEmpty)
        for block in blocks {
            let file = try TemporaryFile(block.text)
            let loaded = try ConfigurationLoader(file: file.path).load()
            #expect(loaded.configuration != ServerSettings(), "\(block.text)")
        }
    }

    @Test func `reads a printed configuration back unchanged`() throws {
        var configuration = ServerSettings()
        configuration.dataDirectory = "/srv/my \"data\" \\ # here: yes"
        configuration.listen.host = "::1"
        configuration.listen.trustedProxies = [AddressRange("10.0.0.0/8"), AddressRange("::1")].compactMap { $0 }
        configuration.metrics.isEnabled = false
        configuration.metrics.token = "/etc/promised/metrics.token"
        configuration.web.origins = ["https://meet.example", "http://localhost:3000"]
        configuration.clock.rate = 2.5
        configuration.clock.start = .init(milliseconds: 1_575_035_951_250)
        configuration.window.before = .milliseconds(90_001)
        configuration.log.format = .json
        let map = BilingualName(english: "Map, by post: \"here\"", korean: "지도")
        configuration.places.mapLinks += [try MapLinkTemplate(name: map, template: "http://map.example/{name},{name}")]
        let days = [CivilDate(year: 2026, month: 10, day: 9), CivilDate(year: 2026, month: 3, day: 1)]
        configuration.places.holidays = try #require(HolidayCalendar(days))
        configuration.auth.accounts = .issuer
        configuration.auth.issuer.name = "https://id.example/: #"
        configuration.auth.issuer.eddsa = "/etc/keys.pem"
        let file = try TemporaryFile(configuration.commentedYAML)
        #expect(try ConfigurationLoader(file: file.path).load().configuration == configuration)
    }
}
