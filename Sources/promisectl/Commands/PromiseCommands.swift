import ArgumentParser
import Foundation
import PromisedClient
import PromisedProtocol

struct PromiseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "promise",
        abstract: "Promises, their results and the evidence for them.",
        subcommands: [
            PromiseListCommand.self,
            PromiseShowCommand.self,
            PromiseCreateCommand.self,
            PromiseEditCommand.self,
            PromiseCancelCommand.self,
            PromiseInviteCommand.self,
            PromiseRemoveCommand.self,
            PromiseWatchCommand.self,
            PromiseResultCommand.self,
            PromiseExplainCommand.self,
            PromiseExcuseCommand.self,
            PromiseExportCommand.self,
        ]
    )
}

struct PromiseListCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List promises, latest meeting time first.",
        discussion: "Example: promisectl promise list --status tracking"
    )

    @Option(help: "List only promises that this user is or was in: an id, a nickname or an e-mail.") var user: String?
    @Option(help: "List only promises with this status.") var status: StatusArgument?
    @OptionGroup var limits: LimitOptions
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        var userID: String?
        if let user { userID = try await administration.user(named: user).user.userID }
        let page: WirePromises = try await administration.pages(upTo: limits.limit) { cursor, limit in
            .listPromises(of: userID, status: status?.status ?? .unspecified, cursor: cursor, limit: limit)
        }
        return .promises(page)
    }
}

struct PromiseShowCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show one promise with all its participants.",
        discussion: "Example: promisectl promise show 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b"
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise) var promise: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .promise(try await administration.ask(.showPromise(promise)))
    }
}

struct PromiseWatchCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watch a promise live: each participant's distance, ETA, freshness and rank.",
        discussion: """
            Redraws a table in place on a terminal; otherwise prints a line per event. --jsonl prints the server's frames \
            as they arrive, --json one document at the end. Reconnects after a lost connection. Exits with 0 when the \
            result is final or the promise is cancelled, with 130 on SIGINT, with 143 on SIGTERM. \
            Example: promisectl promise watch 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b
            """
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise) var promise: String
    @OptionGroup var options: ServerCommandOptions

    func perform(in context: Context) async throws(Failure) -> ExitStatus {
        let target = try options.server.target(in: context, patience: .seconds(15))
        let administration = try await context.connector.connect(to: target)
        let outcome: Result<ExitStatus, Failure>
        do throws(Failure) {
            outcome = .success(try await watch(administration, context.console))
        } catch {
            outcome = .failure(error)
        }
        await administration.close()
        return try outcome.get()
    }

    private func watch(
        _ administration: any Administration,
        _ console: any Console
    ) async throws(Failure) -> ExitStatus {
        var watch = try await Watch(promise, from: administration, on: screen(on: console), console: console)
        return try await watch.run()
    }

    private func screen(on console: any Console) -> any WatchScreen {
        if options.output.json { return DocumentScreen(console) }
        if options.output.jsonl { return FrameScreen(console) }
        return console.canRedraw ? LiveScreen(console) : LineScreen(console)
    }
}

struct PromiseResultCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "result",
        abstract: "Show the final result table.",
        discussion: "Example: promisectl promise result 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b"
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise) var promise: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        .result(try await administration.ask(.getResult(of: promise)))
    }
}

struct PromiseExplainCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain how a participant's arrival was decided.",
        discussion: "Example: promisectl promise explain 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b ada"
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise) var promise: String
    @Argument(help: "The user: an id, a nickname or an e-mail.") var user: String
    @OptionGroup var options: ServerCommandOptions

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let found = try await administration.user(named: user)
        let explanation: WireExplanation = try await administration.pages(upTo: nil) { cursor, _ in
            .explainArrival(of: found.user.userID, in: promise, cursor: cursor)
        }
        return .explanation(explanation)
    }
}

struct PromiseExportCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the stored positions of a promise.",
        discussion: """
            Choose --gpx, --geojson or --csv, or --json or --jsonl for the protocol's messages. \
            Example: promisectl promise export 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b --gpx --file lunch.gpx
            """
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise) var promise: String
    @Flag var format: ExportFormat?

    @Option(help: "Write to this file, which must not exist, instead of standard output.", completion: .file())
    var file: String?

    @OptionGroup var options: ServerCommandOptions

    func check(in context: Context) throws(Failure) {
        guard (format != nil) != options.output.isForMachines else {
            throw .usage("use exactly one of --gpx, --geojson, --csv, --json and --jsonl")
        }
        guard file == nil || format != nil else { throw .usage("--file needs --gpx, --geojson or --csv") }
    }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let shown = try await administration.ask(.showPromise(promise)).promise
        let export = TrackExport(promise: shown, positions: try await positions(from: administration))
        let text = try format?.document(of: export) ?? ""
        if let file { try write(text, to: file) }
        let isShown = file == nil
        return Report(export.document, items: options.output.jsonl ? export.items : nil) { _ in isShown ? text : "" }
    }

    private func positions(from administration: any Administration) async throws(Failure) -> PackedTracks {
        var tracks = try PackedTracks()
        var cursor: String?
        repeat {
            let page = try await administration.ask(.exportPositions(of: promise, cursor: cursor, limit: 500))
            for position in page.positions { try tracks.append(position) }
            cursor = page.cursor.isEmpty ? nil : page.cursor
        } while cursor != nil
        return tracks
    }

    /// Positions are personal: only the file's owner can read it.
    private func write(_ text: String, to path: String) throws(Failure) {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else { throw .usage("\(path) already exists: name another file") }
        guard files.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes) else {
            throw .refused("cannot write \(path): check its folder and permissions")
        }
    }
}
