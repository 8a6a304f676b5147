import Foundation
import PromisedSimulation

/// The errors of one phone on one way, measured or drawn, and their statistics.
struct ErrorSeries {
    /// One fix.
    struct Fix {
        /// Since the start of the way.
        var seconds: Double
        /// The vector from the truth to the fix.
        var error: PlanePoint
        /// The reported accuracy in metres.
        var claimMetres: Double
    }

    /// The way; two phones on one body have the same one.
    var way: String
    /// The phone, such as `a3` or `i2`: its system is the first letter.
    var phone: String
    /// By time.
    var fixes: [Fix] = []

    var isAndroid: Bool { phone.hasPrefix("a") }

    /// A claim this small with an error beyond 100 m is an outlier.
    static let outlierClaimMetres = 50.0

    /// The lengths of the runs of outliers, in fixes.
    var outlierRuns: [Int] {
        var runs: [Int] = []
        var length = 0
        for fix in fixes {
            if fix.error.lengthMetres > 100, fix.claimMetres <= Self.outlierClaimMetres {
                length += 1
            } else if length > 0 {
                runs.append(length)
                length = 0
            }
        }
        return length > 0 ? runs + [length] : runs
    }

    /// The median claim over the radius that holds 68 % of the errors; nil for less than 10 fixes.
    var claimRatio: Double? {
        guard fixes.count >= 10, let claim = fixes.map(\.claimMetres).sorted().quantile(0.5),
            let radius = fixes.map(\.error.lengthMetres).sorted().quantile(0.68), radius > 0
        else { return nil }
        return claim / radius
    }

    /// The scatter of the claims within the way: the standard deviation of their logarithms.
    var claimScatter: Double { fixes.map { log($0.claimMetres) }.standardDeviation }

    /// The median distance from the point in the middle of all fixes.
    var spreadMetres: Double? {
        guard let east = fixes.map(\.error.eastMetres).sorted().quantile(0.5),
            let north = fixes.map(\.error.northMetres).sorted().quantile(0.5)
        else { return nil }
        let middle = PlanePoint(eastMetres: east, northMetres: north)
        return fixes.map { $0.error.distanceMetres(to: middle) }.sorted().quantile(0.5)
    }

    /// The errors of one axis, divided by their usual size and cut at three times that, so that a few large ones do
    /// not dominate; nil for less than 20 fixes.
    fileprivate func scaled(_ axis: KeyPath<PlanePoint, Double>) -> [Double]? {
        let errors = fixes.map { $0.error[keyPath: axis] }
        guard errors.count >= 20, let size = errors.map(abs).sorted().quantile(0.5), size > 0 else { return nil }
        return errors.map { min(3, max(-3, $0 / (1.4826 * size))) }
    }
}

extension [ErrorSeries] {
    /// The correlation of an error with that `lag` seconds later (give or take a fifth), over all series and both axes;
    /// nil for less than `least` fixes that have one.
    func autocorrelation(lag: Double, least: Int = 1) -> Double? {
        var (products, pairs, squares, count) = (0.0, 0, 0.0, 0)
        for series in self {
            for axis in [\PlanePoint.eastMetres, \.northMetres] {
                guard let errors = series.scaled(axis) else { continue }
                squares += errors.reduce(0) { $0 + $1 * $1 }
                count += errors.count
                var (low, high) = (0, 0)
                for (index, fix) in series.fixes.enumerated() {
                    while low < errors.count, series.fixes[low].seconds < fix.seconds + 0.8 * lag { low += 1 }
                    while high < errors.count, series.fixes[high].seconds <= fix.seconds + 1.2 * lag { high += 1 }
                    guard high > low else { continue }
                    products += errors[index] * errors[low..<high].reduce(0, +) / Double(high - low)
                    pairs += 1
                }
            }
        }
        guard pairs >= least, count > 0 else { return nil }
        return products / Double(pairs) / (squares / Double(count))
    }

    /// How much the accuracy of the claims differs between ways: the standard deviation of the logarithms of their
    /// ratios.
    var claimSpread: Double { compactMap(\.claimRatio).map { log($0) }.standardDeviation }

    /// The correlation of the errors of two phones on one way at the same moments, over all pairs and both axes, without
    /// errors beyond 60 m; the second is interpolated over at most 20 s. Nil for less than 100 moments.
    func correlationOfPairs(where isPair: (ErrorSeries, ErrorSeries) -> Bool = { _, _ in true }) -> Double? {
        var (both, ones, others, count) = (0.0, 0.0, 0.0, 0)
        for (index, one) in enumerated() {
            for other in self[(index + 1)...] where other.way == one.way && isPair(one, other) {
                for (left, right) in one.moments(with: other) {
                    for axis in [\PlanePoint.eastMetres, \.northMetres] {
                        let (a, b) = (left[keyPath: axis], right[keyPath: axis])
                        (both, ones, others, count) = (both + a * b, ones + a * a, others + b * b, count + 1)
                    }
                }
            }
        }
        return count >= 200 ? both / (ones * others).squareRoot() : nil
    }
}

extension ErrorSeries {
    /// The errors of both phones at this one's instants.
    fileprivate func moments(with other: ErrorSeries) -> [(PlanePoint, PlanePoint)] {
        var moments: [(PlanePoint, PlanePoint)] = []
        var next = 0
        for fix in fixes where fix.error.lengthMetres <= 60 {
            while next < other.fixes.count, other.fixes[next].seconds < fix.seconds { next += 1 }
            guard next > 0, next < other.fixes.count else { continue }
            let (before, after) = (other.fixes[next - 1], other.fixes[next])
            let gap = after.seconds - before.seconds
            guard gap > 0, gap <= 20 else { continue }
            let share = (fix.seconds - before.seconds) / gap
            let error = before.error + (after.error - before.error) * share
            if error.lengthMetres <= 60 { moments.append((fix.error, error)) }
        }
        return moments
    }
}

extension [Double] {
    var mean: Double { isEmpty ? .nan : reduce(0, +) / Double(count) }
    /// Of the sample, not of all.
    var standardDeviation: Double {
        let mean = mean
        return count < 2 ? .nan : (reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count - 1)).squareRoot()
    }
}
