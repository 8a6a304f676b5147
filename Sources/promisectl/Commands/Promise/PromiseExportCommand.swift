import ArgumentParser
import Foundation
import PromisedClient
import PromisedProtocol

/// `promisectl promise export`.
struct PromiseExportCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the positions of a promise that are still kept.",
        discussion: """
            Give one of --gpx, --geojson, --csv, or --json or --jsonl for the protocol's own messages. \
            Example: promisectl promise export 0193a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b --gpx --file lunch.gpx
            """
    )

    @Argument(help: "The promise's id.", transform: IdentifierArgument.promise)
    var promise: String

    @Flag var format: ExportFormat?

    @Option(help: "Write to this file, which must not exist, instead of standard output.", completion: .file())
    var file: String?

    @OptionGroup var server: ServerOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var confirmation: ConfirmationOptions

    func check(in context: Context) throws(Failure) {
        guard (format != nil) != output.isForMachines else {
            throw .usage("one of --gpx, --geojson, --csv, --json and --jsonl is needed")
        }
        guard file == nil || format != nil else { throw .usage("--file goes with --gpx, --geojson or --csv") }
    }

    func answer(
        from administration: any Administration,
        in context: Context
    ) async throws(Failure) -> Report {
        let shown = try await administration.ask(.showPromise(promise)).promise
        let page: WireAdminPositions = try await administration.pages(upTo: nil, size: 500) { cursor, limit in
            .exportPositions(of: promise, cursor: cursor, limit: limit)
        }
        let text = try format?.document(of: TrackExport(promise: shown, positions: page.positions)) ?? ""
        if let file { try write(text, to: file) }
        let isShown = file == nil
        let items = page.positions.map { Document($0) }
        return Report(Document(page), items: items) { _ in isShown ? text : "" }
    }

    /// Positions are personal: the file is for its owner alone.
    private func write(_ text: String, to path: String) throws(Failure) {
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        let files = FileManager.default
        guard !files.fileExists(atPath: path) else { throw .usage("\(path) is there already") }
        guard files.createFile(atPath: path, contents: Data(text.utf8), attributes: attributes) else {
            throw .refused("\(path) cannot be written")
        }
    }
}
