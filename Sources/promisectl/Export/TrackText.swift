import Foundation
import PromisedProtocol

/// Tracks as CSV (RFC 4180), with a header; missing values are empty.
enum CSVText {
    private static let header = [
        "user_id", "nickname", "device", "seq", "fix_time", "received_at", "latitude", "longitude", "accuracy_metres",
        "speed_mps", "course_degrees", "battery_percent", "mock",
    ]

    /// One record for each position, by user, device and time.
    static func text(of export: TrackExport) -> String {
        let records = export.tracks.flatMap { track in track.positions.map { fields(of: $0, in: track) } }
        return ([header] + records).map { record($0) + "\r\n" }.joined()
    }

    /// One record without its line end; fields are quoted if necessary.
    static func record(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") }

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

    private static func quoted(_ field: String) -> String {
        // By scalars: "\r\n" is one character.
        guard field.unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else { return field }
        return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

enum GPXText {
    /// A document with the place as a way point and one track for each user and device.
    static func text(of export: TrackExport) -> String {
        let promise = export.promise
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<gpx version="1.1" creator="promisectl \#(ProgramVersion.text)" "#
                + #"xmlns="http://www.topografix.com/GPX/1/1">"#,
            "  <metadata>", "    <name>\(escaped(promise.title))</name>", "  </metadata>",
            #"  <wpt lat="\#(promise.place.latitude)" lon="\#(promise.place.longitude)">"#,
            "    <name>\(escaped(promise.place.name))</name>", "  </wpt>",
        ]
        for track in export.tracks { lines += self.lines(of: track) }
        lines.append("</gpx>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of track: TrackExport.Track) -> [String] {
        var lines = ["  <trk>", "    <name>\(escaped(track.nickname)), device \(track.device)</name>", "    <trkseg>"]
        for position in track.positions {
            lines.append(#"      <trkpt lat="\#(position.fix.latitude)" lon="\#(position.fix.longitude)">"#)
            lines.append("        <time>\(position.fixTime.rfc3339)</time>")
            lines.append("      </trkpt>")
        }
        return lines + ["    </trkseg>", "  </trk>"]
    }

    /// Text for XML 1.0: escapes special characters and replaces invalid ones with U+FFFD.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            default: escaped.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
    }

    /// The production Char of XML 1.0; a Swift scalar is never a surrogate.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}

/// Tracks as GeoJSON (RFC 7946): coordinates are longitude, then latitude.
enum GeoJSONText {
    /// A collection with the place as a point and one feature for each user and device: a line, or a point if there is
    /// only one position. The property `times` has one instant for each coordinate.
    static func text(of export: TrackExport) throws(Failure) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let collection = Collection(
            features: [Feature(place: export.promise)] + export.tracks.map(Feature.init(track:))
        )
        do {
            return String(decoding: try encoder.encode(collection), as: UTF8.self) + "\n"
        } catch {
            throw .refused("a position cannot be written as GeoJSON: \(error)")
        }
    }
}

private struct Collection: Encodable {
    let type = "FeatureCollection"
    let features: [Feature]

    private enum CodingKeys: CodingKey { case type, features }
}

private struct Feature: Encodable {
    struct Properties: Encodable {
        var name: String
        var userId: String?
        var device: UInt32?
        var times: [String]?
    }

    let type = "Feature"
    let geometry: Geometry
    let properties: Properties

    private enum CodingKeys: CodingKey { case type, geometry, properties }

    init(place promise: WirePromise) {
        geometry = .point([promise.place.longitude, promise.place.latitude])
        properties = Properties(name: promise.place.name)
    }

    init(track: TrackExport.Track) {
        let coordinates = track.positions.map { [$0.fix.longitude, $0.fix.latitude] }
        geometry = coordinates.count == 1 ? .point(coordinates[0]) : .line(coordinates)
        properties = Properties(
            name: track.nickname,
            userId: track.userID,
            device: track.device,
            times: track.positions.map(\.fixTime.rfc3339)
        )
    }
}

private enum Geometry: Encodable {
    case point([Double])
    case line([[Double]])

    private enum CodingKeys: CodingKey { case type, coordinates }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .point(let coordinates):
            try container.encode("Point", forKey: .type)
            try container.encode(coordinates, forKey: .coordinates)
        case .line(let coordinates):
            try container.encode("LineString", forKey: .type)
            try container.encode(coordinates, forKey: .coordinates)
        }
    }
}
