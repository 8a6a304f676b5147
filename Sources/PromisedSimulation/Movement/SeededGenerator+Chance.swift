import Foundation

extension SeededGenerator {
    /// A number of 0 ..< 1 with 53 random bits.
    package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A number spread evenly over `range`.
    package mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * fraction()
    }

    /// True with the given probability, 0…1.
    package mutating func chance(_ probability: Double) -> Bool { fraction() < probability }

    /// A number of the normal distribution with mean 0 and standard deviation 1 (Box and Muller).
    package mutating func normal() -> Double {
        let radius = (-2 * log(1 - fraction())).squareRoot()
        return radius * cos(2 * Double.pi * fraction())
    }

    /// A number of the exponential distribution with the given mean.
    package mutating func exponential(mean: Double) -> Double { -mean * log(1 - fraction()) }

    /// A point spread evenly over the disc of `radiusMetres` around `centre`.
    package mutating func point(within radiusMetres: Double, of centre: PlanePoint = .origin) -> PlanePoint {
        let distance = radiusMetres * fraction().squareRoot()
        return centre + .polar(distanceMetres: distance, bearingDegrees: uniform(0...360))
    }
}
