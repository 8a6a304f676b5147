package import Foundation
import FoundationXML
import PromisedDomain

/// The recorded points of a GPX file (versions 1.0 and 1.1).
///
/// Read in one pass without building a tree. Of each `trkpt` only latitude, longitude, `time` and `hdop` are read;
/// routes, waypoints and extensions are skipped. Elements carry no namespace prefix, as in all files seen so far.
package struct GPXFile: Hashable, Sendable {
    /// The points with a time, of all tracks and segments, in the order of the file.
    package let points: [GPXPoint]
    /// How many points were ignored because they have no time.
    package let timelessCount: Int

    /// Reads the file at `url`. Throws ``GPXError``.
    package init(contentsOf url: URL) throws(GPXError) {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw .unreadable(reason: error.localizedDescription)
        }
        try self.init(data)
    }

    /// Reads a file's content. Throws ``GPXError/malformed(line:)``, ``GPXError/notGPX`` and
    /// ``GPXError/badPoint(line:reason:)``.
    package init(_ data: Data) throws(GPXError) {
        let parser = XMLParser(data: data)
        let reader = GPXReader()
        parser.delegate = reader
        let isWellFormed = parser.parse()
        if let error = reader.error { throw error }
        guard isWellFormed, reader.hasRoot else { throw .malformed(line: max(1, parser.lineNumber)) }
        points = reader.points
        timelessCount = reader.timelessCount
    }
}

/// Collects the points during parsing.
private final class GPXReader: NSObject, XMLParserDelegate {
    private(set) var points: [GPXPoint] = []
    private(set) var timelessCount = 0
    /// `true` once any element was seen: the parser accepts an empty file.
    private(set) var hasRoot = false
    /// The error that stopped parsing; nil without one.
    private(set) var error: GPXError?

    /// The names of the open elements, outermost first.
    private var path: [String] = []
    private var coordinate: Coordinate?
    private var time: Instant?
    private var hdop: Double?
    private var text = ""

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?,
        attributes attributeDict: [String: String] = [:]
    ) {
        if !hasRoot, elementName != "gpx" { stop(parser, .notGPX) }
        hasRoot = true
        path.append(elementName)
        text = ""
        guard elementName == "trkpt" else { return }
        time = nil
        hdop = nil
        coordinate = GPXReader.coordinate(attributeDict)
        if coordinate == nil { stop(parser, .badPoint(line: parser.lineNumber, reason: "a point without a position")) }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?
    ) {
        path.removeLast()
        if elementName == "trkpt" {
            endPoint()
        } else if path.last == "trkpt" {
            endField(elementName, parser: parser)
        }
        text = ""
    }

    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        if error == nil { error = .malformed(line: max(1, parser.lineNumber)) }
    }

    private func endPoint() {
        if let coordinate, let time {
            points.append(GPXPoint(time: time, coordinate: coordinate, hdop: hdop))
        } else {
            timelessCount += 1
        }
    }

    private func endField(_ name: String, parser: XMLParser) {
        let value = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch name {
        case "time":
            time = GPXTime.instant(value)
            if time == nil {
                stop(parser, .badPoint(line: parser.lineNumber, reason: "not a time: \(value.prefix(40))"))
            }
        case "hdop": hdop = Double(value).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
        default: break
        }
    }

    private func stop(_ parser: XMLParser, _ reason: GPXError) {
        if error == nil { error = reason }
        parser.abortParsing()
    }

    private static func coordinate(_ attributes: [String: String]) -> Coordinate? {
        guard let latitude = attributes["lat"].flatMap(Double.init),
            let longitude = attributes["lon"].flatMap(Double.init)
        else { return nil }
        let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        return coordinate.isValid ? coordinate : nil
    }
}

/// Why a GPX file can't be read.
package enum GPXError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file can't be opened or read.
    case unreadable(reason: String)
    /// Not XML, or cut off; the line counts from 1.
    case malformed(line: Int)
    /// XML, but of another kind: its root element is not `gpx`.
    case notGPX
    /// A track point with an invalid position or time; the line is the one on which the point, or its time, ends.
    case badPoint(line: Int, reason: String)

    /// A sentence that names the line and no coordinate.
    package var description: String {
        switch self {
        case .unreadable(let reason): "cannot read the file: \(reason)"
        case .malformed(let line): "line \(line): not well-formed XML"
        case .notGPX: "the file is XML, but not GPX"
        case .badPoint(let line, let reason): "line \(line): \(reason)"
        }
    }
}
