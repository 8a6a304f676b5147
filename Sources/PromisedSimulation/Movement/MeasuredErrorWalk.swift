import Foundation

/// The state of a ``MeasuredPhone``'s error from fix to fix.
package struct MeasuredErrorWalk: Sendable {
    /// A measured position, relative to the true one.
    package struct Reading: Sendable {
        /// The offset of the fix from the true position.
        package var error: PlanePoint
        /// The reported accuracy, in metres.
        package var accuracyMetres: Double
        /// The source of the fix.
        package var origin: GPSSample.Origin
    }

    /// A report that the phone makes.
    package struct Report: Sendable {
        /// Its position.
        package var reading: Reading
        /// The reported speed in metres per second; nil for none.
        package var speedMps: Double?
    }

    /// A wrong point that the phone reports for a while.
    private struct Spell {
        var untilSeconds: Double
        var reading: Reading
    }

    // The fit of the recordings, apart from the values that depend on the surroundings (``ErrorFit``).
    /// The size of the error within a journey: standard deviation of its logarithm, and time constant in seconds.
    private static let scatter = 0.35
    private static let scatterSeconds = 60.0
    /// The ratio of the errors of Android phones to those of iPhones.
    private static let androidFactor = 1.25
    /// The accuracies that an iPhone reports, in metres.
    private static let steps = [5.0, 10, 30, 65]
    /// The best accuracy that an Android phone reports, in metres.
    private static let leastClaim = 3.0
    /// Mean length of a spell of network fixes, in seconds, and its error along each axis, in metres.
    private static let spellSeconds = 25.0
    private static let spellSigmaMetres = 20.0
    /// Probability that a report begins a run of outliers, the mean number of further ones, and their distance, in
    /// metres.
    private static let outlierShare = 0.000_5
    private static let outlierFollowers = 4.0
    private static let outlierMetres = 100.0...400
    /// Under a roof: the error of the fixed point, and the scatter around it, in metres.
    private static let indoorSigmaMetres = 12.0
    private static let indoorScatterMetres = 3.0
    /// An iPhone in low power: its error along each axis, and its variation between journeys.
    private static let lowPowerSigmaMetres = 22.0
    private static let lowPowerLogSpread = 0.3
    /// In low power, Android searches for satellites less often.
    private static let lowPowerSpellShare = 1.0 / 4
    /// Share of single reports that are missing.
    private static let missingShare = 0.03
    /// Probability that a report begins an outage, and its mean length in seconds.
    private static let outageShare = 0.001
    private static let outageSeconds = 25.0
    /// Standard deviation of the reported speed, in metres per second.
    private static let speedErrorMps = 0.4

    private let phone: MeasuredPhone
    private var ownError: TwoScaleError
    /// The quality of the journey, and the error of the reported accuracies, in standard deviations.
    private let quality: Double
    private let boast: Double
    /// The current size of the error within the journey, in standard deviations.
    private var size: Double
    private var seconds = 0.0
    private var spell: Spell?
    private var outliersLeft = 0
    private var outlier = PlanePoint.origin
    private var indoorPoint: PlanePoint?
    private var outageUntil = 0.0

    /// A walk of a phone on one journey.
    package init(_ phone: MeasuredPhone, using generator: inout SeededGenerator) {
        self.phone = phone
        ownError = TwoScaleError(using: &generator)
        quality = generator.normal()
        boast = generator.normal()
        size = generator.normal()
    }

    /// The report at `seconds`, which must never decrease; nil if it is missing.
    ///
    /// - Parameters:
    ///   - speed: the true speed, in metres per second.
    ///   - shared: the error that other phones on the same body share, with standard deviation 1; nil for none.
    package mutating func report(
        atSeconds seconds: Double,
        in surroundings: Surroundings,
        movingAtMps speed: Double,
        shared: PlanePoint? = nil,
        using generator: inout SeededGenerator
    ) -> Report? {
        let reading = reading(atSeconds: seconds, in: surroundings, shared: shared, using: &generator)
        let reported = reportedSpeed(reading, of: speed, using: &generator)
        if generator.chance(Self.outageShare) {
            outageUntil = seconds + generator.exponential(mean: Self.outageSeconds)
        }
        guard !generator.chance(Self.missingShare), seconds >= outageUntil else { return nil }
        return Report(reading: reading, speedMps: reported)
    }

    /// Without satellites an iPhone reports no speed, and Android reports 0, even in a car.
    private func reportedSpeed(
        _ reading: Reading,
        of speed: Double,
        using generator: inout SeededGenerator
    ) -> Double? {
        let noise = generator.normal()
        switch (reading.origin, phone.system) {
        case (.satellites, _), (.outlier, _): return max(0, speed + Self.speedErrorMps * noise)
        case (.network, .iPhone), (.cellTower, .iPhone): return nil
        case (.network, .android), (.cellTower, .android): return 0
        }
    }

    /// The reading at `seconds`, which must never decrease.
    ///
    /// - Parameter shared: the error that other phones on the same body share, with standard deviation 1; nil for none.
    package mutating func reading(
        atSeconds seconds: Double,
        in surroundings: Surroundings,
        shared: PlanePoint? = nil,
        using generator: inout SeededGenerator
    ) -> Reading {
        let fit = ErrorFit.of(surroundings)
        advance(to: seconds, fit, using: &generator)
        if surroundings == .indoors { return indoors(using: &generator) }
        indoorPoint = nil
        if phone.power == .low, phone.system == .iPhone { return lowPower(fit, shared: shared) }
        if let network = network(fit, using: &generator) { return network }
        let sigma = sigmaMetres(fit)
        let error = unitError(fit, shared: shared) * sigma
        let claim = claimMetres(sigma, using: &generator)
        guard isOutlier(using: &generator) else {
            return Reading(error: error, accuracyMetres: claim, origin: .satellites)
        }
        return Reading(error: error + outlier, accuracyMetres: claim, origin: .outlier)
    }

    private mutating func advance(to seconds: Double, _ fit: ErrorFit, using generator: inout SeededGenerator) {
        let passed = seconds - self.seconds
        self.seconds = seconds
        ownError.advance(bySeconds: passed, fit, using: &generator)
        let memory = exp(-passed / Self.scatterSeconds)
        size = size * memory + generator.normal() * (1 - memory * memory).squareRoot()
    }

    private func unitError(_ fit: ErrorFit, shared: PlanePoint?) -> PlanePoint {
        guard let shared else { return ownError.value(fit) }
        return ownError.value(fit) * (1 - SharedError.share).squareRoot() + shared * SharedError.share.squareRoot()
    }

    private func sigmaMetres(_ fit: ErrorFit) -> Double {
        let factor = phone.system == .android ? Self.androidFactor : 1
        return fit.sigmaMetres * factor * exp(fit.logSpread * quality + Self.scatter * size)
    }

    /// The accuracy to report for a true standard deviation along each axis.
    private func claimMetres(_ sigma: Double, using generator: inout SeededGenerator) -> Double {
        let noise = generator.normal()
        let truth = sigma * AccuracyClaim.radiusPerSigma
        switch phone.system {
        case .android: return max(Self.leastClaim, truth * 0.85 * exp(0.5 * boast + 0.3 * noise))
        case .iPhone:
            let claim = truth * 1.3 * exp(0.25 * boast)
            return Self.steps.min { abs(log($0 / claim)) < abs(log($1 / claim)) } ?? claim
        }
    }

    // MARK: - Other sources

    /// The fix of a spell of network positions that continues or begins; nil without one.
    private mutating func network(_ fit: ErrorFit, using generator: inout SeededGenerator) -> Reading? {
        if let spell, seconds < spell.untilSeconds { return spell.reading }
        spell = nil
        let isLow = phone.power == .low
        guard generator.chance(isLow ? Self.lowPowerSpellShare : fit.spellShare) else { return nil }
        let until = seconds + generator.exponential(mean: Self.spellSeconds)
        let claim = generator.uniform(isLow ? 20...100 : 16...40)
        let reading = Reading(
            error: generator.normalPoint() * Self.spellSigmaMetres,
            accuracyMetres: phone.system == .iPhone ? 65 : claim,
            origin: .network
        )
        spell = Spell(untilSeconds: until, reading: reading)
        return reading
    }

    private mutating func indoors(using generator: inout SeededGenerator) -> Reading {
        let point = indoorPoint ?? generator.normalPoint() * Self.indoorSigmaMetres
        indoorPoint = point
        let claim = generator.uniform(12...20)
        return Reading(
            error: point + generator.normalPoint() * Self.indoorScatterMetres,
            accuracyMetres: phone.system == .iPhone ? 65 : claim,
            origin: .network
        )
    }

    /// An iPhone without a request for the best accuracy reports 65 m, and is better than that.
    private func lowPower(_ fit: ErrorFit, shared: PlanePoint?) -> Reading {
        let sigma = Self.lowPowerSigmaMetres * exp(Self.lowPowerLogSpread * quality)
        return Reading(error: unitError(fit, shared: shared) * sigma, accuracyMetres: 65, origin: .network)
    }

    /// `true` if the fix belongs to a run of outliers, possibly as its first.
    private mutating func isOutlier(using generator: inout SeededGenerator) -> Bool {
        if outliersLeft > 0 {
            outliersLeft -= 1
            return true
        }
        guard generator.chance(Self.outlierShare) else { return false }
        outliersLeft = Int(generator.exponential(mean: Self.outlierFollowers))
        let metres = generator.uniform(Self.outlierMetres)
        outlier = .polar(distanceMetres: metres, bearingDegrees: generator.uniform(0...360))
        return true
    }
}
