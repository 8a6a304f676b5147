import PromisedDomain
import PromisedPlaces
import Testing

@testable import PromisedSettings

@Suite struct SettingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let key: String
        let refused: [String]
        let accepted: [String]
        var testDescription: String { key }
    }

    @Test func `keys and variables are unique, and sections are contiguous`() {
        let settings = ServerSettings.settings
        #expect(Set(settings.map(\.key)).count == settings.count)
        #expect(Set(settings.map(\.environmentVariable)).count == settings.count)
        var sections: [Substring] = []
        for section in settings.compactMap({ $0.key.split(separator: ".").first }) where sections.last != section {
            #expect(!sections.contains(section))
            sections.append(section)
        }
    }

    @Test func `every setting accepts its default and has a description`() {
        for setting in ServerSettings.settings {
            var configuration = ServerSettings()
            #expect(setting.apply(setting.defaultText, to: &configuration))
            #expect(configuration == ServerSettings())
            #expect(!setting.summary.isEmpty && !setting.allowed.isEmpty && !setting.kind.isEmpty)
        }
    }

    @Test(arguments: [
        Case(key: "listen.port", refused: ["-1", "65536", "80.0", "", " 80", "0x50"], accepted: ["0", "65535"]),
        Case(key: "listen.threads", refused: ["0", "65"], accepted: ["1", "64"]),
        Case(key: "retention.positions", refused: ["-1s", "2592000001ms", "31d"], accepted: ["0s", "30d"]),
        Case(key: "data.write-behind", refused: ["49ms", "5001ms"], accepted: ["50ms", "5s"]),
        Case(key: "drain.deadline", refused: ["99ms", "10001ms"], accepted: ["100ms", "10s"]),
        Case(key: "drain.close-frames", refused: ["3001ms"], accepted: ["0s", "3s"]),
        Case(key: "limits.frame", refused: ["4095", "1048577", "2MiB", "64kb"], accepted: ["4KiB", "1MiB"]),
        Case(key: "limits.sent-frame", refused: ["245759", "262145"], accepted: ["240KiB", "256KiB"]),
        Case(key: "limits.fix-rate", refused: ["0", "1001"], accepted: ["1", "1000"]),
        Case(key: "limits.fix-burst", refused: ["199", "100001"], accepted: ["200", "100000"]),
        Case(key: "limits.fix-spacing", refused: ["-1ms", "1001ms"], accepted: ["0s", "1s"]),
        Case(key: "throttle.explanations", refused: ["0", "100001"], accepted: ["1", "100000"]),
        Case(key: "limits.held-fixes", refused: ["599", "10001"], accepted: ["600", "10000"]),
        Case(key: "limits.recall-interval", refused: ["999ms", "60001ms"], accepted: ["1s", "1m"]),
        Case(key: "limits.kept-fixes", refused: ["999", "1000001"], accepted: ["1000", "1000000"]),
        Case(key: "clock.rate", refused: ["0.09", "10001", "inf", "nan", "-1", "x"], accepted: ["0.1", "1e4", "600"]),
        Case(
            key: "clock.start",
            refused: ["", "now", "1969-12-31T23:59:59Z", "2100-01-01T00:00:00Z", "2026-02-29T00:00:00Z"],
            accepted: ["real", "1970-01-01T00:00:00Z", "2099-12-31T23:59:59Z"]
        ),
        Case(key: "environment", refused: ["Production", "test", ""], accepted: ["production", "development"]),
        Case(key: "log.level", refused: ["warn", "INFO"], accepted: ["trace", "critical"]),
        Case(key: "data.directory", refused: ["", "  ", "a\u{0}b", "a\nb"], accepted: ["/var/lib/promised", "é x"]),
        Case(
            key: "web.origins",
            refused: [
                "*", "meet.example", "ftp://a.example", "https://", "https://a/path", "https://a:0", "https://a:70000",
                "https://a.example,https://A.example", "https://a.example,", "https://a:b", "http://[zz]",
            ],
            accepted: ["", "https://a.example", "http://localhost:3000", "https://[2001:db8::1]:8443"]
        ),
        Case(key: "metrics.enabled", refused: ["", "yes", "1", "True"], accepted: ["true", "false"]),
        Case(
            key: "listen.trusted-proxies",
            refused: ["10.0.0.1/8", "proxy.example", "10.0.0.0/8,", "::1,::1"],
            accepted: ["", "10.0.0.0/8", "127.0.0.1, ::1", "2001:db8::/32"]
        ),
        Case(key: "passwords.scrypt-log2-n", refused: ["3", "21"], accepted: ["4", "20"]),
        Case(key: "throttle.find", refused: ["0", "100001"], accepted: ["1", "100000"]),
        Case(key: "limits.all-outbox-bytes", refused: ["16777215", "68719476737"], accepted: ["16MiB", "65536MiB"]),
        Case(key: "limits.connections-before-sign-in", refused: ["0", "1000001"], accepted: ["1", "1000000"]),
        Case(key: "throttle.factor-56", refused: ["0", "257"], accepted: ["1", "256"]),
        Case(key: "throttle.factor-48", refused: ["0", "65537"], accepted: ["1", "65536"]),
        Case(key: "passwords.queue-per-address", refused: ["0", "10001"], accepted: ["1", "10000"]),
        Case(key: "passwords.queue-per-network", refused: ["0", "10001"], accepted: ["1", "10000"]),
        Case(key: "throttle.refreshes", refused: ["0", "100001"], accepted: ["1", "100000"]),
        Case(key: "limits.sessions-per-user", refused: ["4", "1001"], accepted: ["5", "1000"]),
        Case(key: "throttle.promises", refused: ["0", "100001"], accepted: ["1", "100000"]),
        Case(key: "tls.hsts", refused: ["-1s", "63072000001ms", "731d"], accepted: ["0s", "730d"]),
        Case(key: "auth.accounts", refused: ["", "Local", "both"], accepted: ["local", "issuer"]),
        Case(
            key: "places.time-zone",
            refused: ["", "KST", "GMT+9", "Asia/Nowhere", "../etc/localtime", "Asia/Seoul "],
            accepted: ["UTC", "Asia/Seoul", "America/Argentina/Buenos_Aires"]
        ),
        Case(
            key: "places.holidays",
            refused: ["2026-02-29", "2026-1-1", "tomorrow", "2026-01-01,", "2026-01-01,2026-01-01", "20260101"],
            accepted: ["", "2026-01-01", "2026-10-03, 2026-01-01,2024-02-29"]
        ),
        Case(key: "places.categories", refused: ["", "a\nb"], accepted: ["none", "/etc/promised/categories.yaml"]),
        Case(
            key: "places.map-links",
            refused: [
                "https://map.example/{latitude},{longitude}", "=https://map.example/{name}", "Map=", "Map=map.example",
                "Map=ftp://map.example/{name}", "Map=https://map.example/{latitude}", "Map=https://map.example/{x}",
                "Map=https://map.example/{name}|", "a/b/c=https://map.example/{name}", "a/=https://map.example/{name}",
                Array(repeating: "Map=https://map.example/{name}", count: 9).joined(separator: "|"),
            ],
            accepted: [
                "", "Map=https://map.example/?q={name}", "Map/지도=geo:{latitude},{longitude}|B=http://b.example/{name}",
                Array(repeating: "Map=https://map.example/{name}", count: 8).joined(separator: "|"),
            ]
        ),
        Case(
            key: "weather.providers",
            refused: ["none", "KMA", "kma,kma", "kma,", "yr"],
            accepted: ["", "kma", "met-norway, open-meteo", "recorded"]
        ),
        Case(key: "weather.air", refused: ["", "kma", "Open-Meteo"], accepted: ["none", "open-meteo"]),
        Case(key: "weather.air-grades", refused: ["", "none", "Korea"], accepted: ["local", "general", "korea"]),
        Case(
            key: "weather.contact",
            refused: ["", "a b", "é@meet.example", "(ops)", "a\nb", String(repeating: "a", count: 101)],
            accepted: ["none", "ops@meet.example", "https://meet.example/contact", String(repeating: "a", count: 100)]
        ),
        Case(
            key: "weather.url",
            refused: [
                "https://a.example", "kma=", "kma=http://a.example", "kma=https://", "kma=https://a.example/?q",
                "yr=https://a.example", "kma=https://a.example,kma=https://b.example", "recorded=", "recorded=a\nb",
            ],
            accepted: [
                "", "kma=https://a.example:8443/x", "air=https://a.example,recorded=/srv/sky", "recorded=sky = 1",
            ]
        ),
        Case(key: "weather.refresh", refused: ["599s", "43201s"], accepted: ["10m", "12h"]),
        Case(key: "weather.daily-requests", refused: ["4", "1000001"], accepted: ["5", "1000000"]),
        Case(key: "auth.issuer.name", refused: ["", " ", "a\nb"], accepted: ["none", "https://id.example", "None"]),
    ])
    func `accepts the ends of a range and rejects values outside`(row: Case) throws {
        let setting = try #require(ServerSettings.settings.first { $0.key == row.key })
        for text in row.refused {
            var configuration = ServerSettings()
            #expect(!setting.apply(text, to: &configuration), "\(text)")
            #expect(configuration == ServerSettings(), "\(text)")
        }
        for text in row.accepted {
            var configuration = ServerSettings()
            #expect(setting.apply(text, to: &configuration), "\(text)")
            var again = ServerSettings()
            #expect(setting.apply(setting.text(in: configuration), to: &again) && again == configuration, "\(text)")
        }
    }

    @Test func `the defaults equal the numbers of the protocol and the domain`() {
        let configuration = ServerSettings()
        #expect(configuration.environment == .development)
        #expect(configuration.window == WindowSpans(before: .minutes(30), after: .hours(3), settle: .minutes(15)))
        #expect(configuration.arrival.grace == .seconds(60))
        #expect(configuration.limits.frame == 65_536 && configuration.limits.frameBeforeSignIn == 4_096)
        #expect(configuration.limits.sentFrame == 262_144 && configuration.limits.requestsBeforeSignIn == 5)
        #expect(configuration.limits.requestRate == 20 && configuration.limits.requestBurst == 40)
        #expect(configuration.limits.outboxBytes == 1 << 20 && configuration.limits.allOutboxBytes == 256 << 20)
        #expect(configuration.limits.connectionsPerUser == 5 && configuration.limits.connectionsBeforeSignIn == 64)
        #expect(configuration.limits.fixes.perSecond == 20 && configuration.limits.fixes.burst == 400)
        #expect(configuration.limits.fixes.spacing == .milliseconds(100) && configuration.limits.fixes.kept == 30_000)
        #expect(configuration.throttle.handshakes == 50 && configuration.throttle.signUps == 20)
        #expect(configuration.throttle.signInsPerAccountAndAddress == 10)
        #expect(configuration.throttle.signInsPerAccount == 100 && configuration.throttle.signInsPerAddress == 30)
        #expect(configuration.throttle.refreshes == 10)
        #expect(configuration.throttle.factor56 == 4 && configuration.throttle.factor48 == 16)
        #expect(configuration.passwords.queuePerAddress == 2 && configuration.passwords.queuePerNetwork == 8)
        #expect(configuration.throttle.explanations == 10 && configuration.throttle.promises == 300)
        #expect(configuration.limits.sessionsPerUser == 50 && configuration.passwords.queue == 64)
        #expect(configuration.tls.hsts == .days(365))
        #expect(configuration.weather.providers == [] && configuration.weather.air == .none)
        #expect(configuration.weather.airGrades == .local)
        #expect(configuration.weather.refresh == .hours(3) && configuration.weather.dailyRequests == 1_000)
        #expect(configuration.limits.fixes.held == 600 && configuration.limits.fixes.recallInterval == .seconds(10))
        #expect(configuration.throttle.find == 60 && configuration.auth.accounts == .local)
        #expect(configuration.tokens.access == .minutes(15) && configuration.tokens.overlap == .seconds(60))
        #expect(configuration.connection.ping == .seconds(20) && configuration.connection.silence == .seconds(45))
        #expect(configuration.connection.signIn == .seconds(10) && configuration.connection.tokenGrace == .seconds(30))
        #expect(configuration.passwords.cost == ScryptCost(log2N: 17, blockSize: 8, parallelism: 1))
    }
}
