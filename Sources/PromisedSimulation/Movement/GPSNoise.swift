import Foundation

/// The error of a receiver.
///
/// The error of a satellite fix is a first-order Gauss–Markov process: along each axis normal with ``sigmaMetres``, and
/// correlated over time as exp(−Δ / ``correlationSeconds``), so that it drifts rather than jumps. Added to it are
/// outliers, which are independent, and fixes by cell tower, whose error is constant while the phone uses the same
/// tower.
package struct GPSNoise: Hashable, Sendable {
    /// Standard deviation along each axis, in metres; 0 or more.
    package var sigmaMetres: Double
    /// Time constant of the error, in seconds; above 0.
    package var correlationSeconds: Double
    /// Share of fixes that are outliers, 0…1.
    package var outlierShare: Double
    /// The distance of outliers from the true position, in metres.
    package var outlierMetres: ClosedRange<Double>
    /// The reported accuracy; outliers report the same as any other fix.
    package var claim: AccuracyClaim
    /// Share of fixes that come from the cell tower, 0…1.
    package var cellTowerShare: Double
    /// Standard deviation of cell tower fixes along each axis, in metres.
    package var cellTowerSigmaMetres: Double
    /// The accuracy that cell tower fixes report, in metres.
    package var cellTowerAccuracyMetres: ClosedRange<Double>

    /// Noise with all its numbers; by default a phone outdoors in a town.
    package init(
        sigmaMetres: Double,
        correlationSeconds: Double = 30,
        outlierShare: Double = 0.01,
        outlierMetres: ClosedRange<Double> = 150...800,
        claim: AccuracyClaim = .honest,
        cellTowerShare: Double = 0,
        cellTowerSigmaMetres: Double = 400,
        cellTowerAccuracyMetres: ClosedRange<Double> = 500...2_000
    ) {
        self.sigmaMetres = sigmaMetres
        self.correlationSeconds = correlationSeconds
        self.outlierShare = outlierShare
        self.outlierMetres = outlierMetres
        self.claim = claim
        self.cellTowerShare = cellTowerShare
        self.cellTowerSigmaMetres = cellTowerSigmaMetres
        self.cellTowerAccuracyMetres = cellTowerAccuracyMetres
    }
}

/// A receiver's estimate of its own error.
package struct AccuracyClaim: Hashable, Sendable {
    /// Reported accuracy over the true 68 % error: 1 is honest, below 1 optimistic, above 1 pessimistic. Nil reports
    /// none.
    package var factor: Double?
    /// The scatter of the reported number from fix to fix (standard deviation of its logarithm).
    package var scatter: Double

    /// A claim with both numbers.
    package init(factor: Double?, scatter: Double = 0.15) {
        self.factor = factor
        self.scatter = scatter
    }

    /// Reports its true 68 % error, with a scatter of 15 %.
    package static let honest = AccuracyClaim(factor: 1)
    /// Reports no accuracy at all.
    package static let missing = AccuracyClaim(factor: nil)

    /// The radius around the true position that contains 68 % of all fixes, per metre of standard deviation along each
    /// axis: √(−2 ln 0.32).
    package static let radiusPerSigma = 1.5096

    /// The accuracy to report in metres, for a true standard deviation along each axis.
    func accuracyMetres(sigmaMetres: Double, using generator: inout SeededGenerator) -> Double? {
        let noise = generator.normal()
        guard let factor else { return nil }
        return sigmaMetres * AccuracyClaim.radiusPerSigma * factor * exp(scatter * noise)
    }
}

/// The state of a receiver's error from fix to fix; see ``GPSNoise`` for the model.
struct ErrorWalk {
    struct Reading {
        /// The offset of the fix from the true position.
        var error: PlanePoint
        var accuracyMetres: Double?
        /// The source of the fix.
        var origin: GPSSample.Origin
    }

    /// The mean number of fixes for which a phone uses the same tower.
    private static let fixesPerTower = 10.0

    private let noise: GPSNoise
    private var error: PlanePoint
    private var towerError: PlanePoint
    private var seconds = 0.0

    /// A walk that begins at a random point of its long-term distribution.
    init(_ noise: GPSNoise, using generator: inout SeededGenerator) {
        self.noise = noise
        error = ErrorWalk.spread(noise.sigmaMetres, using: &generator)
        towerError = ErrorWalk.spread(noise.cellTowerSigmaMetres, using: &generator)
    }

    /// The reading at `seconds`, which must never decrease.
    mutating func reading(atSeconds seconds: Double, using generator: inout SeededGenerator) -> Reading {
        let memory = exp(-(seconds - self.seconds) / noise.correlationSeconds)
        self.seconds = seconds
        let fresh = noise.sigmaMetres * (1 - memory * memory).squareRoot()
        error = error * memory + ErrorWalk.spread(fresh, using: &generator)
        let claimed = noise.claim.accuracyMetres(sigmaMetres: noise.sigmaMetres, using: &generator)
        if generator.chance(noise.cellTowerShare) { return towerReading(using: &generator) }
        guard generator.chance(noise.outlierShare) else {
            return Reading(error: error, accuracyMetres: claimed, origin: .satellites)
        }
        let metres = generator.uniform(noise.outlierMetres)
        let stray = PlanePoint.polar(distanceMetres: metres, bearingDegrees: generator.uniform(0...360))
        return Reading(error: stray, accuracyMetres: claimed, origin: .outlier)
    }

    private mutating func towerReading(using generator: inout SeededGenerator) -> Reading {
        if generator.chance(1 / ErrorWalk.fixesPerTower) {
            towerError = ErrorWalk.spread(noise.cellTowerSigmaMetres, using: &generator)
        }
        let accuracy = generator.uniform(noise.cellTowerAccuracyMetres)
        return Reading(error: towerError, accuracyMetres: accuracy, origin: .cellTower)
    }

    private static func spread(_ sigma: Double, using generator: inout SeededGenerator) -> PlanePoint {
        PlanePoint(eastMetres: sigma * generator.normal(), northMetres: sigma * generator.normal())
    }
}
