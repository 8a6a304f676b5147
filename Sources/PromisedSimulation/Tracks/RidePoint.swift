package import PromisedDomain
package import PromisedFormats

/// A point of a recording that has a time.
package struct RidePoint: Hashable, Sendable {
    /// When it was recorded, by the recorder's clock.
    package var time: Instant
    package var coordinate: Coordinate
    /// The accuracy in metres; nil if not recorded.
    package var accuracyMetres: Double?

    /// A recorded point.
    package init(time: Instant, coordinate: Coordinate, accuracyMetres: Double? = nil) {
        self.time = time
        self.coordinate = coordinate
        self.accuracyMetres = accuracyMetres
    }
}

extension GPXFile {
    /// The points with a time, of all tracks and segments, in the order of the file.
    package var ridePoints: [RidePoint] {
        points.compactMap { point in
            point.time.map {
                RidePoint(time: $0, coordinate: point.coordinate, accuracyMetres: accuracyMetres(of: point))
            }
        }
    }
}
