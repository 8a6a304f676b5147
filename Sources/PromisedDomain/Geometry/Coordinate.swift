// The only file of the module that needs the C library: the standard library has no trigonometry.
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A point on the earth in WGS 84.
package struct Coordinate: Hashable, Sendable, Codable {
    /// Degrees north of the equator, −90…90.
    package var latitude: Double
    /// Degrees east of Greenwich, −180…180.
    package var longitude: Double

    /// A point at the given degrees, unchecked; see ``isValid``.
    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// `true` if both numbers are finite and in range. Both poles and both ends of the date line are valid.
    package var isValid: Bool {
        latitude.isFinite && longitude.isFinite && (-90...90).contains(latitude) && (-180...180).contains(longitude)
    }

    /// `true` if the point is exactly (0, 0), which phones report when they have no position.
    package var isNull: Bool { latitude == 0 && longitude == 0 }

    /// Distance along the sphere from here to `other`, in metres (sphere of radius 6 371 000 m; up to 0.6 % off the
    /// ellipsoid). Haversine formula; correct across ±180° and at the poles.
    package func distanceMetres(to other: Coordinate) -> Double {
        let radians = Double.pi / 180
        let sineLatitude = sine((other.latitude - latitude) * radians / 2)
        let sineLongitude = sine((other.longitude - longitude) * radians / 2)
        let h =
            sineLatitude * sineLatitude
            + cosine(latitude * radians) * cosine(other.latitude * radians) * sineLongitude * sineLongitude
        return 2 * Coordinate.earthRadiusMetres * arcSine(min(1, h.squareRoot()))
    }

    /// The radius of the sphere that distances are measured on, in metres (domain §5).
    package static let earthRadiusMetres = 6_371_000.0
}

/// The sine of an angle in radians.
package func sine(_ angle: Double) -> Double { sin(angle) }

/// The cosine of an angle in radians.
package func cosine(_ angle: Double) -> Double { cos(angle) }

/// The angle in radians, −π/2…π/2, whose sine is `value`; `value` lies in −1…1.
package func arcSine(_ value: Double) -> Double { asin(value) }

/// e to the power of `value`.
package func exponential(_ value: Double) -> Double { exp(value) }

/// The tangent of an angle in radians.
package func tangent(_ angle: Double) -> Double { tan(angle) }

/// The angle in radians, −π…π, of the point (`x`, `y`) seen from the origin.
package func arcTangent(_ y: Double, _ x: Double) -> Double { atan2(y, x) }

/// The hyperbolic sine.
package func hyperbolicSine(_ value: Double) -> Double { sinh(value) }

/// The hyperbolic cosine.
package func hyperbolicCosine(_ value: Double) -> Double { cosh(value) }

/// The number whose hyperbolic sine is `value`.
package func inverseHyperbolicSine(_ value: Double) -> Double { asinh(value) }

/// The number whose hyperbolic tangent is `value`; `value` lies between −1 and 1.
package func inverseHyperbolicTangent(_ value: Double) -> Double { atanh(value) }

/// The natural logarithm of a positive number.
package func naturalLogarithm(_ value: Double) -> Double { log(value) }
