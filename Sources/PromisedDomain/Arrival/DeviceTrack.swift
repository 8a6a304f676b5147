/// All that a session keeps of one device's fixes: the last two minutes of them, and the folded state of the rest.
///
/// A fix that is newer than everything extends the state; one dated within the fixes still held re-folds those; an older
/// one needs the whole track again (``Insertion/needsRecall``).
public struct DeviceTrack: Hashable, Sendable {
    /// What became of an insertion.
    public enum Insertion: Hashable, Sendable {
        /// The fixes were newest and extended the state.
        case extended
        /// A fix was older than the newest: the rule ran again over the fixes still held.
        case rerun
        /// A fix is older than those still held: nothing changes until ``rebuild(from:)`` is given all of them.
        case needsRecall
    }

    /// How long fixes are held, counted back from the newest.
    public static let memory = TimeSpan.minutes(2)

    private let criteria: ArrivalCriteria
    /// What is older than the fixes held, folded; nil while there is none.
    @Rare private var folded: TrackState? = nil
    private var recent = HeldFixes()
    private var state: TrackState
    /// Fixes older than those held, waiting for the recall of the others.
    private var awaiting: [SettledFix] = []

    /// A track without fixes.
    public init(criteria: ArrivalCriteria) {
        self.criteria = criteria
        state = TrackState(criteria: criteria)
    }

    /// The latest accepted fix, nil before the first.
    public var latest: SettledFix? { state.latest }

    /// The first accepted fix: where the participant set out; nil before.
    public var departure: Waypoint? { state.departure }

    /// The time of the newest fix, accepted or not; nil before the first.
    var newest: Instant? { recent.last?.time ?? folded?.last?.time }

    /// When the fixes held were made, in any order.
    var times: [Instant] { (recent.all + awaiting).map(\.time) }

    /// How many fixes are held.
    public var heldCount: Int { recent.count + awaiting.count }

    /// Whether fixes wait for a recall.
    public var isAwaitingRecall: Bool { !awaiting.isEmpty }

    /// The arrival that this device tells as of `now`.
    public func arrival(at now: Instant) -> ArrivalDetector.Detection? { state.detector.arrival(at: now) }

    /// Whether this device tells of an arrival as of `now`.
    public func hasArrival(at now: Instant) -> Bool { state.detector.hasArrival(at: now) }

    /// The next instant after `now` at which the clock alone changes ``arrival(at:)``.
    public func nextChange(after now: Instant) -> Instant? { state.detector.nextChange(after: now) }

    /// Takes fixes in any order; none was taken before.
    public mutating func insert(_ fixes: [SettledFix]) -> Insertion {
        var outcome = Insertion.extended
        var late: [SettledFix] = []
        for fix in fixes.count > 1 ? fixes.sorted() : fixes {
            if let last = folded?.last, fix.order < last {
                awaiting.append(fix)
                outcome = .needsRecall
            } else if let newest = recent.last?.order ?? folded?.last, fix.order < newest {
                late.append(fix)
                if outcome == .extended { outcome = .rerun }
            } else if append(fix) == .rerun, outcome == .extended {
                outcome = .rerun
            }
        }
        guard late.isEmpty else {
            hold((recent.all + late).sorted())
            return outcome
        }
        if outcome != .extended { refold() }
        prune()
        return outcome
    }

    /// Starts over from all fixes of the device, in any order and with repeats; those held here are added.
    public mutating func rebuild(from fixes: [SettledFix]) {
        var known = Set<UInt32>()
        let all = (fixes + recent.all + awaiting).filter { known.insert($0.seq).inserted }.sorted()
        awaiting = []
        folded = nil
        hold(all)
    }

    private mutating func append(_ fix: SettledFix) -> Insertion {
        recent.append(fix)
        if fix.isLive, state.hasOpenBackfill, let before = state.lastLive,
            fix.time - before <= TrackState.coverage + ArrivalCriteria.tolerance
        {
            return .rerun
        }
        state.fold(next: fix)
        return .extended
    }

    /// The state before the fixes held.
    private var base: TrackState { folded ?? TrackState(criteria: criteria) }

    private mutating func refold() {
        state = base
        state.fold(recent.all, count: recent.count)
    }

    /// Runs from the base on over these fixes, in order, and holds those of the last two minutes.
    private mutating func hold(_ fixes: [SettledFix]) {
        state = base
        state.fold(fixes, count: fixes.count)
        var leaving = 0
        if let horizon = horizon(of: fixes.first, fixes.last) {
            leaving = fixes.firstIndex { $0.time >= horizon } ?? fixes.count
            var base = base
            base.fold(fixes, count: leaving)
            folded = base
        }
        recent = HeldFixes(fixes[leaving...])
    }

    /// Folds what is older than two minutes into the base. No live fix can still turn up there and cover any of it,
    /// for live ones are at most 15 s old and none is ahead of the server's clock by more than 5 s.
    private mutating func prune() {
        guard let horizon = horizon(of: recent.first, recent.last) else { return }
        let leaving = recent.removeAll(before: horizon)
        var base = base
        if leaving.allSatisfy(\.isLive) {
            for fix in leaving { base.fold(next: fix) }
        } else {
            // Whether one that came late counts rests on those after it.
            base.fold(leaving + recent.all, count: leaving.count)
        }
        folded = base
    }

    /// Fixes from before it are not held; nil when there are none, or when some wait for the recall of the others.
    private func horizon(of oldest: SettledFix?, _ newest: SettledFix?) -> Instant? {
        guard awaiting.isEmpty, let oldest, let newest, newest.time - oldest.time > DeviceTrack.memory else {
            return nil
        }
        return newest.time - DeviceTrack.memory
    }
}
