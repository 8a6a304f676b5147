import PromisedSimulation
import PromisedTestSupport

/// The phones of a scenario, from which runs draw one at random.
///
/// Nine in ten report their true 68 % error, give or take 15 %; one in twenty half of it, one in twenty half as much
/// again. Seven in ten report their speed. The error wanders with a time constant of 15 to 60 s.
struct PhonePopulation {
    /// The radius around the truth that holds 68 % of the fixes, in metres; an honest phone reports it as its error.
    var errorMetres: Double
    /// Share of fixes by cell tower, 0…1.
    var cellTowerShare = 0.0
    /// Reported accuracy over true error of all phones; nil for the usual mixture.
    var claimFactor: Double?

    /// One of them.
    func phone(using generator: inout SeededGenerator) -> GPSReceiver {
        let character = generator.fraction()
        let correlation = generator.uniform(15...60)
        let reportsSpeed = generator.chance(0.7)
        let factor = claimFactor ?? PhonePopulation.mixture(character)
        return GPSReceiver(
            noise: GPSNoise(
                sigmaMetres: errorMetres / AccuracyClaim.radiusPerSigma,
                correlationSeconds: correlation,
                claim: AccuracyClaim(factor: factor),
                cellTowerShare: cellTowerShare
            ),
            speedErrorMps: reportsSpeed ? 0.4 : nil
        )
    }

    private static func mixture(_ character: Double) -> Double {
        if character < 0.05 { return 0.5 }
        return character < 0.1 ? 1.5 : 1
    }
}
