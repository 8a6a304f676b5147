import Foundation
internal import PromisedAccess
import PromisedDomain
import PromisedFormats
import PromisedServer
import PromisedSimulation

/// A whole meetup to play through a server: people, place, time, and each phone's reports.
struct MeetupPlan: Hashable, Sendable {
    /// One participant with a phone.
    struct Person: Hashable, Sendable {
        /// Unique among the people.
        var nickname: String
        /// The phone's reports, ascending by time.
        var reports: [PlannedReport]
        /// How many recorded fixes are outside the window; they are not sent, because the server would refuse them.
        var leftOut = 0
        /// How many recorded points have no time; they are not sent.
        var undated = 0
        /// Why a recording gives this phone nothing to report, as a sentence that names the file; nil if it has
        /// reports.
        var silence: String?
        /// Why some points of a recording are not sent, as a sentence that names the file; nil if all are valid.
        var omission: String?
    }

    var title: String
    var place: Place
    var radiusMetres: Int
    var meetsAt: Instant
    var rule: ArrivalRule.Name
    var penalty: Penalty?
    /// At least one; the first owns the promise.
    var people: [Person]

    /// Assumes the default spans, which a server may have changed.
    var opensAt: Instant { meetsAt - WindowSpans().before }
    /// See ``opensAt``.
    var closesAt: Instant { meetsAt + WindowSpans().after }
    /// See ``opensAt``.
    var settlesAt: Instant { closesAt + WindowSpans().settle }
}

struct PlannedReport: Hashable, Sendable {
    /// When the phone sends the report.
    var at: Instant
    /// The fix; its wall clock is the time of recording.
    var fix: Fix
}

struct NamedTrack: Sendable {
    /// The file's name with its extension.
    var fileName: String
    /// The points with a time, in any order.
    var points: [RidePoint]
    /// How many points have no readable time.
    var undatedCount = 0
    /// How many points and way-points have no valid position, and the most common fault.
    var invalid: (count: Int, reason: String)?
    /// How many way-points it has; they belong to no track.
    var waypointCount = 0
    /// The line on which the file breaks off; nil if it is complete.
    var brokenOffLine: Int?
    /// Why the file could not be read; nil if it was.
    var fault: String?
}

/// Why tracks could not be read; a sentence for people.
struct TrackError: Error, Hashable, CustomStringConvertible {
    let description: String
}

extension NamedTrack {
    private static let endings = [".gpx", ".gpx.gz"]

    /// All GPX files in a folder, by file name; an unreadable one has a fault. Throws ``TrackError`` if there are none.
    static func all(in folder: String) throws(TrackError) -> [NamedTrack] {
        let all: [String]
        do {
            all = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        } catch {
            throw TrackError(description: "Cannot read the folder \(folder): \(error.localizedDescription)")
        }
        let names = all.filter { name in endings.contains { name.lowercased().hasSuffix($0) } }
        guard !names.isEmpty else {
            throw TrackError(description: "There is no GPX file in \(folder)\(others(all, in: folder))")
        }
        return names.map { name in
            do throws(FormatError) {
                return NamedTrack(fileName: name, file: try GPXInput(path: "\(folder)/\(name)").file)
            } catch {
                return NamedTrack(fileName: name, points: [], fault: "\(error)")
            }
        }
    }

    /// The first files of a known format, for a folder without GPX files.
    private static func others(_ names: [String], in folder: String) -> String {
        let found = names.lazy.compactMap { name -> String? in
            // A subfolder or an unreadable file has no format.
            guard let start = try? FileChunks.bytes(ofFileAt: "\(folder)/\(name)", most: FoundFormat.startLength) else {
                return nil
            }
            return FoundFormat(sniffing: start).map { "\n  \(name): \($0.sentence(insteadOf: "GPX"))" }
        }
        return found.prefix(3).joined()
    }

    init(fileName: String, file: GPXFile) {
        let points = file.ridePoints
        self.init(
            fileName: fileName,
            points: points,
            undatedCount: file.points.count - points.count,
            invalid: file.problems.sentence.map { (file.droppedCount, $0) },
            waypointCount: file.document.waypoints.count,
            brokenOffLine: file.brokenOffLine
        )
    }

    /// Why the file may contain more points, as a sentence that names it; nil if it does not.
    var omission: String? {
        let reasons = [brokenOffLine.map { "it breaks off on line \($0)" }, invalid?.reason].compactMap(\.self)
        return reasons.isEmpty ? nil : "\(fileName): \(reasons.joined(separator: "; "))"
    }

    /// The same track, shifted in time.
    func shifted(by span: TimeSpan) -> NamedTrack {
        var track = self
        for index in track.points.indices { track.points[index].time = track.points[index].time + span }
        return track
    }

    /// Why none of it is within `window`, as a sentence that names the file.
    func silence(in window: Range<Instant>) -> String {
        if let fault { return "\(fileName): \(fault)" }
        if let first = points.map(\.time).min(), let last = points.map(\.time).max() {
            return
                "\(fileName): all points (\(first.rfc3339) to \(last.rfc3339)) lie outside the window of the meeting "
                + "(\(window.lowerBound.rfc3339) to \(window.upperBound.rfc3339)); check --meets-at"
        }
        if let invalid, invalid.count >= undatedCount { return "\(fileName): \(invalid.reason)" }
        if undatedCount > 0 { return "\(fileName): none of its \(undatedCount) points has a time" }
        if waypointCount > 0 { return "\(fileName): it has way-points (\(waypointCount)), but no track" }
        return "\(fileName): it has no points"
    }
}

extension MeetupPlan {
    /// A meetup of recorded tracks: the n-th is shifted by n times `stagger`, and each report sends the newest fix
    /// recorded by then, unless it was already sent. Fixes outside the window and without a time are omitted and
    /// counted.
    init(
        tracks: [NamedTrack],
        place: Coordinate,
        radiusMetres: Int,
        meetsAt: Instant,
        rule: ArrivalRule.Name,
        stagger: TimeSpan,
        reportEvery: TimeSpan
    ) {
        let nicknames = Nickname.unique(
            forFileNames: tracks.map { $0.fileName.hasSuffix(".gz") ? String($0.fileName.dropLast(3)) : $0.fileName }
        )
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
            let shifted = track.shifted(by: shift)
            let inside = shifted.points.filter { window.contains($0.time) }
            people.append(
                Person(
                    nickname: nickname.text,
                    reports: MeetupPlan.reports(of: inside, every: reportEvery),
                    leftOut: shifted.points.count - inside.count,
                    undated: track.undatedCount,
                    silence: inside.isEmpty ? shifted.silence(in: window) : nil,
                    omission: track.omission
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
