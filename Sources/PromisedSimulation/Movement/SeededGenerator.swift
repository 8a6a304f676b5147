import Foundation

/// A small, fast generator of pseudo-random numbers that produces the same series for the same seed on every machine.
///
/// xoshiro256** by Blackman and Vigna, its state filled by SplitMix64, so that neighbouring seeds give unrelated
/// series. Not for secrets.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)

    /// A generator whose series depends on `seed` alone.
    package init(seed: UInt64) {
        var mixer = seed
        state = (
            SeededGenerator.mix(&mixer), SeededGenerator.mix(&mixer),
            SeededGenerator.mix(&mixer), SeededGenerator.mix(&mixer)
        )
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        let result = SeededGenerator.rotate(state.1 &* 5, by: 7) &* 9
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = SeededGenerator.rotate(state.3, by: 45)
        return result
    }

    /// An independent generator for a part of the work: its draws never shift those of other parts.
    package mutating func fork() -> SeededGenerator { SeededGenerator(seed: next()) }

    private static func mix(_ state: inout UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static func rotate(_ bits: UInt64, by count: UInt64) -> UInt64 { (bits << count) | (bits >> (64 - count)) }
}

extension SeededGenerator {
    /// A number of 0 ..< 1 with 53 random bits.
    package mutating func fraction() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// A number uniformly distributed over `range`.
    package mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * fraction()
    }

    /// `true` with the given probability, 0…1.
    package mutating func chance(_ probability: Double) -> Bool { fraction() < probability }

    /// A number of the normal distribution with mean 0 and standard deviation 1 (Box and Muller).
    package mutating func normal() -> Double {
        let radius = (-2 * log(1 - fraction())).squareRoot()
        return radius * cos(2 * Double.pi * fraction())
    }

    /// A number of the exponential distribution with the given mean.
    package mutating func exponential(mean: Double) -> Double { -mean * log(1 - fraction()) }

    /// A point uniformly distributed over the disc of `radiusMetres` around `centre`.
    package mutating func point(within radiusMetres: Double, of centre: PlanePoint = .origin) -> PlanePoint {
        let distance = radiusMetres * fraction().squareRoot()
        return centre + .polar(distanceMetres: distance, bearingDegrees: uniform(0...360))
    }
}
