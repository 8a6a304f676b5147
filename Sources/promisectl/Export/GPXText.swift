import PromisedProtocol

/// Tracks as GPX 1.1.
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

    /// Text as XML 1.0 allows it: what has a meaning there is escaped, what may not stand there at all is U+FFFD.
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
