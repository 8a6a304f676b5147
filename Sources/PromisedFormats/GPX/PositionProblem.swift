/// Why a point of a GPX file has no position.
package enum PositionProblem: String, Hashable, Sendable, CaseIterable {
    /// An attribute `lat` or `lon` is missing.
    case missing
    /// A decimal comma in place of a point, as in `49,978`.
    case decimalComma
    /// The latitude is beyond ±90°, but the longitude is not: they are probably exchanged.
    case exchanged
    /// Any other latitude beyond ±90°, or a longitude beyond ±360°.
    case outOfRange
    /// Any other text that is not a number.
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

/// The points and way-points of a GPX file without a position.
package struct PositionProblems: Hashable, Sendable {
    /// The number of points with each problem.
    package private(set) var counts: [PositionProblem: Int] = [:]
    /// The line of the first point with each problem; lines count from 1.
    package private(set) var firstLines: [PositionProblem: Int] = [:]

    /// No problems.
    package init() {}

    /// The number of points without a position.
    package var count: Int { counts.values.reduce(0, +) }

    /// Counts a problem. The line is evaluated once per kind of problem.
    mutating func note(_ problem: PositionProblem, line: @autoclosure () -> Int) {
        if counts[problem] == nil { firstLines[problem] = line() }
        counts[problem, default: 0] += 1
    }

    /// The most frequent problem as a sentence, without a full stop; nil without one. It names a line, without the
    /// file's content.
    package var sentence: String? {
        let most = PositionProblem.allCases.max { (counts[$0] ?? 0) < (counts[$1] ?? 0) }
        guard let most, let number = counts[most], let line = firstLines[most] else { return nil }
        if number == 1 { return "1 point has no position (line \(line)): \(most.phrase)" }
        return "\(number) points have no position (first on line \(line)): \(most.phrase)"
    }
}
