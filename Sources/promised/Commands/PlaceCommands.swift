import ArgumentParser
import PromisedApplication
import PromisedCommandLine
import PromisedFormats
import PromisedPlaces

struct PlaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place",
        abstract: "The directory of places, while no server runs.",
        subcommands: [PlaceImportCommand.self]
    )
}

struct PlaceImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import places from a file into a data directory while no server runs.",
        discussion: """
            While a server runs, use promisectl place import, which has the same options. Unchanged places are not written, \
            so an interrupted import is simply run again. Presets by name come from config/places in the current folder, or \
            from those of the installation; example.yaml there explains how to write one. Exit codes: 0 success, 1 failure \
            or more refused rows than --skip-bad allows (nothing was removed), 2 the command line, the file or the \
            configuration is invalid.

            Example: promised place import markets.csv --preset markets-kr --replace --data /var/lib/promised
            """
    )

    @OptionGroup var order: PlaceImportOptions
    @Flag(help: "Print one JSON document instead of lines.") var json = false
    @OptionGroup var options: DataOptions

    func run() async throws {
        let plan = try await reading { () throws(FormatError) in try order.plan() }
        let feed = try await reading { () throws(FormatError) in
            // Checks that the path is writable before the import.
            try write(RefusedRows())
            return try PlaceFeed(plan, skipBad: order.skipBad, showsProgress: StandardError.isTerminal && !json)
        }
        try await reading { () async throws(FormatError) in try await feed.begin() }
        let categories = try options.categories()
        let report: PlaceImportReport
        do {
            report = try await importRows(of: feed, into: plan.source, categories: categories)
        } catch {
            try await save(feed)
            // Exit code 2 if the file is at fault.
            guard await feed.fault == nil else { throw ExitCode(2) }
            throw error
        }
        try await save(feed)
        try await tell(report, of: plan.source, feed)
    }

    private func importRows(
        of feed: PlaceFeed,
        into source: PlaceSource,
        categories: CategoryTable
    ) async throws -> PlaceImportReport {
        try await options.maintain { maintenance async throws(MaintenanceError) in
            do throws(MaintenanceError) {
                let report = try await maintenance.importPlaces(
                    PlaceImportOrder(source, order),
                    categories: categories,
                    next: { try await feed.next() },
                    refused: { await feed.note($0) },
                    mayFinish: { await feed.mayFinish }
                )
                await feed.endProgress()
                return report
            } catch {
                await feed.endProgress()
                throw error
            }
        }
    }

    // MARK: - Reporting

    private func save(_ feed: PlaceFeed) async throws {
        let refused = await feed.refused
        try await reading { () throws(FormatError) in try write(refused) }
    }

    private func write(_ refused: RefusedRows) throws(FormatError) {
        if let path = order.report { try refused.write(to: path) }
    }

    /// Prints the numbers. Throws exit code 1 for an unfinished import.
    private func tell(_ report: PlaceImportReport, of source: PlaceSource, _ feed: PlaceFeed) async throws {
        var summary = PlaceImportSummary(source: source.name, dryRun: order.dryRun)
        summary.take(await feed.refused, of: await feed.tally)
        summary.added = report.added
        summary.changed = report.changed
        summary.unchanged = report.unchanged
        summary.removed = report.removed
        summary.finished = await feed.mayFinish
        if json {
            try JSONOutput.write(summary)
        } else {
            for field in summary.fields { StandardOutput.write("\(field.name): \(field.value)") }
            for remark in summary.remarks(skipBad: order.skipBad) { StandardOutput.write(remark) }
        }
        guard summary.finished else { throw ExitCode.failure }
    }

    /// Runs `body`; prints its error and throws exit code 2 for it.
    private func reading<Value>(_ body: () async throws(FormatError) -> Value) async throws -> Value {
        do throws(FormatError) {
            return try await body()
        } catch {
            StandardError.write("promised: \(error)")
            throw ExitCode(2)
        }
    }
}

extension PlaceImportOrder {
    fileprivate init(_ source: PlaceSource, _ options: PlaceImportOptions) {
        self.init(
            source: source,
            replaces: options.replace,
            maxRemovedPercent: options.maxRemoved,
            isDryRun: options.dryRun
        )
    }
}
