import ArgumentParser
import Foundation
import Logging
import PromisedDomain
import PromisedServer
internal import PromisedSettings
import PromisedTransport
import ServiceLifecycle
import UnixSignals

/// `promised serve`.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server until SIGTERM or SIGINT; SIGHUP has it read its certificate again.",
        discussion: """
            Settings come from the command line, the environment (PROMISED_…), the configuration file and the defaults, \
            in this order. Once it listens it prints one line, "listening on HOST:PORT", on standard output; logs go to \
            standard error, and with them, when it is a terminal, where the page is and how to make the first account. \
            The first signal stops it cleanly, a second one, or a stop that takes too long, at once. \
            SIGHUP has new connections shown the certificate that is in the files then; a faulty one is logged and the \
            old one stays. Exit codes: 0 after a clean stop, 1 it could not start or was stopped at once, 2 the command \
            line or the configuration is wrong.

            Example: promised serve --data /var/lib/promised --listen 0.0.0.0:8080
            """
    )

    @Option(help: "The configuration file (YAML).")
    var config: String?

    @Option(help: "The data directory; made when it is missing.")
    var data: String?

    @Option(help: "Where to listen, HOST:PORT; port 0 picks a free one.")
    var listen: String?

    @Option(help: "How many seconds of the server's clock pass in a real one (development only).")
    var clockRate: String?

    @Option(help: "What the server's clock shows at the start, RFC 3339 (development only).")
    var clockStart: String?

    @Option(name: .customLong("set"), help: "Any setting, KEY=VALUE; may be given several times.")
    var assignments: [String] = []

    func run() async throws {
        let loaded = try load()
        LoggingBootstrap.start(loaded.configuration.log)
        let log = Logger(label: "promised")
        for variable in loaded.unknownVariables {
            log.warning("No setting has this environment variable", metadata: ["variable": "\(variable)"])
        }
        let service: PromisedService
        let address: String
        do {
            service = try await PromisedService(configuration: loaded.configuration, log: log)
            address = try await service.start().description
        } catch {
            StandardError.write("promised: \(error)")
            throw ExitCode.failure
        }
        let deadline = loaded.configuration.drain.deadline.duration
        let greeting = ServeGreeting(address: address, configuration: loaded.configuration)
        let serving = ServingService(service: service, address: address, greeting: greeting, deadline: deadline)
        try await serve(serving, log: log)
    }

    private func load() throws -> LoadedConfiguration {
        let commandLine = CommandLineSettings(
            data: data,
            listen: listen,
            clockRate: clockRate,
            clockStart: clockStart,
            assignments: assignments
        )
        let loader = ConfigurationLoader(
            commandLine: commandLine,
            environment: ProcessInfo.processInfo.environment,
            file: config
        )
        do throws(ConfigurationError) {
            return try loader.load()
        } catch {
            StandardError.write("\(error)")
            throw ExitCode(2)
        }
    }

    private func serve(_ serving: ServingService, log: Logger) async throws {
        let configuration = ServiceGroupConfiguration(
            services: [serving],
            gracefulShutdownSignals: Interruption.signals,
            logger: log
        )
        try await ServiceGroup(configuration: configuration).run()
    }
}

/// The server as a service that stops on request.
private struct ServingService: Service, CustomStringConvertible {
    let service: PromisedService
    let address: String
    let greeting: ServeGreeting
    /// How long a clean stop may take.
    let deadline: Duration

    /// Its name in the library's log, instead of all settings.
    var description: String { "promised at \(address)" }

    func run() async throws {
        // Trapped after the group has trapped them: the first signal is for the group.
        let signals = await UnixSignalsSequence(trapping: Interruption.signals)
        let reloads = await UnixSignalsSequence(trapping: [.sighup])
        // Only now, when signals are handled: scripts may send one as soon as they see the line.
        StandardOutput.write("listening on \(address)")
        if StandardError.isTerminal { greeting.lines.forEach(StandardError.write) }
        await withTaskGroup { group in
            group.addTask { for await _ in reloads { service.reload() } }
            group.addTask { await Interruption.exit(atSecondOf: signals, orAfter: deadline) }
            await withGracefulShutdownHandler {
                await service.run()
            } onGracefulShutdown: {
                service.stop()
            }
            group.cancelAll()
        }
    }
}

/// The greeting for a new operator once the server listens: the page's URL, and how to create the first account.
struct ServeGreeting {
    /// The address it listens on, `HOST:PORT`.
    let address: String
    let configuration: ServerSettings

    /// Lines for standard error, if that is a terminal.
    var lines: [String] {
        let isLocal = configuration.auth.accounts == .local
        var lines: [String] = []
        if configuration.web.isEnabled {
            lines.append("The page: \(scheme("http"))://\(reachable)/" + (isLocal ? " (sign up there)" : ""))
        }
        if isLocal {
            lines += [
                "The first account, from another terminal:",
                "  promisectl user create --nickname NAME --email ADDRESS --password-stdin \\",
                "    --url \(scheme("ws"))://\(reachable)/ws --token-file \(shellWord("\(configuration.dataDirectory)/admin.token"))",
            ]
        }
        return lines + ["Ctrl-C stops the server."]
    }

    private func scheme(_ name: String) -> String { configuration.tls.certificate == nil ? name : name + "s" }

    /// A word quoted for a shell if it needs that.
    private func shellWord(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            let scalar = Character(Unicode.Scalar(byte))
            return byte >= 0x80 || scalar.isLetter || scalar.isNumber || "/._-+,:@%=".contains(scalar)
        }
        return isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }

    /// The address for a program on this machine: the wildcard address is not one to connect to.
    private var reachable: String {
        for (any, own) in [("0.0.0.0:", "127.0.0.1:"), ("[::]:", "[::1]:")] where address.hasPrefix(any) {
            return own + address.dropFirst(any.count)
        }
        return address
    }
}
