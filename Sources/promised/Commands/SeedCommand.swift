import ArgumentParser
import Foundation
import PromisedDomain
import PromisedServer
internal import PromisedSettings
import PromisedStore

struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Fill a data directory with users, friends and promises for a load test.",
        discussion: """
            Writes to the database directly, so no server may have the directory open; refused in production. Each group of friends gets \
            a promise that is or will soon be tracking and that all have accepted. The users have no passwords: their access tokens go to a \
            file with mode 0600, one line per user: user id, promise id, latitude, longitude, radius, owner or member, token, separated by \
            tabs. Exit codes: 0 success, 1 failure, 2 the command line or the configuration is invalid.

            Example: promised seed --data load --users 10000 --members 10 --tokens load.tokens
            """
    )

    @Option(help: "The configuration file (YAML).") var config: String?
    @Option(help: "The data directory; created if missing.") var data: String?
    @Option(name: .customLong("set"), help: "Any setting, KEY=VALUE; repeatable.") var assignments: [String] = []
    @Option(help: "The number of users, 1 to 1000000.") var users = 1_000
    @Option(help: "The number of participants in a promise, 1 to 50.") var members = 10
    @Option(help: "The time until the meeting time of all promises.") var meetsIn = SpanArgument(span: .minutes(25))
    @Option(help: "The lifetime of the access tokens.") var lifetime = SpanArgument(span: .hours(2))
    @Option(help: "The file for the access tokens.") var tokens: String

    func validate() throws {
        guard (1...1_000_000).contains(users) else { throw ValidationError("--users must be 1 to 1000000") }
        guard (1...PromiseLimits.participants).contains(members) else {
            throw ValidationError("--members must be 1 to \(PromiseLimits.participants)")
        }
        guard meetsIn.span > .zero else { throw ValidationError("--meets-in must be more than 0") }
        guard lifetime.span >= .minutes(1) else { throw ValidationError("--lifetime must be at least 1m") }
    }

    func run() async throws {
        let settings = try load()
        guard settings.environment == .development else {
            StandardError.write("promised: seed needs development mode, because its users have no passwords")
            throw ExitCode(2)
        }
        let plan = SeedPlan(
            users: users,
            members: members,
            meetsIn: meetsIn.span,
            spans: settings.window,
            lifetime: lifetime.span
        )
        do {
            let seeder = try await Seeder(directory: settings.dataDirectory, lifetime: lifetime.span)
            let lines = try await seeder.write(plan)
            try TokenFile.write(lines, to: tokens)
        } catch {
            StandardError.write("promised: \(error)")
            throw ExitCode.failure
        }
        StandardError.write("seeded \(users) users with \(plan.groups) promises")
    }

    private func load() throws -> ServerSettings {
        let options = CommandLineSettings(data: data, assignments: assignments)
        let environment = ProcessInfo.processInfo.environment
        do throws(ConfigurationError) {
            return try ConfigurationLoader(commandLine: options, environment: environment, file: config).load()
                .configuration
        } catch {
            StandardError.write("\(error)")
            throw ExitCode(2)
        }
    }
}
