import ArgumentParser
import Foundation
import Logging
import PromisedClient
import PromisedDomain
import PromisedProtocol
import PromisedServer
internal import PromisedSettings
import SwiftProtobuf

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replay recorded GPS tracks through a real server and print the arrivals.",
        discussion: """
            Each GPX file becomes a participant, named after the file; the first by name owns the promise. Without \
            --server, starts a server within this process, with a temporary database and a clock that runs --speed times \
            as fast as real time. A file that is not GPX, or without a track whose points have times in the window of the \
            meeting, gets a warning. Exit codes: 0 the result is final, 1 it is not, or no file can be used, 2 the command \
            line is invalid.

            Example: promised replay --tracks rides --place 51.22970,-1.33885 --radius 100 \
            --meets-at 2019-11-29T13:39:10Z
            """
    )

    @Option(help: "The folder with the GPX files.") var tracks: String
    @Option(help: "The meeting place, LATITUDE,LONGITUDE in degrees.", transform: PlaceArgument.parse)
    var place: PlaceArgument

    @Option(help: "The radius around the meeting place, 20 to 500 metres.") var radius = 50
    @Option(help: "The meeting time, RFC 3339, such as 2019-11-29T13:39:10Z.") var meetsAt: InstantArgument
    @Option(help: "The rule that detects arrivals: robust or first-fix.") var rule = RuleArgument.robust

    @Option(help: "The speed of the embedded server's clock: simulated seconds per real second, 0.1 to 10000.")
    var speed = 600.0

    @Option(help: "Delay the n-th track by n times this, such as 60s.") var stagger = SpanArgument(span: .zero)
    @Option(help: "The time between two reports, such as 5s.") var reportEvery = SpanArgument(span: .seconds(5))

    @Option(help: "A running server, such as ws://127.0.0.1:8080/ws; its clock replaces --speed.")
    var server: ServerArgument?

    @Option(help: "The encoding of messages: json or protobuf.") var codec = CodecArgument.json

    @Option(help: "How long to try to reconnect after losing the connection, in real time.")
    var patience = SpanArgument(span: .seconds(60))

    @Flag(help: "Print only the result as JSON on standard output, everything else on standard error.") var json = false

    /// The longest interval between two reports or two tracks.
    private static let longest = TimeSpan.days(365)

    func validate() throws {
        guard PromiseLimits.radiusMetres.contains(radius) else {
            throw ValidationError("--radius is \(radius), but must be 20 to 500")
        }
        guard (0.1...10_000).contains(speed) else { throw ValidationError("--speed must be 0.1 to 10000") }
        guard reportEvery.span > .zero, reportEvery.span <= Self.longest else {
            throw ValidationError("--report-every must be more than 0 and at most \(DurationText.format(Self.longest))")
        }
        guard stagger.span <= Self.longest else {
            throw ValidationError("--stagger must be at most \(DurationText.format(Self.longest))")
        }
    }

    func run() async throws {
        let screen = Screen(isQuiet: json)
        do {
            let plan = MeetupPlan(
                tracks: try NamedTrack.all(in: tracks),
                place: place.coordinate,
                radiusMetres: radius,
                meetsAt: meetsAt.instant,
                rule: rule.name,
                stagger: stagger.span,
                reportEvery: reportEvery.span
            )
            try ReplayCommand.complain(of: plan)
            screen.say(ReplayCommand.summary(of: plan))
            let result = try await Interruption.cancelling { try await play(plan, on: screen) }
            if json {
                StandardOutput.write(try result.jsonString())
            } else {
                screen.say("\n" + ResultTable(result: result).text)
            }
        } catch let error as ClientError {
            throw failed("\(error)")
        } catch let error as TrackError {
            throw failed("\(error)")
        } catch let error as MeetupError {
            throw failed("\(error)")
        } catch let error as StartError {
            throw failed("\(error)")
        }
    }

    /// The numbers of fixes to send and to omit.
    static func summary(of plan: MeetupPlan) -> String {
        let reports = plan.people.reduce(0) { $0 + $1.reports.count }
        let leftOut = plan.people.reduce(0) { $0 + $1.leftOut }
        let undated = plan.people.reduce(0) { $0 + $1.undated }
        return "\(plan.people.count) track\(plan.people.count == 1 ? "" : "s"), \(reports) reports"
            + (leftOut > 0 ? ", \(leftOut) fixes outside the window omitted" : "")
            + (undated > 0 ? ", \(undated) points without a time omitted" : "")
    }

    /// Warns on standard error of each file with nothing to report for its phone, or with omitted points. Throws
    /// ``TrackError`` if no phone has anything to report, or if there are more phones than a promise allows.
    private static func complain(of plan: MeetupPlan) throws(TrackError) {
        let silences = plan.people.compactMap(\.silence)
        guard silences.count < plan.people.count else {
            throw TrackError(description: (["No file can be replayed:"] + silences).joined(separator: "\n  "))
        }
        guard plan.people.count <= PromiseLimits.participants else {
            throw TrackError(
                description: "There are \(plan.people.count) GPX files, but a promise has at most "
                    + "\(PromiseLimits.participants) participants: replay fewer at a time"
            )
        }
        for person in plan.people {
            if let silence = person.silence {
                StandardError.write("warning: \(silence); it reports nothing")
            } else if let omission = person.omission {
                StandardError.write("warning: \(omission); its other points are reported")
            }
        }
    }

    private func failed(_ reason: String) -> ExitCode {
        StandardError.write("promised: \(reason)")
        return .failure
    }

    private func play(_ plan: MeetupPlan, on screen: Screen) async throws -> WireResult {
        var log = Logger(label: "promised")
        log.logLevel = EmbeddedServer.logLevel
        if let server { return try await play(plan, through: server.address, on: screen, log: log) }
        var web = ServerSettings().web
        web.isEnabled = false
        let embedded = try await EmbeddedServer.start(web: web, opensAt: plan.opensAt, rate: speed, log: log)
        return try await embedded.serving { [log] in
            try await runner(
                plan,
                address: embedded.address,
                clock: .embedded(embedded.service.clock),
                screen: screen,
                log: log
            ).run()
        }
    }

    private func play(
        _ plan: MeetupPlan,
        through address: ServerAddress,
        on screen: Screen,
        log: Logger
    ) async throws -> WireResult {
        let estimate = try await ServerProbe(address: address, codec: codec.codec, log: log).clock()
        let now = Instant(estimate.now)
        screen.say("the server shows \(ClockText.time(now)) and runs \(estimate.rate) times as fast as real time")
        guard plan.opensAt > now else {
            throw MeetupError(
                description: "The window of the meeting is already open on the server's clock "
                    + "(\(now.rfc3339)): use a --meets-at at least 30 minutes after it"
            )
        }
        return try await runner(plan, address: address, clock: .remote(estimate), screen: screen, log: log).run()
    }

    private func runner(
        _ plan: MeetupPlan,
        address: ServerAddress,
        clock: MeetupClock,
        screen: Screen,
        log: Logger
    ) -> MeetupRunner {
        MeetupRunner(
            plan: plan,
            address: address,
            codec: codec.codec,
            clock: clock,
            patience: patience.span.duration,
            log: log,
            screen: screen
        )
    }
}
