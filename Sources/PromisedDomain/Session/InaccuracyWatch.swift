/// Detects that a participant's positions near the place are too inaccurate to count, to notify them once.
///
/// One such position says little: the next may be better, and a cell tower can lie anywhere. Three in a row without a
/// usable one between them mean a phone indoors, or one that saves power.
struct InaccuracyWatch: Hashable, Sendable {
    /// The number of consecutive unusable fixes inside that triggers the notification.
    static let enough = 3

    private var count = 0
    private var leastErrorMetres = Double.infinity
    private var hasTold = false

    /// Processes the next fix. Returns the smallest error of the fixes in a row, in metres, if the participant should
    /// be notified.
    mutating func note(_ fix: SettledFix, under criteria: ArrivalCriteria) -> Double? {
        guard !hasTold, criteria.rule == .robust else { return nil }
        guard fix.errorMetres > criteria.usableErrorMetres else {
            (count, leastErrorMetres) = (0, .infinity)
            return nil
        }
        guard fix.coordinate.distanceMetres(to: criteria.centre) <= criteria.radiusMetres else { return nil }
        count += 1
        leastErrorMetres = min(leastErrorMetres, fix.errorMetres)
        return count >= InaccuracyWatch.enough ? leastErrorMetres : nil
    }

    /// Records that the participant was notified; it happens only once.
    mutating func noteTold() { hasTold = true }
}
