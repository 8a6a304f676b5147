import Foundation

/// What a receiver says about its own error.
package struct AccuracyClaim: Hashable, Sendable {
    /// Reported accuracy over the true 68 % error: 1 is honest, below 1 boasts, above 1 is timid. Nil: reports none.
    package var factor: Double?
    /// How much the reported number scatters from fix to fix (standard deviation of its logarithm).
    package var scatter: Double

    /// A claim with both numbers.
    package init(factor: Double?, scatter: Double = 0.15) {
        self.factor = factor
        self.scatter = scatter
    }

    /// Reports its true 68 % error, give or take 15 %.
    package static let honest = AccuracyClaim(factor: 1)
    /// Reports no accuracy at all.
    package static let missing = AccuracyClaim(factor: nil)

    /// The radius around the truth that holds 68 % of all fixes, per metre of standard deviation along each axis:
    /// √(−2 ln 0.32).
    package static let radiusPerSigma = 1.5096

    /// The accuracy to report in metres, for a true standard deviation along each axis.
    func accuracyMetres(sigmaMetres: Double, using generator: inout SeededGenerator) -> Double? {
        let noise = generator.normal()
        guard let factor else { return nil }
        return sigmaMetres * AccuracyClaim.radiusPerSigma * factor * exp(scatter * noise)
    }
}
