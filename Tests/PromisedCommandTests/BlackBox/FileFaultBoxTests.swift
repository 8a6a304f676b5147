import Foundation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Every command of the built binary that reads a file, with files of every other kind.
@Suite("The built binary names files of another kind", .tags(.realTime), .timeLimit(.minutes(3)))
struct FileFaultBoxTests {
    struct Command: CustomTestStringConvertible, Sendable {
        /// Its words, with `FILE` for the path and `DATA` for an empty data directory.
        let words: String
        let code: Int32
        var ending = "csv"
        /// The kinds of ``ForeignFile`` that it accepts, or rejects with another message.
        var others: Set<String> = []
        var testDescription: String { words }
    }

    private static let texts: Set = ["JSON", "an array in JSON", "GeoJSON"]
    private static let commands = [
        Command(
            words: "place import FILE --source s --map name=a --map latitude=b --map longitude=c --data DATA",
            code: 2
        ),
        Command(words: "place import x.csv --preset FILE --data DATA", code: 2, ending: "yaml", others: texts),
        Command(words: "restore FILE --data DATA", code: 1, others: ["SQLite"]),
        Command(words: "backup FILE --files DATA/files --only-files --data DATA", code: 1, others: ["SQLite"]),
        // A mapping is valid YAML, and an empty file a configuration.
        Command(words: "check-config --config FILE", code: 2, ending: "yaml", others: texts.union(["nothing"])),
        Command(words: "check-config --set places.categories=FILE", code: 2, ending: "yaml", others: texts),
    ]

    private func run(_ command: Command, _ path: String, _ data: String) async throws -> (Int32, String) {
        let words = command.words.split(separator: " ").map { word in
            String(word).replacing("FILE", with: path).replacing("DATA", with: data)
        }
        let run = try BinaryRun(words)
        async let told = run.errors.reduce(into: "") { $0 += $1 + "\n" }
        _ = await run.wholeOutput()
        return (await run.exitCode(), await told)
    }

    @Test(.proves("12.11"), arguments: commands)
    func `the message has the file's path and kind, not the data directory`(command: Command) async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/data", withIntermediateDirectories: true)
            let path = "\(folder)/given.\(command.ending)"
            for kind in ForeignFile.all + ForeignFile.data where !command.others.contains(kind.description) {
                try Data(kind.bytes).write(to: URL(filePath: path))
                let (code, told) = try await run(command, path, "\(folder)/data")
                #expect(code == command.code, "\(kind): \(told)")
                #expect(told.contains(path) && !told.contains("\(folder)/data"), "\(kind): \(told)")
                let isNamed = told.contains(kind.phrase) || kind.bytes.isEmpty && told.contains("empty")
                #expect(isNamed, "\(kind): \(told)")
            }
            let subfolder = "\(folder)/folder.\(command.ending)"
            try FileManager.default.createDirectory(atPath: subfolder, withIntermediateDirectories: true)
            let faults = [(subfolder, "Is a directory"), ("\(folder)/missing.\(command.ending)", "No such file")]
            for (path, reason) in faults {
                let (code, told) = try await run(command, path, "\(folder)/data")
                #expect(code == command.code && told.contains(path) && told.contains(reason), "\(told)")
                #expect(!told.contains("\(folder)/data"), "\(told)")
            }
        }
    }

    @Test(.proves("12.11")) func `rejects a truncated backup and a foreign database as backups`() async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let command = Command(words: "restore FILE --data DATA", code: 1)
            let path = "\(folder)/cut.sqlite"
            for rest in [0, 84, 8_192] {
                let bytes = Array("SQLite format 3\0".utf8) + [16, 0, 1, 1] + [UInt8](repeating: 0, count: rest)
                try Data(bytes).write(to: URL(filePath: path))
                let (code, told) = try await run(command, path, "\(folder)/data")
                #expect(code == 1, "\(told)")
                #expect(told.contains("\(path): the file is not an intact backup of promised"), "\(told)")
            }
        }
    }

    @Test(.proves("12.11")) func `rejects a folder without GPX with the kinds of its files`() async throws {
        try await withTemporaryFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (name, kind) in [("a.fit", "FIT"), ("b.kmz", "KMZ"), ("c.tcx", "TCX"), ("d.zip", "ZIP")] {
                let found = try #require(ForeignFile.all.first { $0.description == kind })
                try Data(found.bytes).write(to: URL(filePath: "\(folder)/\(name)"))
            }
            let words = "replay --tracks FILE --place 37,127 --meets-at 2026-09-05T08:30:00Z"
            let (code, told) = try await run(Command(words: words, code: 1), folder, "")
            #expect(code == 1)
            let expected = """
                promised: There is no GPX file in \(folder)
                  a.fit: the file is a FIT file of a sports watch, not GPX: export it as GPX
                  b.kmz: the file is a KMZ archive, not GPX: unpack it first
                  c.tcx: the file is a TCX file of a sports watch, not GPX: export it as GPX

                """
            #expect(told == expected)
        }
    }
}
