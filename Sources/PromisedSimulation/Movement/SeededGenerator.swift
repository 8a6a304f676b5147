/// A small, fast generator of pseudo-random numbers that gives the same series for the same seed on every machine.
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

    /// A generator for a part of the work: what one part draws never shifts what another draws.
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
