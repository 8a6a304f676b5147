/// How an accepted fix lies to the circle, for the explanation of an arrival (domain §6.9).
public enum FixClass: String, Hashable, Sendable, Codable, CaseIterable {
    /// Inside by half its error or more.
    case strong
    /// Inside.
    case inside
    /// Outside by so little that it neither extends nor ends a run.
    case near
    /// Outside.
    case outside
    /// Too inexact to say.
    case unusable

    init(_ placement: FixPlacement, criteria: ArrivalCriteria) {
        if !placement.isUsable {
            self = .unusable
        } else if placement.isStrong {
            self = .strong
        } else if placement.distanceMetres <= criteria.radiusMetres {
            self = .inside
        } else {
            self = placement.distanceMetres <= criteria.nearMetres ? .near : .outside
        }
    }
}

/// What became of a fix, for the explanation of an arrival (domain §6.9).
public enum FixVerdict: Hashable, Sendable {
    /// Accepted and seen by the arrival rule.
    case accepted(FixClass)
    /// Implausibly far from the one before; waits for the next.
    case held
    /// Implausibly far from the one before, and the next did not agree with it.
    case dropped
    /// Not live, and live fixes lie close before and after: kept as evidence, ignored by the rule.
    case covered
}
