import Foundation
import FoundationXML
import PromisedDomain
import PromisedJournal
import PromisedTestSupport
import Testing

/// A file of the recorded ride with altitudes and segments.
///
/// Ignores the horizontal dilution: it is not an accuracy, and only the two phones have it.
final class RideTrack: NSObject, XMLParserDelegate {
    private(set) var points: [TrackPoint] = []
    private var text = ""
    private var segment = 0

    init(_ name: String) throws {
        super.init()
        let folder = try #require(RepositoryFolder.ride)
        let parser = XMLParser(data: try Data(contentsOf: folder.appending(path: "\(name).gpx")))
        parser.delegate = self
        #expect(parser.parse(), "\(name).gpx is not well-formed")
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        text = ""
        if name == "trkseg" { segment += 1 }
        guard name == "trkpt", let latitude = attributes["lat"].flatMap(Double.init),
            let longitude = attributes["lon"].flatMap(Double.init)
        else { return }
        points.append(TrackPoint(Coordinate(latitude: latitude, longitude: longitude), segment: segment))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard let last = points.indices.last else { return }
        switch name {
        case "ele": points[last].altitudeMetres = Double(text)
        case "time": points[last].time = Instant(rfc3339: text)
        default: break
        }
    }
}
