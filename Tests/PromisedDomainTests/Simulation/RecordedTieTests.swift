import Foundation
import PromisedFormats
import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedDomain

/// Real phones on one body, and one phone behind another on the same way; see `docs/arrival.md`.
@Suite(.enabled(if: RecordedErrors.folder != nil, "\(RecordedErrors.absence)"))
struct RecordedTieTests {
    @Test(arguments: 1...8)
    func `phones on one body share a rank, those behind do not`(number: Int) throws {
        let folder = try #require(RecordedErrors.folder).appending(path: "ties/t0\(number)")
        let text = try String(contentsOf: folder.appending(path: "case.tsv"), encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        let criteria = try #require(lines.first.flatMap(Self.criteria))
        let wants = try #require(lines.last).split(separator: "\t").map(String.init)
        let tracks = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".gpx") }
            .sorted()
            .map { try Self.fixes(of: folder.appending(path: $0), under: criteria) }
        try #require(tracks.count >= 2)
        var arrivals: [UserID: Arrival] = [:]
        var pairs: [UserPair] = []
        for (index, track) in tracks.enumerated() {
            for (other, second) in tracks.enumerated() where other > index {
                let run = PairRun([track, second], under: criteria)
                let times = try #require(run.creditedAt, "ties/t0\(number)")
                let users = [UserID.user(UInt64(index)), UserID.user(UInt64(other))]
                for (user, time) in zip(users, times) {
                    arrivals[user] = Arrival(stage: .confirmed, creditedAt: time, source: .gps)
                }
                if run.found != nil { pairs.append(UserPair(users[0], users[1])) }
            }
        }
        let ranks = Ranking.rank(arrivals, together: pairs).map(\.rank)
        switch wants[0] {
        case "same": #expect(Set(ranks) == [1], "\(wants)")
        case "apart": #expect(Set(ranks).count > 1, "\(wants)")
        default: Issue.record("\(wants)")
        }
    }

    private static func criteria(_ line: String) -> ArrivalCriteria? {
        let words = line.split(separator: " ").map(String.init)
        func word(after name: String) -> String? { words.firstIndex(of: name).map { words[$0 + 1] } }
        let place = word(after: "place")?.split(separator: ",").compactMap { Double($0) } ?? []
        guard place.count == 2, let radius = word(after: "radius").flatMap(Double.init),
            let meetsAt = word(after: "meets-at").flatMap({ Instant(rfc3339: $0) })
        else { return nil }
        return ArrivalCriteria(
            centre: Coordinate(latitude: place[0], longitude: place[1]),
            radiusMetres: radius,
            rule: .robust,
            opensAt: meetsAt - WindowSpans().before
        )
    }

    /// The fixes of a track within the window, reported each 5 s.
    private static func fixes(of url: URL, under criteria: ArrivalCriteria) throws -> [SettledFix] {
        let closesAt = criteria.opensAt + WindowSpans().before + WindowSpans().after
        let points = try GPXFile(contentsOf: url).ridePoints.filter { (criteria.opensAt..<closesAt).contains($0.time) }
        let first = try #require(points.map(\.time).min())
        return points.settled(from: first)
    }
}
