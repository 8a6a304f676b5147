package import PromisedDomain

/// A GPX 1.1 document to be written: way-points, then tracks.
package struct GPXDocument: Sendable {
    /// A named point.
    package struct Waypoint: Sendable {
        package var name: String
        package var coordinate: Coordinate

        /// A named point.
        package init(name: String, coordinate: Coordinate) {
            self.name = name
            self.coordinate = coordinate
        }
    }

    /// A named track of one segment.
    package struct Track: Sendable {
        package var name: String
        /// In the order in which they are written.
        package var points: [GPXPoint]

        /// A named track.
        package init(name: String, points: [GPXPoint]) {
            self.name = name
            self.points = points
        }
    }

    private let creator: String
    private let name: String
    private let waypoints: [Waypoint]
    private let tracks: [Track]

    /// A document.
    ///
    /// - Parameters:
    ///   - creator: the program that writes it, with its version.
    ///   - name: its title.
    package init(creator: String, name: String, waypoints: [Waypoint], tracks: [Track]) {
        self.creator = creator
        self.name = name
        self.waypoints = waypoints
        self.tracks = tracks
    }

    /// The document in UTF-8 with line feeds; times in UTC with milliseconds.
    package var text: String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<gpx version="1.1" creator="\#(Self.escaped(creator))" xmlns="http://www.topografix.com/GPX/1/1">"#,
            "  <metadata>", "    <name>\(Self.escaped(name))</name>", "  </metadata>",
        ]
        for waypoint in waypoints {
            lines.append(#"  <wpt \#(Self.position(waypoint.coordinate))>"#)
            lines += ["    <name>\(Self.escaped(waypoint.name))</name>", "  </wpt>"]
        }
        for track in tracks { lines += Self.lines(of: track) }
        lines.append("</gpx>")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(of track: Track) -> [String] {
        var lines = ["  <trk>", "    <name>\(escaped(track.name))</name>", "    <trkseg>"]
        for point in track.points {
            lines.append(#"      <trkpt \#(position(point.coordinate))>"#)
            lines.append("        <time>\(point.time.rfc3339WithMilliseconds)</time>")
            if let hdop = point.hdop { lines.append("        <hdop>\(hdop)</hdop>") }
            lines.append("      </trkpt>")
        }
        return lines + ["    </trkseg>", "  </trk>"]
    }

    private static func position(_ coordinate: Coordinate) -> String {
        #"lat="\#(coordinate.latitude)" lon="\#(coordinate.longitude)""#
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
