public import PromisedDomain

extension Coordinate {
    /// The point `metres` due north of here, or due south when negative, by the distance the rules measure.
    ///
    /// Where the numbers allow it, ``distanceMetres(to:)`` back to here is exactly `metres`, so that a boundary can be
    /// tested on itself; that holds near the equator, and within a micrometre elsewhere. Does not pass the poles.
    public func north(_ metres: Double) -> Coordinate {
        let degrees = metres / Coordinate.earthRadiusMetres * 180 / .pi
        var point = Coordinate(latitude: latitude + degrees, longitude: longitude)
        for _ in 0..<64 {
            let error = distanceMetres(to: point) - abs(metres)
            if error == 0 { break }
            let outwards = point.latitude - latitude >= 0 ? point.latitude.nextUp : point.latitude.nextDown
            let inwards = point.latitude - latitude >= 0 ? point.latitude.nextDown : point.latitude.nextUp
            let candidate = Coordinate(latitude: error > 0 ? inwards : outwards, longitude: longitude)
            guard abs(distanceMetres(to: candidate) - abs(metres)) < abs(error) else { break }
            point = candidate
        }
        return point
    }
}
