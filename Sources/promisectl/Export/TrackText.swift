import PromisedDomain
import PromisedFormats
import PromisedProtocol

/// Tracks as CSV (RFC 4180), with a header; missing values are empty.
enum CSVText {
    private static let header = [
        "user_id", "nickname", "device", "seq", "fix_time", "received_at", "latitude", "longitude", "accuracy_metres",
        "speed_mps", "course_degrees", "battery_percent", "mock",
    ]

    /// One record per position, by user, device and time.
    static func text(of export: TrackExport) -> String {
        export.tracks.reduce(into: CSVWriter.text(of: [header])) { text, track in
            text += CSVWriter.text(of: track.positions.lazy.map { fields(of: $0, in: track) })
        }
    }

    private static func fields(of position: WireAdminPosition, in track: TrackExport.Track) -> [String] {
        let fix = position.fix
        return [
            track.userID, track.nickname, "\(track.device)", "\(fix.seq)", position.fixTime.rfc3339,
            position.hasReceivedAt ? position.receivedAt.rfc3339 : "", "\(fix.latitude)", "\(fix.longitude)",
            fix.hasAccuracyMetres ? "\(fix.accuracyMetres)" : "", fix.hasSpeedMps ? "\(fix.speedMps)" : "",
            fix.hasCourseDegrees ? "\(fix.courseDegrees)" : "", fix.hasBatteryPercent ? "\(fix.batteryPercent)" : "",
            fix.hasMock ? "\(fix.mock)" : "",
        ]
    }
}

enum GPXText {
    /// A document with the place as a way-point and one track per user and device.
    static func text(of export: TrackExport) -> String {
        let place = GPXDocument.Waypoint(coordinate: export.promise.coordinate, name: export.promise.place.name)
        let tracks = export.tracks.map { track in
            GPXDocument.Track(
                name: "\(track.nickname), device \(track.device)",
                segments: [track.positions.map(\.point)]
            )
        }
        let document = GPXDocument(name: export.promise.title, waypoints: [place], tracks: tracks)
        return document.text(creator: "promisectl \(ProgramVersion.text)")
    }
}

/// Tracks as GeoJSON.
enum GeoJSONText {
    private struct Properties: Encodable {
        var name: String
        var userId: String?
        var device: UInt32?
    }

    /// A collection with the place as a point and one feature per user and device: a line, or a point if there is only
    /// one position. The property `coordTimes` has one instant per coordinate.
    static func text(of export: TrackExport) throws(Failure) -> String {
        typealias Feature = GeoJSONDocument<Properties>.Feature
        let place = Feature(
            coordinate: export.promise.coordinate,
            properties: Properties(name: export.promise.place.name)
        )
        let tracks = export.tracks.map { track in
            Feature(
                segments: [track.positions.map(\.point)],
                properties: Properties(name: track.nickname, userId: track.userID, device: track.device)
            )
        }
        do throws(FormatError) {
            return try GeoJSONDocument(features: [place] + tracks).text()
        } catch {
            throw .refused(error.description)
        }
    }
}

extension WirePromise {
    fileprivate var coordinate: Coordinate { Coordinate(latitude: place.latitude, longitude: place.longitude) }
}

extension WireAdminPosition {
    fileprivate var point: GPXPoint {
        GPXPoint(
            coordinate: Coordinate(latitude: fix.latitude, longitude: fix.longitude),
            time: Instant(milliseconds: fixTime.clampedMilliseconds)
        )
    }
}
