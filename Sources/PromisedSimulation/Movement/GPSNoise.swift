/// How a receiver errs.
///
/// The error of a satellite fix is a first-order Gauss–Markov process: along each axis normal with ``sigmaMetres``, and
/// correlated over time as exp(−Δ / ``correlationSeconds``), so that it wanders rather than jumps. On top of it come
/// outliers, which are independent, and fixes by cell tower, whose error stays while the phone keeps its tower.
package struct GPSNoise: Hashable, Sendable {
    /// Standard deviation along each axis, in metres; 0 or more.
    package var sigmaMetres: Double
    /// Time constant of the error, in seconds; above 0.
    package var correlationSeconds: Double
    /// Share of fixes that are outliers, 0…1.
    package var outlierShare: Double
    /// How far outliers lie from the truth, in metres.
    package var outlierMetres: ClosedRange<Double>
    /// What is reported as accuracy; outliers claim the same as any other fix.
    package var claim: AccuracyClaim
    /// Share of fixes that come from the cell tower, 0…1.
    package var cellTowerShare: Double
    /// Standard deviation of those along each axis, in metres.
    package var cellTowerSigmaMetres: Double
    /// The accuracy those report, in metres.
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
