package import PromisedDomain

/// The time zones that a point may lie in, estimated from the principal places of the IANA database (decision 0056).
package enum ZoneEstimate {
    /// Zones whose principal place is up to this many times as far as the nearest one are equally likely: a border can
    /// be anywhere between.
    private static let reach = 2.0

    private static let places: [(zone: String, at: Coordinate)] = PrincipalPlaces.table
        .split { $0 == ";" || $0 == "\n" }
        .compactMap { entry in
            let fields = entry.split(separator: " ")
            guard fields.count == 3, let latitude = Double(fields[1]), let longitude = Double(fields[2]) else {
                return nil
            }
            return (String(fields[0]), Coordinate(latitude: latitude, longitude: longitude))
        }

    /// The IANA names of the zones around a point, the nearest principal place first; at least one.
    package static func zones(around point: Coordinate) -> [String] {
        let sorted = places.map { (zone: $0.zone, metres: $0.at.distanceMetres(to: point)) }
            .sorted { $0.metres < $1.metres }
        guard let nearest = sorted.first else { return [] }
        return sorted.prefix { $0.metres <= nearest.metres * reach }.map(\.zone)
    }
}
