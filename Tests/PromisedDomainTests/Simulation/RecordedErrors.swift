import Foundation
import PromisedSimulation
import PromisedTestSupport

/// The measured errors of phones that lie beside the repository; see `docs/arrival.md`.
enum RecordedErrors {
    /// Why tests are skipped without them.
    static let absence = "the recordings of phones are not beside the repository (../shared/field/gnss/open)"

    /// The folder; nil if it is missing.
    static let folder: URL? = {
        guard let root = RepositoryFolder.root else { return nil }
        let folder = root.deletingLastPathComponent().appending(path: "shared/field/gnss/open")
        let needed = ["errors.tsv", "rest.tsv", "r050", "r100"].map { folder.appending(path: $0).path }
        return needed.allSatisfy(FileManager.default.fileExists) ? folder : nil
    }()

    /// The series of some kinds of ways, without the phones a1 and i1, from which the truth was made.
    ///
    /// - Parameters:
    ///   - kinds: such as `walk`, `wheels`, `car/bus`.
    ///   - asked: the accuracy asked for: `best` or `100 m`.
    static func ways(_ kinds: Set<String>, asked: Set<String> = ["best", "100 m"]) throws -> [ErrorSeries] {
        try series(of: "errors.tsv") { row in
            guard kinds.contains(row[1]), asked.contains(row[3]), !["a1", "i1"].contains(row[2]) else { return nil }
            return (row[0], row[2], row[3], row[4..<8])
        }
    }

    /// The hours of resting phones set to best accuracy; the error is the distance from their position.
    static func rests() throws -> [ErrorSeries] {
        try series(of: "rest.tsv") { row in row[2] == "best" ? (row[0], row[1], row[2], row[3..<7]) : nil }
    }

    private typealias Row = (way: String, phone: String, asked: String, numbers: ArraySlice<String>)

    private static func series(of name: String, _ chosen: ([String]) -> Row?) throws -> [ErrorSeries] {
        guard let folder else { return [] }
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        var found: [String: ErrorSeries] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard let row = chosen(cells) else { continue }
            let numbers = row.numbers.compactMap(Double.init)
            guard numbers.count == 4 else { continue }
            let key = "\(row.way) \(row.phone) \(row.asked)"
            found[key, default: ErrorSeries(way: row.way, phone: row.phone)].fixes.append(
                ErrorSeries.Fix(
                    seconds: numbers[0],
                    error: PlanePoint(eastMetres: numbers[2], northMetres: numbers[3]),
                    claimMetres: numbers[1]
                )
            )
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }
}
