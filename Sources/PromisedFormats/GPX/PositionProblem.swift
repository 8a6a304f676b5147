/// Why a point of a GPX file has no position.
package enum PositionProblem: String, Hashable, Sendable, CaseIterable {
    /// An attribute `lat` or `lon` is missing.
    case missing
    /// A decimal comma stands where XML has a point, as in `49,978`.
    case decimalComma
    /// The latitude is beyond ±90°, and the longitude is not: they seem to be exchanged.
    case exchanged
    /// Another latitude beyond ±90°, or a longitude beyond ±360°.
    case outOfRange
    /// Any other text that is no number.
    case noNumber

    fileprivate var phrase: String {
        switch self {
        case .missing: "lat or lon is missing"
        case .decimalComma: "a decimal comma (write numbers with a point, such as 49.978)"
        case .exchanged: "latitude and longitude are exchanged"
        case .outOfRange: "outside ±90° of latitude and ±360° of longitude"
        case .noNumber: "lat or lon is not a number"
        }
    }
}

/// The points and way-points of a GPX file that have no position.
package struct PositionProblems: Hashable, Sendable {
    /// How many have each problem.
    package private(set) var counts: [PositionProblem: Int] = [:]
    /// The line of the first that has it; lines count from 1.
    package private(set) var firstLines: [PositionProblem: Int] = [:]

    /// None so far.
    package init() {}

    /// How many have no position.
    package var count: Int { counts.values.reduce(0, +) }

    /// Notes one more. The line is asked for once for each problem.
    mutating func note(_ problem: PositionProblem, line: @autoclosure () -> Int) {
        if counts[problem] == nil { firstLines[problem] = line() }
        counts[problem, default: 0] += 1
    }

    /// The most frequent problem as a sentence, without a full stop; nil without one. It names a line and nothing of the
    /// file's content.
    package var sentence: String? {
        let most = PositionProblem.allCases.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
        guard let most, let number = counts[most], let line = firstLines[most] else { return nil }
        if number == 1 { return "1 point has no position (line \(line)): \(most.phrase)" }
        return "\(number) points have no position (first on line \(line)): \(most.phrase)"
    }
}
