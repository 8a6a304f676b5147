internal import PromisedDomain
package import PromisedJournal

/// Way-points and stops of a course as bytes, for columns that no query reads.
///
/// ```
/// list      = version (1 byte: 1), number, item…
/// way-point = kind (1 byte), name, latitude, longitude, metres along the way (8 bytes each)
/// stop      = 1 byte: 1 with a place's id, name, address, latitude, longitude, id? (2 × 8 bytes), from, to
/// ```
/// Nothing is rounded. A tenth of the time of JSON, which matters in lists.
package enum CourseShapeCoding {
    private static let version: UInt8 = 1
    private static let kinds: [CourseWaypoint.Kind] = [.start, .via, .end, .note]

    /// Packs way-points; of their places, the name and the point.
    package static func encode(_ waypoints: [CourseWaypoint]) -> [UInt8] {
        var writer = writer(of: waypoints.count)
        for waypoint in waypoints {
            writer.write(UInt8(kinds.firstIndex(of: waypoint.kind) ?? 0))
            writer.write(waypoint.name)
            write(waypoint.place.coordinate, to: &writer)
            writer.write(fixed: waypoint.atMetres.bitPattern)
        }
        return writer.bytes
    }

    /// Unpacks way-points. Throws ``StoreError/damaged(_:)``.
    package static func waypoints(_ bytes: [UInt8]) throws(StoreError) -> [CourseWaypoint] {
        try list(bytes) { reader throws(StoreError) in
            let kind = Int(try reader.byte())
            guard kinds.indices.contains(kind) else { throw .damaged("An unknown kind of a way-point") }
            let name = try reader.text()
            let place = Place(name: name, coordinate: try coordinate(from: &reader))
            let metres = Double(bitPattern: try reader.fixed())
            return CourseWaypoint(name: name, place: place, kind: kinds[kind], atMetres: metres)
        }
    }

    package static func encode(_ stops: [CourseStop]) -> [UInt8] {
        var writer = writer(of: stops.count)
        for stop in stops {
            writer.write(UInt8(stop.place.placeID == nil ? 0 : 1))
            writer.write(stop.place.name)
            writer.write(stop.place.address)
            write(stop.place.coordinate, to: &writer)
            if let id = stop.place.placeID {
                writer.write(fixed: id.high)
                writer.write(fixed: id.low)
            }
            writer.write(signed: stop.from.milliseconds)
            writer.write(signed: stop.to.milliseconds)
        }
        return writer.bytes
    }

    /// Unpacks stops with their place ids as stored. Throws ``StoreError/damaged(_:)``.
    package static func stops(_ bytes: [UInt8]) throws(StoreError) -> [CourseStop] {
        try list(bytes) { reader throws(StoreError) in
            let hasID = try reader.byte() == 1
            var place = Place(
                name: try reader.text(),
                address: try reader.text(),
                coordinate: try coordinate(from: &reader)
            )
            if hasID { place.placeID = PlaceID(high: try reader.fixed(), low: try reader.fixed()) }
            return CourseStop(
                place: place,
                from: Instant(milliseconds: try reader.signed()),
                to: Instant(milliseconds: try reader.signed())
            )
        }
    }

    /// Packs the statistics of a way.
    package static func encode(_ statistics: CourseStatistics) -> [UInt8] {
        var writer = ByteWriter(expecting: 80)
        writer.write(version)
        for count in [statistics.points, statistics.dropped, statistics.counted] { writer.write(UInt64(count)) }
        for span in [statistics.duration, statistics.moving] { writer.write(signed: span.milliseconds) }
        for number in [
            statistics.distanceMetres, statistics.topSpeedMps, statistics.ascentMetres, statistics.descentMetres,
            statistics.minAltitudeMetres, statistics.maxAltitudeMetres,
        ] {
            // No statistic is ever NaN, so NaN can stand for nil.
            writer.write(fixed: (number ?? .nan).bitPattern)
        }
        return writer.bytes
    }

    /// Unpacks the statistics of a way; nil for no bytes. Throws ``StoreError/damaged(_:)``.
    package static func statistics(_ bytes: [UInt8]) throws(StoreError) -> CourseStatistics {
        var statistics = CourseStatistics()
        guard !bytes.isEmpty else { return statistics }
        var reader = ByteReader(bytes)
        guard try reader.byte() == version else { throw .damaged("Numbers of an unknown version") }
        statistics.points = Int(clamping: try reader.number())
        statistics.dropped = Int(clamping: try reader.number())
        statistics.counted = Int(clamping: try reader.number())
        statistics.duration = .milliseconds(try reader.signed())
        statistics.moving = .milliseconds(try reader.signed())
        func number() throws(StoreError) -> Double? {
            let number = Double(bitPattern: try reader.fixed())
            return number.isNaN ? nil : number
        }
        statistics.distanceMetres = try number() ?? 0
        statistics.topSpeedMps = try number()
        statistics.ascentMetres = try number()
        statistics.descentMetres = try number()
        statistics.minAltitudeMetres = try number()
        statistics.maxAltitudeMetres = try number()
        guard reader.isAtEnd else { throw .damaged("Numbers with bytes after their end") }
        return statistics
    }

    private static func writer(of count: Int) -> ByteWriter {
        var writer = ByteWriter(expecting: 8 + count * 48)
        writer.write(version)
        writer.write(UInt64(count))
        return writer
    }

    private static func list<Item>(
        _ bytes: [UInt8],
        _ item: (inout ByteReader) throws(StoreError) -> Item
    ) throws(StoreError) -> [Item] {
        var reader = ByteReader(bytes)
        guard try reader.byte() == version else { throw .damaged("A list of an unknown version") }
        var items: [Item] = []
        for _ in 0..<(try reader.number()) { items.append(try item(&reader)) }
        guard reader.isAtEnd else { throw .damaged("A list with bytes after its end") }
        return items
    }

    private static func write(_ coordinate: Coordinate, to writer: inout ByteWriter) {
        writer.write(fixed: coordinate.latitude.bitPattern)
        writer.write(fixed: coordinate.longitude.bitPattern)
    }

    private static func coordinate(from reader: inout ByteReader) throws(StoreError) -> Coordinate {
        Coordinate(
            latitude: Double(bitPattern: try reader.fixed()),
            longitude: Double(bitPattern: try reader.fixed())
        )
    }
}
