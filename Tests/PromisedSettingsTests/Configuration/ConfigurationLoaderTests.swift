import Logging
import PromisedDomain
import PromisedTestSupport
import Testing

@testable import PromisedSettings

@Suite struct ConfigurationLoaderTests {
    private func problems(
        _ yaml: String? = nil,
        environment: [String: String] = [:],
        commandLine: CommandLineSettings = .init()
    ) throws -> [ConfigurationProblem] {
        let file = try yaml.map { try TemporaryFile($0) }
        let error = try #require(throws: ConfigurationError.self) {
            try ConfigurationLoader(commandLine: commandLine, environment: environment, file: file?.path).load()
        }
        // The folder of the file has another name each time.
        return error.problems.map { problem in
            switch problem {
            case .badValue(let key, let value, .file(_, let place, _), let allowed):
                .badValue(key: key, value: value, source: .file(path: "F", key: place), allowed: allowed)
            case .notOneValue(let key, .file(_, let place, _), let allowed):
                .notOneValue(key: key, source: .file(path: "F", key: place), allowed: allowed)
            case .conflict(let key, let value, .file(_, let place, _), let reason):
                .conflict(key: key, value: value, source: .file(path: "F", key: place), reason: reason)
            case .unknownKey(let key, .file(_, let place, _), let suggestion):
                .unknownKey(key: key, source: .file(path: "F", key: place), suggestion: suggestion)
            case .unreadableFile(_, let reason):
                .unreadableFile(path: "F", reason: reason)
            default: problem
            }
        }
    }

    // MARK: - Order

    @Test func `uses the defaults without sources`() throws {
        let loaded = try ConfigurationLoader().load()
        #expect(loaded.configuration == ServerSettings())
        #expect(Set(loaded.sources.values) == [.builtIn])
        #expect(loaded.sources.count == ServerSettings.settings.count)
    }

    @Test func `the command line precedes environment, file and defaults`() throws {
        let file = try TemporaryFile("listen: {host: file, port: 1, threads: 3}\nlog: {level: debug}\n")
        let loaded = try ConfigurationLoader(
            commandLine: .init(listen: "option:3"),
            environment: ["PROMISED_LISTEN_PORT": "2", "PROMISED_LISTEN_THREADS": "2", "OTHER": "x"],
            file: file.path
        ).load()
        #expect(loaded.configuration.listen.host == "option")
        #expect(loaded.configuration.listen.port == 3)
        #expect(loaded.configuration.listen.threads == 2)
        #expect(loaded.configuration.log.level == .debug)
        #expect(loaded.configuration.log.format == .text)
        #expect(loaded.sources["listen.port"] == .commandLine(option: "--listen"))
        #expect(loaded.sources["listen.threads"] == .environment(variable: "PROMISED_LISTEN_THREADS"))
        #expect(loaded.sources["log.level"] == .file(path: file.path, key: "log.level"))
        #expect(loaded.sources["log.format"] == .builtIn)
    }

    @Test func `the environment can name the file, and the argument precedes it`() throws {
        let first = try TemporaryFile("listen: {port: 1}")
        let second = try TemporaryFile("listen: {port: 2}")
        let environment = ["PROMISED_CONFIG": first.path]
        #expect(try ConfigurationLoader(environment: environment).load().configuration.listen.port == 1)
        let both = try ConfigurationLoader(environment: environment, file: second.path).load()
        #expect(both.configuration.listen.port == 2)
        #expect(both.unknownVariables.isEmpty)
    }

    @Test func `keys with hyphens have variables with underscores`() throws {
        let environment = ["PROMISED_LIMITS_CONNECTIONS_PER_USER": "7"]
        #expect(try ConfigurationLoader(environment: environment).load().configuration.limits.connectionsPerUser == 7)
    }

    @Test func `accepts every setting on the command line, in the environment and in a file`() throws {
        for setting in ServerSettings.settings {
            let text = setting.defaultText
            let option = CommandLineSettings(assignments: ["\(setting.key)=\(text)"])
            let variable = [setting.environmentVariable: text]
            let file = try TemporaryFile("\(setting.key): \"\(text)\"")
            let sources = [
                try ConfigurationLoader(commandLine: option).load().sources[setting.key],
                try ConfigurationLoader(environment: variable).load().sources[setting.key],
                try ConfigurationLoader(file: file.path).load().sources[setting.key],
            ]
            #expect(
                sources == [
                    .commandLine(option: "--set \(setting.key)"),
                    .environment(variable: setting.environmentVariable),
                    .file(path: file.path, key: setting.key),
                ]
            )
        }
    }

    // MARK: - Faults

    @Test func `an invalid value's error has its key, source and range`() throws {
        let allowed = "a duration from 1m to 1d"
        #expect(
            try problems("window:\n  before: 59s\n") == [
                .badValue(
                    key: "window.before",
                    value: "59s",
                    source: .file(path: "F", key: "window.before"),
                    allowed: allowed
                )
            ]
        )
        let variable = SettingSource.environment(variable: "PROMISED_WINDOW_BEFORE")
        #expect(
            try problems(environment: ["PROMISED_WINDOW_BEFORE": ""]) == [
                .badValue(key: "window.before", value: "", source: variable, allowed: allowed)
            ]
        )
        let option = CommandLineSettings(assignments: ["window.before=soon"])
        let found = try problems(commandLine: option)
        let line = "window.before: \"soon\" (command line --set window.before) is not allowed; expected \(allowed)"
        #expect(found.map(\.description) == [line])
    }

    @Test func `reports an invalid value only if no higher source overrides it`() throws {
        let file = try TemporaryFile("listen: {port: much}")
        let loader = ConfigurationLoader(environment: ["PROMISED_LISTEN_PORT": "80"], file: file.path)
        #expect(try loader.load().configuration.listen.port == 80)
    }

    @Test func `an error of the file has its line`() throws {
        let file = try TemporaryFile("log:\n  level: debug\n\nreport:\n  intervall: 1s\n  collection: soon\n")
        let error = try #require(throws: ConfigurationError.self) { try ConfigurationLoader(file: file.path).load() }
        let lines = error.problems.map(\.description)
        let unknown = "report.intervall: (file \(file.path):5) is not a setting; did you mean report.interval?"
        #expect(lines.contains(unknown))
        #expect(lines.contains { $0.hasPrefix("report.collection: \"soon\" (file \(file.path):6) is not allowed") })
        // A key in braces has no line of its own.
        let braces = try TemporaryFile("log: {levle: debug}\n")
        let other = try #require(throws: ConfigurationError.self) { try ConfigurationLoader(file: braces.path).load() }
        let line = "log.levle: (file \(braces.path):log.levle) is not a setting; did you mean log.level?"
        #expect(other.problems.map(\.description) == [line])
    }

    @Test func `reports all errors at once`() throws {
        let found = try problems(
            "listen: {port: 65536, prot: 1}\nlog: {level: loud}\n",
            environment: ["PROMISED_CLOCK_RATE": "nan"],
            commandLine: .init(listen: "nowhere", assignments: ["report.intervall=1s", "novalue"])
        )
        #expect(found.count == 7)
        #expect(found.contains(.badOption(option: "--set", value: "novalue", expected: "KEY=VALUE")))
        #expect(
            found.contains(
                .unknownKey(
                    key: "report.intervall",
                    source: .commandLine(option: "--set"),
                    suggestion: "report.interval"
                )
            )
        )
        #expect(
            found.contains(
                .unknownKey(key: "listen.prot", source: .file(path: "F", key: "listen.prot"), suggestion: "listen.port")
            )
        )
    }

    @Test(arguments: ["a:b:1", "host", ":80", "host:", "[::1]", "::1:80", ""])
    func `rejects an address without host or port`(address: String) throws {
        let expected = "HOST:PORT or [IPV6]:PORT"
        let problem = ConfigurationProblem.badOption(option: "--listen", value: address, expected: expected)
        #expect(try problems(commandLine: .init(listen: address)) == [problem])
    }

    @Test func `writes an IPv6 address in brackets`() throws {
        let loaded = try ConfigurationLoader(commandLine: .init(listen: "[::1]:0")).load()
        #expect(loaded.configuration.listen.host == "::1")
        #expect(loaded.configuration.listen.port == 0)
    }

    @Test func `dedicated options precede assignments`() throws {
        let settings = CommandLineSettings(
            data: "/d",
            clockRate: "600",
            clockStart: "2019-11-29T12:00:00Z",
            assignments: ["data.directory=/e", "clock.rate=2"]
        )
        let configuration = try ConfigurationLoader(commandLine: settings).load().configuration
        #expect(configuration.dataDirectory == "/d")
        #expect(configuration.clock.rate == 600)
        #expect(configuration.clock.start == Instant(milliseconds: 1_575_028_800_000))
    }

    @Test func `reports unknown variables without rejecting them`() throws {
        let loaded = try ConfigurationLoader(environment: ["PROMISED_LISTEN_PROT": "1", "PROMISED_TOKEN": "x"]).load()
        #expect(loaded.unknownVariables == ["PROMISED_LISTEN_PROT", "PROMISED_TOKEN"])
    }

    @Test func `accepts the exported variables of promisectl`() throws {
        let exported = ["PROMISED_URL": "ws://127.0.0.1:8080/ws", "PROMISED_TOKEN_FILE": "./data/admin.token"]
        #expect(try ConfigurationLoader(environment: exported).load().unknownVariables == [])
        let near = ["PROMISED_URLS": "x", "PROMISED_TOKEN": "x", "PROMISED_TOKENFILE": "x"]
        #expect(try ConfigurationLoader(environment: near).load().unknownVariables == near.keys.sorted())
    }

    // MARK: - Files

    @Test(arguments: [
        "listen: {}", "drain: {}\nlog: {}\n", "", "\n \n", "# nothing\n  # at all\r\n", "listen:\nlog: ~\n", "{}",
    ])
    func `accepts a file without values`(yaml: String) throws {
        let file = try TemporaryFile(yaml)
        #expect(try ConfigurationLoader(file: file.path).load().configuration == ServerSettings())
    }

    @Test(arguments: ["- a\n- b\n", "just text", "a: [", "listen: {port: 1}\nlisten: {port: 2}\n", "\t: x"])
    func `rejects a file that is not a mapping`(yaml: String) throws {
        let found = try problems(yaml)
        guard case .unreadableFile(_, let reason)? = found.first else {
            Issue.record("\(found)")
            return
        }
        #expect(found.count == 1 && reason.hasPrefix("is not valid YAML"))
    }

    @Test(arguments: [
        ("/nowhere/x.yaml", "No such file or directory (errno 2)"), ("/", "Is a directory (errno 21)"),
        ("/dev/null/x.yaml", "Not a directory (errno 20)"),
        ("/\(String(repeating: "x", count: 300))", "File name too long (errno 36)"),
    ])
    func `rejects an unreadable file with the reason`(path: String, reason: String) {
        let problem = ConfigurationProblem.unreadableFile(path: path, reason: "cannot be read: \(reason)")
        #expect(throws: ConfigurationError([problem])) { try ConfigurationLoader(file: path).load() }
    }

    @Test(arguments: [
        ("push: {apns: {}}", ["push.apns"]), ("push: {}", ["push"]),
        ("push: {apns: {}, fcm: {key: 1}}", ["push.apns", "push.fcm.key"]),
        ("listen:\n  prot: {}\n", ["listen.prot"]), ("window: {before: 10m, after: 3h, during: {}}", ["window.during"]),
    ])
    func `rejects an unknown section, also an empty one`(yaml: String, keys: [String]) throws {
        let found = try problems(yaml).map { problem in
            if case .unknownKey(let key, .file, _) = problem { key } else { "\(problem)" }
        }
        #expect(found == keys)
    }

    @Test func `rejects an empty section in place of a value`() throws {
        let place = SettingSource.file(path: "F", key: "listen.port")
        let problem = ConfigurationProblem.notOneValue(
            key: "listen.port",
            source: place,
            allowed: "a whole number from 0 to 65535"
        )
        #expect(try problems("listen: {port: {}}") == [problem])
    }

    @Test func `rejects a list or a section in place of a value`() throws {
        let allowed = "a whole number from 0 to 65535"
        let place = SettingSource.file(path: "F", key: "listen.port")
        #expect(
            try problems("listen: {port: [1, 2]}")
                == [.notOneValue(key: "listen.port", source: place, allowed: allowed)]
        )
        #expect(
            try problems("listen: {port: {value: 1}}") == [
                .unknownKey(
                    key: "listen.port.value",
                    source: .file(path: "F", key: "listen.port.value"),
                    suggestion: nil
                )
            ]
        )
        #expect(
            try problems("listen: 80")
                == [.unknownKey(key: "listen", source: .file(path: "F", key: "listen"), suggestion: nil)]
        )
    }

    @Test func `origins are a list in the file and separated by commas elsewhere`() throws {
        let expected = ["https://a.example", "http://[::1]:3000"]
        let list = try TemporaryFile("web:\n  origins:\n    - https://A.example\n    - http://[::1]:3000\n")
        #expect(try ConfigurationLoader(file: list.path).load().configuration.web.origins == expected)
        let variable = ["PROMISED_WEB_ORIGINS": "https://a.example, http://[::1]:3000"]
        #expect(try ConfigurationLoader(environment: variable).load().configuration.web.origins == expected)
    }
}
