/// One device's fixes folded in order of time: coverage, jump filter and arrival rule.
///
/// The state is a pure function of the set of fixes, whatever the order in which they were received.
struct TrackState: Hashable, Sendable {
    /// Live fixes that lie at most this far apart cover late ones between them (domain §6.6).
    static let coverage = TimeSpan.seconds(15)

    /// The jump filter after the last fix.
    private(set) var filter = JumpFilter()
    /// The arrival rule after the last accepted fix.
    private(set) var detector: ArrivalDetector
    /// The first accepted fix, the participant's departure.
    private(set) var departure: Waypoint?
    /// The place in the order of the last folded fix, accepted or not.
    private(set) var last: FixOrder?
    private(set) var lastLive: Instant?
    /// `true` if a fix that was not live arrived after the last live one: the next live one may cover it.
    private(set) var hasOpenBackfill = false

    init(criteria: ArrivalCriteria) { detector = ArrivalDetector(criteria: criteria) }

    var latest: SettledFix? { filter.lastAccepted }

    /// Folds the first `count` of `fixes`, which are sorted and later than all previous ones; the rest only helps to
    /// judge them.
    ///
    /// - Parameter verdict: called for each fix with its verdict, and again for a held one when that is decided.
    mutating func fold(
        _ fixes: some RandomAccessCollection<SettledFix>,
        count: Int,
        verdict: (SettledFix, FixVerdict) -> Void = { _, _ in }
    ) {
        // The first live fix at or after `searched`; nil when none is left.
        var nextLive: Int?
        var searched = 0
        let sequence = Array(fixes)
        for (offset, fix) in sequence.prefix(count).enumerated() {
            last = fix.order
            if fix.isLive {
                lastLive = fix.time
                hasOpenBackfill = false
            } else {
                if offset >= searched {
                    nextLive = sequence[(offset + 1)...].firstIndex(where: \.isLive)
                    searched = nextLive ?? sequence.count
                }
                if let before = lastLive, let after = nextLive.map({ sequence[$0].time }),
                    after - before <= TrackState.coverage + ArrivalCriteria.tolerance
                {
                    verdict(fix, .covered)
                    continue
                }
                hasOpenBackfill = true
            }
            accept(fix, verdict: verdict)
        }
    }

    /// Folds the newest fix, which no other fix can cover yet.
    mutating func fold(next fix: SettledFix) {
        last = fix.order
        if fix.isLive {
            lastLive = fix.time
            hasOpenBackfill = false
        } else {
            hasOpenBackfill = true
        }
        accept(fix) { _, _ in }
    }

    private mutating func accept(_ fix: SettledFix, verdict: (SettledFix, FixVerdict) -> Void) {
        let held = filter.held
        switch filter.receive(fix) {
        case .held(let droppedHeld):
            if droppedHeld, let held { verdict(held, .dropped) }
            verdict(fix, .held)
        case .accepted(let droppedHeld):
            if droppedHeld, let held { verdict(held, .dropped) }
            detect(fix, verdict: verdict)
        case .acceptedWithHeld(let waiting):
            detect(waiting, verdict: verdict)
            detect(fix, verdict: verdict)
        }
    }

    private mutating func detect(_ fix: SettledFix, verdict: (SettledFix, FixVerdict) -> Void) {
        if departure == nil { departure = Waypoint(departure: fix) }
        verdict(fix, .accepted(detector.accept(fix)))
    }
}
