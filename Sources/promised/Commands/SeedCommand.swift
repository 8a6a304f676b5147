import ArgumentParser
import Foundation
import PromisedDomain
import PromisedServer
internal import PromisedSettings
import PromisedStore

/// `promised seed`.
struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed",
        abstract: "Fill a data directory with users, friends and promises for a load test.",
        discussion: """
            Works on the files, so no server may have the directory open; refused in production. Groups of friends get one promise \
            each that is tracking now or soon, everybody has accepted, nobody has a password. Their access tokens go to a file only its owner \
            may read, one line per user: user id, promise id, latitude, longitude, radius, owner or member, token, separated by tabs. \
            Exit codes: 0 done, 1 it could not be done, 2 the command line or the configuration is wrong.

            Example: promised seed --data load --users 10000 --members 10 --tokens load.tokens
            """
    )

    @Option(help: "The configuration file (YAML).")
    var config: String?

    @Option(help: "The data directory; made when it is missing.")
    var data: String?

    @Option(name: .customLong("set"), help: "Any setting, KEY=VALUE; may be given several times.")
    var assignments: [String] = []

    @Option(help: "How many users, 1 to 1000000.")
    var users = 1_000

    @Option(help: "How many people in one promise, 1 to 50.")
    var members = 10

    @Option(help: "From now to the meeting time of all promises.")
    var meetsIn = SpanArgument(span: .minutes(25))

    @Option(help: "How long the access tokens are valid.")
    var lifetime = SpanArgument(span: .hours(2))

    @Option(help: "Where the access tokens go.")
    var tokens: String

    func validate() throws {
        guard (1...1_000_000).contains(users) else { throw ValidationError("--users must be 1 to 1000000") }
        guard (1...PromiseLimits.participants).contains(members) else {
            throw ValidationError("--members must be 1 to \(PromiseLimits.participants)")
        }
        guard meetsIn.span > .zero else { throw ValidationError("--meets-in must be longer than nothing") }
        guard lifetime.span >= .minutes(1) else { throw ValidationError("--lifetime must be at least 1m") }
    }

    func run() async throws {
        let settings = try load()
        guard settings.environment == .development else {
            StandardError.write("promised: users without passwords are made in development only")
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
