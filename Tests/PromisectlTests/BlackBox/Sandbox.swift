import Foundation

/// A Linux namespace in which a process sees another disk, trusts another certificate, or has no network. The `unshare`
/// command makes it without special rights, where the system permits that.
struct Sandbox: Sendable {
    /// The kind of the namespace, as an option of `unshare`.
    private let kind: String
    /// A shell command that sets the namespace up; `$0` is ``subject``.
    private let preparation: String
    private let subject: String

    /// A small file system mounted on an existing folder.
    static func disk(at folder: String, megabytes: Int) -> Sandbox {
        Sandbox(kind: "--mount", preparation: "mount -t tmpfs -o size=\(megabytes)m tmpfs \"$0\"", subject: folder)
    }

    /// The certificate of a PEM file in place of the system's trusted ones.
    static func trusting(_ certificate: String) -> Sandbox {
        let roots = "/etc/ssl/certs/ca-certificates.crt"
        return Sandbox(kind: "--mount", preparation: "mount --bind \"$0\" \(roots)", subject: certificate)
    }

    /// Only a loopback interface; prints its counters after the command, each on a line.
    static let loopback = Sandbox(kind: "--net", preparation: "ip link set lo up", subject: "sh")

    /// `true` if this machine lets a process of the tests have such a namespace.
    var isPermitted: Bool {
        // A missing command means no permission.
        guard let run = try? ToolRun(Self.unshare, arguments + ["true"]) else { return false }
        return run.waitUntilExit() == 0
    }

    /// Starts a tool in the namespace. Signals reach the tool itself.
    func start(_ tool: Tool, _ arguments: [String]) throws -> ToolRun {
        try ToolRun(Self.unshare, self.arguments + [tool.url.path] + arguments)
    }

    /// The lines of a command's output, and of the namespace's counters of the network after it.
    func counters(after command: [String]) async throws -> NetworkCounters {
        let script = "\(preparation) && \"$@\" >&2; echo exit $?; cat /proc/self/net/snmp /proc/self/net/snmp6"
        let run = try ToolRun(Self.unshare, options + ["/bin/sh", "-c", script, subject] + command)
        let outcome = await OperatorWorld.outcome(of: run)
        return NetworkCounters(outcome.output)
    }

    /// A path of the namespace as the tests see it, while a process in it runs.
    func path(_ path: String, of run: ToolRun) -> String { "/proc/\(run.id)/root\(path)" }

    private static let unshare = URL(filePath: "/usr/bin/unshare")
    private var options: [String] { ["--user", "--map-root-user", kind] }
    private var arguments: [String] { options + ["/bin/sh", "-c", "\(preparation) && exec \"$@\"", subject] }
}

/// The kernel's counters of a network namespace.
struct NetworkCounters {
    /// The exit code of the command before them.
    let code: Int32
    private let values: [String: Int]

    /// Counters in the form of `/proc/net/snmp` (a line of names, then one of numbers) and `/proc/net/snmp6` (a name
    /// and a number in each line), after a line with the exit code.
    init(_ text: String) {
        var (code, values, names): (Int32, [String: Int], [String]) = (-1, [:], [])
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.count == 2, words[0] == "exit" {
                code = Int32(words[1]) ?? -1
            } else if words.count == 2, let number = Int(words[1]), !words[0].hasSuffix(":") {
                values[words[0]] = number
            } else if words.count > 1, Int(words[1]) == nil {
                names = words
            } else {
                for (name, number) in zip(names, words).dropFirst() { values[words[0] + name] = Int(number) }
            }
        }
        (self.code, self.values) = (code, values)
    }

    /// Attempts to reach an address that is not on loopback; nil if the kernel does not count them.
    var attemptsOutwards: Int? {
        guard let four = values["Ip:OutNoRoutes"], let six = values["Ip6OutNoRoutes"] else { return nil }
        return four + six
    }

    /// Connections that were begun.
    var begun: Int? { values["Tcp:ActiveOpens"] }
    /// Connections accepted by a listener.
    var taken: Int? { values["Tcp:PassiveOpens"] }
    /// Datagrams to ports without a listener: questions to a resolver on loopback, for example.
    var strayDatagrams: Int? { values["Udp:NoPorts"] }
}
