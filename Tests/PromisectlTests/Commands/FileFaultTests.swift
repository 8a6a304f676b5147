import Foundation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@testable import promisectl

/// Every command that reads a file, with files of every other kind.
@Suite("Files of another kind", .timeLimit(.minutes(2)))
struct FileFaultTests {
    struct Command: CustomTestStringConvertible, Sendable {
        /// Its words, with `FILE` for the path.
        let words: String
        /// The ending of the file's name.
        let ending: String
        /// The kinds of ``ForeignFile`` that it accepts, or rejects with another message.
        var others: Set<String> = []
        var testDescription: String { words }

        func arguments(_ path: String) -> [String] {
            words.split(separator: " ").map { $0 == "FILE" ? path : String($0) }
        }
    }

    private static let mapping = "--source s --map name=name --map latitude=lat --map longitude=lon"
    private static let texts: Set = ["JSON", "an array in JSON", "GeoJSON"]
    private static let commands = [
        Command(words: "place import FILE \(mapping)", ending: "csv"),
        Command(words: "place import FILE \(mapping)", ending: "tsv"),
        Command(words: "place import FILE \(mapping)", ending: "geojson", others: texts),
        Command(words: "place import FILE \(mapping)", ending: "json", others: ["JSON", "an array in JSON"]),
        Command(words: "place import FILE \(mapping)", ending: "jsonl", others: texts),
        Command(words: "place import shops.csv --preset FILE", ending: "yaml", others: texts),
        Command(words: "place categories --file FILE", ending: "yaml", others: texts),
        Command(
            words: "course import FILE --title a --region KR-11 --source b --licence c",
            ending: "gpx",
            others: ["GPX", "gzip"]
        ),
        Command(words: "user import FILE", ending: "csv"),
        Command(words: "stats --token-file FILE", ending: "token"),
    ]

    @Test(.proves("12.11"), arguments: commands)
    func `rejects a file of another kind with its kind, as an invalid command line`(
        command: Command
    ) async throws {
        for kind in ForeignFile.all + ForeignFile.data where !command.others.contains(kind.description) {
            let file = try SampleFile("", name: "given.\(command.ending)")
            try Data(kind.bytes).write(to: URL(filePath: file.path))
            let run = await Run(command.arguments(file.path), StubConsole()) { _ in .failure(.refused("asked")) }
            #expect(run.status == .usage, "\(kind): \(run.errors)")
            #expect(run.errors.contains(file.path), "\(kind): \(run.errors)")
            let isNamed = run.errors.contains(kind.phrase) || kind.bytes.isEmpty && run.errors.contains("empty")
            #expect(isNamed, "\(kind): \(run.errors)")
        }
    }

    @Test(.proves("12.11"), arguments: commands)
    func `rejects a folder and a missing file with the system's reason`(command: Command) async throws {
        let file = try SampleFile("", name: "given.\(command.ending)")
        let folder = file.beside("folder.\(command.ending)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let faults = [(folder, "Is a directory"), (file.beside("missing.\(command.ending)"), "No such file")]
        for (path, reason) in faults {
            let run = await Run(command.arguments(path), StubConsole()) { _ in .failure(.refused("asked")) }
            #expect(run.status == .usage && run.errors.contains(path), "\(run.errors)")
            #expect(run.errors.contains(reason), "\(run.errors)")
        }
    }

    @Test(.proves("12.11")) func `detects a format by the content if the name has none`() async throws {
        for (ending, content, phrase) in [
            ("xlsx", "XLSX", "an Office document such as XLSX, not CSV, GeoJSON or JSON: export it"),
            ("gz", "gzip", "compressed by gzip: unpack it first"), ("kml", "KML", "a KML document, not CSV"),
        ] {
            let kind = try #require(ForeignFile.all.first { $0.description == content })
            let file = try SampleFile("", name: "shops.\(ending)")
            try Data(kind.bytes).write(to: URL(filePath: file.path))
            let arguments = "place import FILE \(Self.mapping)".split(separator: " ").map(String.init)
            let run = await Run(arguments.map { $0 == "FILE" ? file.path : $0 }) { _ in .failure(.refused("asked")) }
            #expect(run.status == .usage && run.errors.contains("\(file.path): the file is \(phrase)"), "\(run.errors)")
        }
    }
}
