package import ArgumentParser
package import PromisedFormats

/// The source of the places of an import; every option overrides the preset.
struct PlaceSourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The source that the places belong to: 1 to 40 of a-z, 0-9 and -.", valueName: "name")
    )
    var source: String?

    @Option(help: ArgumentHelp("The IANA time zone of the opening hours.", valueName: "zone")) var timeZone: String?
    @Option(help: "The title of the data.") var title: String?
    @Option(help: ArgumentHelp("The publisher of the data.", valueName: "name")) var publisher: String?
    @Option(help: ArgumentHelp("The licence of the data.", valueName: "name")) var licence: String?
    // Not --url, which names the server.
    @Option(help: ArgumentHelp("A page about the data.", valueName: "url")) var sourceUrl: String?
    @Option(help: ArgumentHelp("The date of the data, as its publisher has it.", valueName: "date")) var date: String?

    func changed(_ source: ImportPreset.Source) -> ImportPreset.Source {
        var source = source
        if let name = self.source { source.name = name }
        if let timeZone { source.timeZone = timeZone }
        if let title { source.title = title }
        if let publisher { source.publisher = publisher }
        if let licence { source.licence = licence }
        if let sourceUrl { source.url = sourceUrl }
        if let date { source.date = date }
        return source
    }
}

/// The options for importing places, into a server or offline into a data directory.
package struct PlaceImportOptions: ParsableArguments {
    @OptionGroup var file: PlaceFileOptions
    @OptionGroup var source: PlaceSourceOptions

    /// `true` to remove the source's places that are missing from the file.
    @Flag(help: "Remove the places of the source that the file no longer has.")
    package var replace = false

    /// The largest share of the source's places that may be removed, 0…100 percent.
    @Option(
        help: ArgumentHelp("The largest share of the source that --replace may remove: 0 to 100.", valueName: "percent")
    )
    package var maxRemoved = 20

    /// The largest share of refused rows in a successful import, 0…100 percent.
    @Option(
        help: ArgumentHelp(
            "The largest share of refused rows: 0 to 100. Above it, the import is not finished and removes nothing.",
            valueName: "percent"
        )
    )
    package var skipBad = 10

    /// `true` to compute the same report without writing.
    @Flag(help: "Report the same without writing anything.")
    package var dryRun = false

    /// nil to write no file for refused rows.
    @Option(
        help: ArgumentHelp(
            "Write each refused row to this CSV file: its line, the reason, the field, its number, ref and name.",
            valueName: "file"
        ),
        completion: .file(extensions: ["csv"])
    )
    package var report: String?

    package init() {}

    /// Validates the shares.
    package func validate() throws {
        for (name, percent) in [("--max-removed", maxRemoved), ("--skip-bad", skipBad)]
        where !(0...100).contains(percent) {
            throw ValidationError("\(name) is \(percent): use 0 to 100 percent.")
        }
    }

    /// The import described by these options and their preset. Blocks for one small file.
    ///
    /// - Throws: ``FormatError``.
    package func plan(presets folders: PresetFolders = .usual) throws(FormatError) -> PlaceFilePlan {
        var preset = try file.preset(from: folders)
        preset.source = source.changed(preset.source)
        return try PlaceFilePlan(paths: file.files, preset: preset, bounds: try file.area())
    }
}
