import ArgumentParser
import Foundation
import Logging
import PromisedDomain
import PromisedServer
internal import PromisedSettings
import PromisedTransport
import ServiceLifecycle
import UnixSignals

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server until SIGTERM or SIGINT; SIGHUP reloads its certificate.",
        discussion: """
            Settings come from the command line, the environment (PROMISED_…), the configuration file and the defaults, \
            in this order. Once the server listens, it prints one line, "listening on HOST:PORT", on standard output. Logs \
            go to standard error; if that is a terminal, so do the page's address and the command that creates the first \
            account. The first signal stops the server cleanly; a second signal, or a stop that takes too long, ends it at \
            once. SIGHUP reloads the certificate files for new connections; if they are invalid, the server logs an error \
            and keeps the old certificate. Exit codes: 0 clean stop, 1 the server could not start or was ended at once, \
            2 the command line or the configuration is invalid.

            Example: promised serve --data /var/lib/promised --listen 0.0.0.0:8080
            """
    )

    @OptionGroup var settings: SettingOptions

    func run() async throws {
        let loaded = try settings.load()
        LoggingBootstrap.start(loaded.configuration.log)
        let log = Logger(label: "promised")
        for variable in loaded.unknownVariables {
            log.warning("This environment variable belongs to no setting", metadata: ["variable": "\(variable)"])
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
    /// The timeout of a clean stop.
    let deadline: Duration

    /// The service's name in the library's log, instead of all settings.
    var description: String { "promised at \(address)" }

    func run() async throws {
        // Trapped after the group has trapped the signals: the first one is for the group.
        let signals = await UnixSignalsSequence(trapping: Interruption.signals)
        let reloads = await UnixSignalsSequence(trapping: [.sighup])
        // Printed only now, when signals are handled: scripts may send one as soon as they see the line.
        StandardOutput.write("listening on \(address)")
        if StandardError.isTerminal { greeting.lines.forEach(StandardError.write) }
        await withTaskGroup { group in
            group.addTask { for await _ in reloads { await service.reload() } }
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
    /// The address on which the server listens, `HOST:PORT`.
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
                "To create the first account, run in another terminal:",
                "  promisectl user create --nickname NAME --email ADDRESS --password-stdin \\",
                "    --url \(scheme("ws"))://\(reachable)/ws --token-file \(shellWord("\(configuration.dataDirectory)/admin.token"))",
            ]
        }
        return lines + ["Ctrl-C stops the server."]
    }

    private func scheme(_ name: String) -> String { configuration.tls.certificate == nil ? name : name + "s" }

    /// A word, quoted for a shell if necessary.
    private func shellWord(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            let scalar = Character(Unicode.Scalar(byte))
            return byte >= 0x80 || scalar.isLetter || scalar.isNumber || "/._-+,:@%=".contains(scalar)
        }
        guard !isPlain else { return text }
        // By scalars, because an apostrophe with a combining accent is one character.
        let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }

    /// The address for a program on this machine, because it cannot connect to the wildcard address.
    private var reachable: String {
        for (any, own) in [("0.0.0.0:", "127.0.0.1:"), ("[::]:", "[::1]:")] where address.hasPrefix(any) {
            return own + address.dropFirst(any.count)
        }
        return address
    }
}
