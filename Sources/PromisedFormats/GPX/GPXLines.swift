import PromisedDomain

/// Lines of a GPX 1.1 document, in the order of its schema.
struct GPXLines {
    /// The lines so far, in UTF-8.
    private(set) var bytes: [UInt8] = []

    /// Writes the XML declaration, the start of `gpx`, and the title.
    mutating func head(of document: GPXDocument, creator: String) {
        add(#"<?xml version="1.0" encoding="UTF-8"?>"# + "\n")
        let creator = XMLText.escaped(creator)
        add(#"<gpx version="1.1" creator="\#(creator)" xmlns="http://www.topografix.com/GPX/1/1">"# + "\n")
        guard let name = document.name else { return }
        open("metadata", depth: 1)
        text(name, of: "name", depth: 2)
        close("metadata", depth: 1)
    }

    /// Writes a way-point, unless its position is invalid.
    mutating func waypoint(_ waypoint: GPXDocument.Waypoint) {
        guard position(waypoint.coordinate, of: "wpt", depth: 1) else { return }
        number(waypoint.elevation, of: "ele", depth: 2)
        time(waypoint.time, depth: 2)
        text(waypoint.name, of: "name", depth: 2)
        text(waypoint.comment, of: "cmt", depth: 2)
        text(waypoint.description, of: "desc", depth: 2)
        close("wpt", depth: 1)
    }

    /// Writes the start of a track, up to its segments.
    mutating func trackHead(_ track: GPXDocument.Track) {
        open("trk", depth: 1)
        text(track.name, of: "name", depth: 2)
        text(track.description, of: "desc", depth: 2)
    }

    /// Writes a point of a segment, unless its position is invalid.
    mutating func point(_ point: GPXPoint) {
        guard position(point.coordinate, of: "trkpt", depth: 3) else { return }
        number(point.elevation, of: "ele", depth: 4)
        time(point.time, depth: 4)
        number(point.hdop, of: "hdop", depth: 4)
        close("trkpt", depth: 3)
    }

    /// Writes a start tag without attributes.
    mutating func open(_ name: String, depth: Int) { add("\(Self.indent(depth))<\(name)>\n") }

    /// Writes an end tag.
    mutating func close(_ name: String, depth: Int) { add("\(Self.indent(depth))</\(name)>\n") }

    private mutating func position(_ coordinate: Coordinate, of name: String, depth: Int) -> Bool {
        guard coordinate.isValid, let latitude = GPXNumber.units(coordinate.latitude),
            let longitude = GPXNumber.units(coordinate.longitude)
        else { return false }
        let (lat, lon) = (GPXNumber.text(latitude, places: 7), GPXNumber.text(longitude, places: 7))
        add(#"\#(Self.indent(depth))<\#(name) lat="\#(lat)" lon="\#(lon)">"# + "\n")
        return true
    }

    private mutating func number(_ value: Double?, of name: String, depth: Int) {
        guard let units = value.flatMap(GPXNumber.units) else { return }
        text(GPXNumber.text(units, places: 0), of: name, depth: depth)
    }

    private mutating func time(_ time: Instant?, depth: Int) {
        guard let time, GPXTime.years.contains(time.milliseconds) else { return }
        text(time.rfc3339, of: "time", depth: depth)
    }

    private mutating func text(_ text: String?, of name: String, depth: Int) {
        guard let text else { return }
        add("\(Self.indent(depth))<\(name)>\(XMLText.escaped(text))</\(name)>\n")
    }

    private mutating func add(_ text: String) { bytes += Array(text.utf8) }

    private static func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
}
