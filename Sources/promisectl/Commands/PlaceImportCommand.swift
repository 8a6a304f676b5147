import ArgumentParser
import PromisedCommandLine
import PromisedFormats

struct PlaceImportCommand: ServerCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import places from a file into the directory.",
        discussion: """
            Reads CSV, GeoJSON, JSON or JSON lines. Unchanged places are not written, so an interrupted import is simply run \
            again. If more rows are refused than --skip-bad allows, exits with 1, does not finish the import and removes \
            nothing; the places that were taken until then stay. Ctrl-C cancels the import in the same way and exits with \
            130. Presets by name come from config/places in the current folder, or from those of the installation; \
            example.yaml there explains how to write one. Example: promisectl place import markets.csv --preset \
            markets-kr --replace
            """
    )

    @OptionGroup var order: PlaceImportOptions
    @OptionGroup var options: ServerCommandOptions

    /// The end of an import may remove many places.
    var patience: Duration { .seconds(600) }

    func check(in context: Context) throws(Failure) {
        _ = try plan()
        // Checks that the path is writable before the import.
        try write(RefusedRows())
    }

    func answer(from administration: any Administration, in context: Context) async throws(Failure) -> Report {
        let progress = ImportProgress(on: context.console, for: options.output)
        let upload = try PlaceUpload(try plan(), options: order, to: administration, progress: progress)
        let ending = await ending(of: upload, interruptedBy: await context.console.interruptions())
        await upload.cancel()
        try write(await upload.refused)
        switch ending {
        case .done(let summary): return .placesImported(summary, skipBad: order.skipBad)
        case .failed(let failure): throw failure
        case .interrupted(let status): return .importInterrupted(status, wasFinishing: await upload.wasFinishing)
        case nil: throw .unreachable("the import ended without a result: run it again")
        }
    }

    private enum Ending: Sendable {
        case done(PlaceImportSummary)
        case failed(Failure)
        case interrupted(ExitStatus)
    }

    /// The first to occur of the import's end and a signal; the other is cancelled and awaited.
    private func ending(of upload: PlaceUpload, interruptedBy signals: AsyncStream<ExitStatus>) async -> Ending? {
        await withTaskGroup(of: Ending?.self) { group in
            group.addTask {
                do throws(Failure) {
                    return .done(try await upload.run())
                } catch {
                    return .failed(error)
                }
            }
            group.addTask {
                for await status in signals { return .interrupted(status) }
                return nil
            }
            let first = await group.first { $0 != nil } ?? nil
            group.cancelAll()
            return first
        }
    }

    private func plan() throws(Failure) -> PlaceFilePlan {
        do throws(FormatError) {
            return try order.plan()
        } catch {
            throw Failure(error)
        }
    }

    private func write(_ refused: RefusedRows) throws(Failure) {
        guard let path = order.report else { return }
        do throws(FormatError) {
            try refused.write(to: path)
        } catch {
            throw Failure(error)
        }
    }
}
