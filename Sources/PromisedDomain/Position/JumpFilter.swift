/// Holds back fixes that imply an impossible speed, until the next fix confirms or refutes them (domain §5).
///
/// ```
///              fits                 jump                next fits held: both accepted
/// accepting ──────────▶ accepting ──────▶ holding one ─────────────────────────────▶ accepting
///                                            │  next does not: held dropped, next tested against the last accepted
///                                            └──▶ accepting or holding the next
/// ```
/// Two consecutive fixes that agree always pass, so a filter never locks a participant out.
package struct JumpFilter: Hashable, Sendable {
    /// No vehicle in scope is faster, in metres per second.
    package static let topSpeedMps = 100.0
    /// With a reported speed v, an implied one up to 3 v + 15 m/s is plausible.
    package static let speedFactor = 3.0
    /// See ``speedFactor``.
    package static let speedAllowanceMps = 15.0
    /// The next fix may lie this far from the held one, plus both errors, in metres.
    static let agreementMetres = 20.0

    /// The verdict on a fix, and on the one held before it.
    package enum Verdict: Hashable, Sendable {
        /// Accepted; the fix held before it, if any, was dropped.
        case accepted(droppedHeld: Bool)
        /// Accepted; the fix held before it was accepted first.
        case acceptedWithHeld(SettledFix)
        /// Held; the fix held before it, if any, was dropped.
        case held(droppedHeld: Bool)
    }

    package private(set) var lastAccepted: SettledFix?
    /// The held fix, which waits for the next one.
    package var held: SettledFix? { waiting }
    @BoxedOptional private var waiting: SettledFix? = nil

    /// No fix received yet.
    package init() {}

    /// Judges the next fix in order of time.
    package mutating func receive(_ fix: SettledFix) -> Verdict {
        var droppedHeld = false
        if let held {
            waiting = nil
            if JumpFilter.agrees(fix, with: held) {
                lastAccepted = fix
                return .acceptedWithHeld(held)
            }
            droppedHeld = true
        }
        if let lastAccepted, JumpFilter.isJump(from: lastAccepted, to: fix) {
            waiting = fix
            return .held(droppedHeld: droppedHeld)
        }
        lastAccepted = fix
        return .accepted(droppedHeld: droppedHeld)
    }

    private static func isJump(from last: SettledFix, to next: SettledFix) -> Bool {
        let metres = next.coordinate.distanceMetres(to: last.coordinate) - next.errorMetres - last.errorMetres
        guard metres > 0 else { return false }
        var limit = topSpeedMps
        if let reported = largerSpeed(last, next) { limit = min(limit, speedFactor * reported + speedAllowanceMps) }
        return metres > limit * (next.time - last.time).seconds
    }

    private static func agrees(_ next: SettledFix, with held: SettledFix) -> Bool {
        let reach = (largerSpeed(held, next) ?? 0) * (next.time - held.time).seconds
        let allowed = held.errorMetres + next.errorMetres + agreementMetres + reach
        return next.coordinate.distanceMetres(to: held.coordinate) <= allowed
    }

    private static func largerSpeed(_ one: SettledFix, _ other: SettledFix) -> Double? {
        guard let first = one.knownSpeedMps else { return other.knownSpeedMps }
        guard let second = other.knownSpeedMps else { return first }
        return max(first, second)
    }
}
