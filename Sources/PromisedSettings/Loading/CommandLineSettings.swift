/// The settings given on the command line, as unchecked texts.
package struct CommandLineSettings: Sendable, Hashable {
    /// `--data DIR`.
    package var data: String?
    /// `--listen HOST:PORT`, with an IPv6 address in brackets.
    package var listen: String?
    /// `--clock-rate R`.
    package var clockRate: String?
    /// `--clock-start INSTANT`.
    package var clockStart: String?
    /// Each `--set KEY=VALUE`, for settings without a dedicated option; the last one of a key counts.
    package var assignments: [String]

    /// The given options; none by default.
    package init(
        data: String? = nil,
        listen: String? = nil,
        clockRate: String? = nil,
        clockStart: String? = nil,
        assignments: [String] = []
    ) {
        self.data = data
        self.listen = listen
        self.clockRate = clockRate
        self.clockStart = clockStart
        self.assignments = assignments
    }

    /// The text and the option of each key; a dedicated option takes precedence over `--set`.
    func read() -> (values: [String: (text: String, option: String)], problems: [ConfigurationProblem]) {
        var values: [String: (text: String, option: String)] = [:]
        var problems: [ConfigurationProblem] = []
        for assignment in assignments {
            guard let equals = assignment.firstIndex(of: "="), equals != assignment.startIndex else {
                problems.append(.badOption(option: "--set", value: assignment, expected: "KEY=VALUE"))
                continue
            }
            let key = String(assignment[..<equals])
            values[key] = (String(assignment[assignment.index(after: equals)...]), "--set \(key)")
        }
        if let data { values["data.directory"] = (data, "--data") }
        if let clockRate { values["clock.rate"] = (clockRate, "--clock-rate") }
        if let clockStart { values["clock.start"] = (clockStart, "--clock-start") }
        if let listen {
            if let (host, port) = Self.splitAddress(listen) {
                values["listen.host"] = (host, "--listen")
                values["listen.port"] = (port, "--listen")
            } else {
                problems.append(.badOption(option: "--listen", value: listen, expected: "HOST:PORT or [IPV6]:PORT"))
            }
        }
        return (values, problems)
    }

    /// Host, without brackets, and port of an address; nil if either is missing or an IPv6 address lacks its brackets.
    private static func splitAddress(_ text: String) -> (host: String, port: String)? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        var host = text[..<colon]
        let port = text[text.index(after: colon)...]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        return host.isEmpty || port.isEmpty ? nil : (String(host), String(port))
    }
}
