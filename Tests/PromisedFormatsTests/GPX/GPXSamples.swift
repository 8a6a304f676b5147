import PromisedDomain
import PromisedFormats

/// Documents for tests.
enum GPXSamples {
    /// A file of GPX 1.1 whose content begins on line 2.
    static func bytes(_ content: String) -> [UInt8] {
        Array(
            #"""
            <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1" xmlns:x="urn:other">
            \#(content)
            </gpx>
            """#.utf8
        )
    }

    /// A file with a track of one segment, whose points begin on line 3.
    static func track(_ points: String) -> [UInt8] { bytes("<trk><trkseg>\n\(points)\n</trkseg></trk>") }

    /// A document of random content in the form read from a file: positions and numbers of seven places, no empty
    /// segment.
    static func document(with numbers: inout SeededNumbers) -> GPXDocument {
        GPXDocument(
            name: text(with: &numbers),
            waypoints: (0..<Int.random(in: 0...3, using: &numbers)).map { _ in waypoint(with: &numbers) },
            tracks: (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
                GPXDocument.Track(
                    name: text(with: &numbers),
                    description: text(with: &numbers),
                    segments: (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
                        (0..<Int.random(in: 1...20, using: &numbers)).map { _ in point(with: &numbers) }
                    }
                )
            }
        )
    }

    /// A point; with each of its optional values in half of the cases.
    static func point(with numbers: inout SeededNumbers) -> GPXPoint {
        GPXPoint(
            coordinate: coordinate(with: &numbers),
            elevation: Bool.random(using: &numbers) ? rounded(-11_000...9_000, with: &numbers) : nil,
            time: time(with: &numbers),
            hdop: Bool.random(using: &numbers) ? rounded(0...99, with: &numbers) : nil
        )
    }

    private static func waypoint(with numbers: inout SeededNumbers) -> GPXDocument.Waypoint {
        GPXDocument.Waypoint(
            coordinate: coordinate(with: &numbers),
            name: text(with: &numbers),
            comment: text(with: &numbers),
            description: text(with: &numbers),
            elevation: Bool.random(using: &numbers) ? rounded(-11_000...9_000, with: &numbers) : nil,
            time: time(with: &numbers)
        )
    }

    private static func coordinate(with numbers: inout SeededNumbers) -> Coordinate {
        Coordinate(latitude: rounded(-90...90, with: &numbers), longitude: rounded(-180...180, with: &numbers))
    }

    private static func time(with numbers: inout SeededNumbers) -> Instant? {
        // From year 1 to year 9999; half of them without milliseconds.
        let seconds = Int64.random(in: -62_135_596_800...253_402_300_799, using: &numbers)
        let milliseconds = Bool.random(using: &numbers) ? Int64.random(in: 0...999, using: &numbers) : 0
        return Bool.random(using: &numbers) ? Instant(milliseconds: seconds * 1_000 + milliseconds) : nil
    }

    /// The Double nearest to a number of seven decimal places.
    private static func rounded(_ range: ClosedRange<Double>, with numbers: inout SeededNumbers) -> Double {
        (Double.random(in: range, using: &numbers) * 1e7).rounded() / 1e7
    }

    /// A text with all characters that XML must escape, without white space at its ends; nil in one of three cases.
    private static func text(with numbers: inout SeededNumbers) -> String? {
        let parts = ["]]>", "\r\n", "시장", "&amp;", "<!--"] + "<>&\"'\r\n\t é🚲a".unicodeScalars.map(String.init)
        guard Int.random(in: 0..<3, using: &numbers) > 0 else { return nil }
        let middle = (0..<Int.random(in: 0...8, using: &numbers)).compactMap { _ in parts.randomElement(using: &numbers)
        }
        return "b" + middle.joined() + "z"
    }
}
