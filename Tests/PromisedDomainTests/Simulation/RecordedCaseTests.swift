import Foundation
import PromisedDomain
import PromisedFormats
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Ways, passages, hours at rest and stays of real phones, each with its truth; see `docs/arrival.md`.
@Suite(.enabled(if: RecordedErrors.folder != nil, "\(RecordedErrors.absence)"))
struct RecordedCaseTests {
    private static let folders = ["r050", "r100"]

    @Test(.proves("6.16"), arguments: folders)
    func `recorded phones that pass or stay beside the place have not arrived`(folder: String) throws {
        let cases = try RecordedCase.all(in: folder).filter { $0.truth == nil }
        #expect(cases.count >= 19)
        for recorded in cases where recorded.isDemanded {
            let arrival = try recorded.arrival()
            #expect(arrival == nil, "\(recorded) is credited at \(arrival?.creditedAt.rfc3339 ?? "-")")
        }
    }

    @Test(.proves("6.16"), arguments: folders)
    func `all recorded phones that stay have arrived, credited to the right minute`(folder: String) throws {
        let cases = try RecordedCase.all(in: folder).filter { $0.truth != nil }
        #expect(cases.count >= 14)
        for recorded in cases where recorded.isDemanded {
            let truth = try #require(recorded.truth)
            let arrival = try #require(try recorded.arrival(), "\(recorded) is missed")
            let error = abs((arrival.creditedAt - truth).seconds)
            print("\(recorded): \(error) s off")
            #expect(error <= recorded.tolerance, "\(recorded)")
        }
    }

    @Test(arguments: folders)
    func `credits phones on one body within the accuracy of their truth`(folder: String) throws {
        let groups = Dictionary(
            grouping: try RecordedCase.all(in: folder).filter { $0.isDemanded && $0.group != nil },
            by: \.group
        )
        #expect(groups.count >= 6)
        for (group, cases) in groups {
            let times = try cases.compactMap { try $0.arrival()?.creditedAt }
            #expect(times.count == cases.count)
            let first = try #require(times.min())
            let last = try #require(times.max())
            let tolerances = cases.map(\.tolerance).sorted()
            #expect((last - first).seconds <= tolerances.suffix(2).reduce(0, +), "\(group ?? "-")")
        }
    }
}

/// A recorded track and the truth about it.
private struct RecordedCase: CustomStringConvertible {
    /// The first version of the rule decided the case correctly, the second does, or neither must.
    enum Bar: String {
        case now
        case goal
        case free
    }

    let folder: String
    let name: String
    /// When the circle was entered; nil for never.
    let truth: Instant?
    /// The largest error of the credited time, in seconds; 0 without a truth.
    let tolerance: Double
    let bar: Bar
    /// Phones on one body at the same time; nil for a single one.
    let group: String?
    let note: String
    let criteria: ArrivalCriteria

    var description: String { "\(folder)/\(name) (\(note))" }

    /// `true` if the rule must decide it correctly.
    var isDemanded: Bool { bar != .free }

    /// All cases of a folder. The first line of its table names place, radius and meeting.
    static func all(in folder: String) throws -> [RecordedCase] {
        let url = try #require(RecordedErrors.folder).appending(path: folder)
        let text = try String(contentsOf: url.appending(path: "expected.tsv"), encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        let head = try #require(lines.first).split(separator: " ").map(String.init)
        let words = Dictionary(
            uniqueKeysWithValues: stride(from: 1, to: head.count - 1, by: 2).map { (head[$0], head[$0 + 1]) }
        )
        let place = try #require(words["place"]).split(separator: ",").compactMap { Double($0) }
        let meetsAt = try #require(words["meets-at"].flatMap { Instant(rfc3339: $0) })
        let criteria = ArrivalCriteria(
            centre: Coordinate(latitude: place[0], longitude: place[1]),
            radiusMetres: try #require(words["radius"].flatMap(Double.init)),
            rule: .robust,
            opensAt: meetsAt - WindowSpans().before
        )
        return try lines.filter { !$0.hasPrefix("#") }.map { line in
            let cells = line.split(separator: "\t").map(String.init)
            try #require(cells.count == 8, "\(line)")
            let truth = Instant(rfc3339: cells[2])
            try #require((truth == nil) == (cells[2] == "away"), "\(line)")
            return RecordedCase(
                folder: folder,
                name: cells[0],
                truth: truth,
                tolerance: Double(cells[3]) ?? 0,
                bar: try #require(Bar(rawValue: cells[4])),
                group: cells[5] == "-" ? nil : cells[5],
                note: cells[7],
                criteria: criteria
            )
        }
    }

    /// The arrival an hour after the last fix: read as `promised replay` reads it, a report each 5 s, and folded as a
    /// session folds it.
    func arrival() throws -> ArrivalDetector.Detection? {
        let url = try #require(RecordedErrors.folder).appending(path: "\(folder)/\(name).gpx")
        let closesAt = criteria.opensAt + WindowSpans().before + WindowSpans().after
        let points = try GPXFile(contentsOf: url).ridePoints.filter { (criteria.opensAt..<closesAt).contains($0.time) }
        let first = try #require(points.map(\.time).min())
        return points.detection(under: criteria, from: first)
    }
}
