import Foundation

/// The state of a receiver's error from fix to fix; see ``GPSNoise`` for the model.
struct ErrorWalk {
    /// One erroneous reading.
    struct Reading {
        /// How far the fix lies from the truth.
        var error: PlanePoint
        /// What is reported as accuracy, in metres.
        var accuracyMetres: Double?
        /// How the fix came about.
        var origin: GPSSample.Origin
    }

    /// A phone keeps its tower for about so many fixes from it.
    private static let fixesPerTower = 10.0

    private let noise: GPSNoise
    private var error: PlanePoint
    private var towerError: PlanePoint
    private var seconds = 0.0

    /// A walk that begins somewhere in its long-term spread.
    init(_ noise: GPSNoise, using generator: inout SeededGenerator) {
        self.noise = noise
        error = ErrorWalk.spread(noise.sigmaMetres, using: &generator)
        towerError = ErrorWalk.spread(noise.cellTowerSigmaMetres, using: &generator)
    }

    /// The reading at `seconds`, which never fall.
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
