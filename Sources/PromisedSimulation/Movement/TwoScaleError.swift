import Foundation

/// An error of two parts, each a first-order Gauss–Markov process with its own time constant; together with standard
/// deviation 1 along each axis.
struct TwoScaleError: Sendable {
    private var fast: PlanePoint
    private var slow: PlanePoint

    /// An error at a random point of its long-term distribution.
    init(using generator: inout SeededGenerator) {
        fast = generator.normalPoint()
        slow = generator.normalPoint()
    }

    /// The error `seconds` later.
    mutating func advance(bySeconds seconds: Double, _ fit: ErrorFit, using generator: inout SeededGenerator) {
        fast = TwoScaleError.next(fast, after: seconds / fit.fastSeconds, using: &generator)
        slow = TwoScaleError.next(slow, after: seconds / fit.slowSeconds, using: &generator)
    }

    /// The sum of both parts.
    func value(_ fit: ErrorFit) -> PlanePoint {
        fast * fit.fastShare.squareRoot() + slow * (1 - fit.fastShare).squareRoot()
    }

    private static func next(
        _ point: PlanePoint,
        after timeConstants: Double,
        using generator: inout SeededGenerator
    ) -> PlanePoint {
        let memory = exp(-timeConstants)
        return point * memory + generator.normalPoint() * (1 - memory * memory).squareRoot()
    }
}

/// The common error of all phones on one body: they receive the same satellites past the same walls.
package struct SharedError: Sendable {
    /// The shared part of the variance of each phone's error, 0…1.
    package static let share = 0.25

    /// The error at each second of the journey, with standard deviation 1.
    private var values: [PlanePoint]

    /// The shared error of a journey of `seconds`.
    package init(amid scenery: Scenery, seconds: Double, using generator: inout SeededGenerator) {
        var error = TwoScaleError(using: &generator)
        values = (0...Int(max(0, seconds).rounded(.up))).map { second in
            let fit = ErrorFit.of(scenery.surroundings(atSeconds: Double(second)))
            error.advance(bySeconds: second == 0 ? 0 : 1, fit, using: &generator)
            return error.value(fit)
        }
    }

    /// The error at an instant; before and after the journey, that of the nearer end.
    func value(atSeconds seconds: Double) -> PlanePoint {
        let place = min(max(0, seconds), Double(values.count - 1))
        let index = min(Int(place), max(0, values.count - 2))
        guard values.count > 1 else { return values[0] }
        return values[index] + (values[index + 1] - values[index]) * (place - Double(index))
    }
}

extension SeededGenerator {
    /// A point with standard deviation 1 along each axis.
    mutating func normalPoint() -> PlanePoint {
        let east = normal()
        return PlanePoint(eastMetres: east, northMetres: normal())
    }
}
