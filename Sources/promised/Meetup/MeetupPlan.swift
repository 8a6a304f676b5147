import Foundation
internal import PromisedAccess
import PromisedDomain
import PromisedFormats
import PromisedServer
import PromisedSimulation

/// A whole meetup to be played through a server: people, place, time, and each phone's reports.
struct MeetupPlan: Hashable, Sendable {
    /// One phone.
    struct Person: Hashable, Sendable {
        /// Unique among the people.
        var nickname: String
        /// Their phone's reports, ascending by time.
        var reports: [PlannedReport]
        /// How many recorded fixes lie outside the window and are not sent, because the server would refuse them.
        var leftOut = 0
    }

    var title: String
    var place: Place
    var radiusMetres: Int
    var meetsAt: Instant
    var rule: ArrivalRule.Name
    var penalty: Penalty?
    /// At least one; the first owns the promise.
    var people: [Person]

    /// When the window opens and ends, by the default spans, which a server may have changed.
    var opensAt: Instant { meetsAt - WindowSpans().before }
    /// See ``opensAt``.
    var closesAt: Instant { meetsAt + WindowSpans().after }
    /// See ``opensAt``.
    var settlesAt: Instant { closesAt + WindowSpans().settle }
}

struct PlannedReport: Hashable, Sendable {
    /// When the phone sends it.
    var at: Instant
    /// The fix; its wall clock says when it was recorded.
    var fix: Fix
}

struct NamedTrack: Sendable {
    /// The file's name with its ending.
    var fileName: String
    /// Its points, in any order.
    var points: [RidePoint]
}

/// Why tracks could not be read; a sentence for people.
struct TrackError: Error, Hashable, CustomStringConvertible {
    let description: String
}

extension NamedTrack {
    /// All GPX files of a folder, by file name. Throws ``TrackError`` when there is none or one can't be read.
    static func all(in folder: String) throws(TrackError) -> [NamedTrack] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter { $0.lowercased().hasSuffix(".gpx") }
                .sorted()
        } catch {
            throw TrackError(description: "Cannot read the folder \(folder): \(error.localizedDescription)")
        }
        guard !names.isEmpty else { throw TrackError(description: "There is no GPX file in \(folder)") }
        var tracks: [NamedTrack] = []
        for name in names {
            do throws(GPXError) {
                let url = URL(fileURLWithPath: folder).appendingPathComponent(name)
                tracks.append(NamedTrack(fileName: name, points: try GPXFile(contentsOf: url).ridePoints))
            } catch {
                throw TrackError(description: "\(name): \(error)")
            }
        }
        return tracks
    }
}

extension MeetupPlan {
    /// A meetup of recorded tracks: the n-th is shifted by n times `stagger`, and each report sends the newest fix
    /// recorded by then, unless it was sent before. Fixes outside the window are omitted and counted.
    init(
        tracks: [NamedTrack],
        place: Coordinate,
        radiusMetres: Int,
        meetsAt: Instant,
        rule: ArrivalRule.Name,
        stagger: TimeSpan,
        reportEvery: TimeSpan
    ) {
        let nicknames = Nickname.unique(forFileNames: tracks.map(\.fileName))
        self.init(
            title: "Replay of \(tracks.count) tracks",
            place: Place(name: "Meeting place", coordinate: place),
            radiusMetres: radiusMetres,
            meetsAt: meetsAt,
            rule: rule,
            people: []
        )
        let window = opensAt..<closesAt
        for (index, (track, nickname)) in zip(tracks, nicknames).enumerated() {
            let shift = TimeSpan(milliseconds: stagger.milliseconds * Int64(index))
            let shifted = track.points.map { point in
                var point = point
                point.time = point.time + shift
                return point
            }
            let inside = shifted.filter { window.contains($0.time) }
            people.append(
                Person(
                    nickname: nickname.text,
                    reports: MeetupPlan.reports(of: inside, every: reportEvery),
                    leftOut: shifted.count - inside.count
                )
            )
        }
    }

    private static func reports(of points: [RidePoint], every interval: TimeSpan) -> [PlannedReport] {
        guard let first = points.map(\.time).min() else { return [] }
        return points.reports(every: interval, from: first).enumerated().map { index, report in
            PlannedReport(
                at: report.at,
                fix: Fix(
                    seq: UInt32(index + 1),
                    coordinate: report.point.coordinate,
                    accuracyMetres: report.point.accuracyMetres,
                    wallMs: Double(report.point.time.milliseconds)
                )
            )
        }
    }
}
