import Foundation
import PromisedDomain
import Testing

@testable import PromisedFormats

@Suite struct PlaceFilePlanTests {
    private func preset(_ change: (inout ImportPreset) throws -> Void = { _ in }) throws -> ImportPreset {
        var preset = ImportPreset()
        preset.source.name = "shops"
        for (field, column) in [("name", "name"), ("latitude", "y"), ("longitude", "x"), ("category", "=cafe")] {
            try preset.mapping.map(option: "\(field)=\(column)")
        }
        try change(&preset)
        return preset
    }

    @Test func `detects the format by the file's extension unless the preset gives it`() throws {
        #expect(try PlaceFilePlan(paths: ["a.geojson"], preset: preset(), bounds: nil).format == .geoJSON)
        let given = try preset { $0.format = .jsonLines }
        #expect(try PlaceFilePlan(paths: ["a.csv"], preset: given, bounds: nil).format == .jsonLines)
        #expect(throws: FormatError.self) { try PlaceFilePlan(paths: ["a.bin"], preset: preset(), bounds: nil) }
    }

    @Test func `a plan needs a source and a known coordinate system`() throws {
        let nameless = try preset { $0.source.name = "" }
        #expect(throws: FormatError.self) { try PlaceFilePlan(paths: ["a.csv"], preset: nameless, bounds: nil) }
        let system = try preset { $0.crs = 4_327 }
        let error = #expect(throws: FormatError.self) {
            try PlaceFilePlan(paths: ["a.csv"], preset: system, bounds: nil)
        }
        #expect(error?.description.contains("use one of 4326, 3857") == true)
    }

    @Test func `reads a file to its end, in the coordinates and bounds of the plan`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "plan-\(UUID()).csv").path
        defer {
            // A temporary file: the system removes it if this fails.
            try? FileManager.default.removeItem(atPath: path)
        }
        try Data("name,x,y\nOpera,953820.94,1953485.95\nFar,900000,1500000\n".utf8).write(to: URL(filePath: path))
        let bounds = try ImportArea.Bounds(option: "37,126,38,128")
        var reader = try PlaceFileReader(
            PlaceFilePlan(paths: [path], preset: preset { $0.crs = 5_179 }, bounds: bounds)
        )
        var outcomes: [PlaceRowOutcome] = []
        while let piece = try reader.next() { outcomes += piece }
        #expect(reader.share == 1 && reader.tally.taken == 1 && reader.tally.refused == [.outside: 1])
        guard case .taken(let place) = outcomes.first else {
            Issue.record("refused")
            return
        }
        #expect(abs(place.coordinate.latitude - 37.5796) < 0.00002)
        #expect(abs(place.coordinate.longitude - 126.9770) < 0.00002)
    }

    @Test(
        arguments: [
            (RowFormat.csv, ";", true, nil, RowFormat.csv(delimiter: 0x3B, hasHeader: false)),
            (.csv, nil, false, "a", nil), (.geoJSON, ";", false, nil, nil), (.jsonLines, nil, true, nil, nil),
            (.jsonLines, nil, false, "a", nil), (.json(rows: []), nil, false, "a.b", .json(rows: ["a", "b"])),
            (.geoJSON, nil, false, nil, .geoJSON),
        ] as [(RowFormat, String?, Bool, String?, RowFormat?)]
    )
    func `options change only their own format`(
        format: RowFormat,
        delimiter: String?,
        hasNoHeader: Bool,
        rows: String?,
        result: RowFormat?
    ) {
        #expect((try? format.changed(delimiter: delimiter, hasNoHeader: hasNoHeader, rows: rows)) == result)
    }
}
