/// A session's memory of one device's fixes: the fixes of the last two minutes, up to a limit, and the folded state of
/// all older ones.
///
/// The newest fix extends the state. A fix dated within the held ones re-folds those. An older fix is not held: the
/// whole track must be read again from the archive (``Insertion/needsRecall``).
package struct DeviceTrack: Hashable, Sendable {
    /// The result of an insertion.
    package enum Insertion: Hashable, Sendable {
        /// The fixes were newest and extended the state.
        case extended
        /// A fix was older than the newest: the rule ran again over the fixes still held.
        case rerun
        /// A fix is older than those held: it has no effect until ``rebuild(from:holding:)`` gets all fixes.
        case needsRecall
    }

    /// How long fixes are held, counted back from the newest.
    package static let memory = TimeSpan.minutes(2)

    private let criteria: ArrivalCriteria
    /// The folded state of the fixes before the held ones; nil while there are none.
    @BoxedOptional private var folded: TrackState? = nil
    private var recent = HeldFixes()
    private var state: TrackState
    /// `true` if a fix was older than the held ones, so that all fixes must be read again.
    package private(set) var isAwaitingRecall = false
    /// Both apply during a recall, which may then be incomplete: `true` if fixes were inserted between the held ones,
    /// and `true` if fixes were dropped after that.
    private var isMixed = false
    private var isOutgrown = false

    package init(criteria: ArrivalCriteria) {
        self.criteria = criteria
        state = TrackState(criteria: criteria)
    }

    /// The track of all fixes of a fold. `limit` is the most fixes to hold.
    init(_ fold: TrackFold, holding limit: Int) {
        self.init(criteria: fold.criteria)
        folded = fold.base
        hold(fold.window, limit)
    }

    /// The latest accepted fix, nil before the first.
    package var latest: SettledFix? { state.latest }

    /// The first accepted fix, the participant's departure; nil before.
    package var departure: Waypoint? { state.departure }

    /// The time of the newest fix, accepted or not; nil before the first.
    var newest: Instant? { lastOrder?.time }

    /// The fixes held, in order.
    var held: [SettledFix] { recent.all }

    package var heldCount: Int { recent.count }

    /// The device's arrival as of `now`.
    package func arrival(at now: Instant) -> ArrivalDetector.Detection? { state.detector.arrival(at: now) }

    /// `true` if this device has an arrival as of `now`.
    package func hasArrival(at now: Instant) -> Bool { state.detector.hasArrival(at: now) }

    /// The last retracted arrival of this device as of `now`; nil if none.
    package func retraction(at now: Instant) -> ArrivalDetector.Retraction? { state.detector.retraction(at: now) }

    /// The next instant after `now` at which the clock alone changes ``arrival(at:)``.
    package func nextChange(after now: Instant) -> Instant? { state.detector.nextChange(after: now) }

    /// Inserts new fixes in any order. `limit` is the most fixes to hold.
    package mutating func insert(_ fixes: [SettledFix], holding limit: Int = FixLimits().held) -> Insertion {
        var outcome = Insertion.extended
        var late: [SettledFix] = []
        for fix in fixes.count > 1 ? fixes.sorted() : fixes {
            if let last = folded?.last, fix.order < last {
                isAwaitingRecall = true
                outcome = .needsRecall
            } else if let newest = recent.last?.order ?? folded?.last, fix.order < newest {
                late.append(fix)
                if outcome == .extended { outcome = .rerun }
            } else if append(fix) == .rerun, outcome == .extended {
                outcome = .rerun
            }
        }
        guard late.isEmpty else {
            if isAwaitingRecall { isMixed = true }
            hold((recent.all + late).sorted(), limit)
            return outcome
        }
        if outcome != .extended { refold() }
        prune(limit)
        return outcome
    }

    /// Starts over from all fixes of the device, in any order and with repeats; adds those held here. `limit` is the
    /// most fixes to hold.
    package mutating func rebuild(from fixes: [SettledFix], holding limit: Int = FixLimits().held) {
        var known = Set<UInt32>()
        let all = (fixes + recent.all).filter { known.insert($0.seq).inserted }.sorted()
        (isAwaitingRecall, isMixed, isOutgrown) = (false, false, false)
        folded = nil
        hold(all, limit)
    }

    /// Replaces the state by the one judged from the archive, plus the held fixes missing from it. Returns `true` if
    /// the result is complete; otherwise the device must be recalled again.
    mutating func take(_ judged: JudgedTrack, holding limit: Int) -> Bool {
        let missing = recent.all.filter { !judged.knows($0) }
        let isPassed = folded?.last.map { last in judged.track.lastOrder.map { $0 < last } ?? true } ?? false
        let isWhole = !isOutgrown && !isPassed
        self = judged.track
        return insert(missing, holding: limit) != .needsRecall && isWhole
    }

    /// Marks the track as waiting for a recall; it holds fixes that are newer than the archive's.
    mutating func awaitRecall() { isAwaitingRecall = true }

    /// The place of the newest fix, accepted or not; nil before the first.
    var lastOrder: FixOrder? { recent.last?.order ?? folded?.last }
    var heldNumbers: Set<UInt32> { Set(held.map(\.seq)) }

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

    /// Folds these fixes, in order, from the base on, and holds those of the last two minutes.
    private mutating func hold(_ fixes: [SettledFix], _ limit: Int) {
        var leaving = 0
        if let horizon = horizon(of: fixes.first, fixes.last) {
            leaving = fixes.firstIndex { $0.time >= horizon } ?? fixes.count
        }
        leaving = max(leaving, fixes.count - limit)
        if leaving > 0 {
            noteLoss()
            var base = base
            base.fold(fixes, count: leaving)
            folded = base
        }
        recent = HeldFixes(fixes[leaving...])
        state = base
        state.fold(fixes[leaving...], count: recent.count)
    }

    /// Folds fixes older than two minutes or beyond the limit into the base. No later live fix can cover any of them:
    /// live ones are at most 15 s old, none is ahead of the server's clock by more than 5 s, and the held ones go back
    /// at least a minute.
    private mutating func prune(_ limit: Int) {
        let horizon = horizon(of: recent.first, recent.last)
        guard horizon != nil || recent.count > limit else { return }
        noteLoss()
        let leaving = recent.removeAll(before: horizon ?? Instant(milliseconds: .min), leaving: limit)
        var base = base
        if leaving.allSatisfy(\.isLive) {
            for fix in leaving { base.fold(next: fix) }
        } else {
            // Whether a late fix counts depends on those after it.
            base.fold(leaving + recent.all, count: leaving.count)
        }
        folded = base
    }

    private mutating func noteLoss() {
        if isMixed { isOutgrown = true }
    }

    /// Fixes before this instant are not held; nil without fixes or while a recall is pending.
    private func horizon(of oldest: SettledFix?, _ newest: SettledFix?) -> Instant? {
        guard !isAwaitingRecall, let oldest, let newest, newest.time - oldest.time > DeviceTrack.memory else {
            return nil
        }
        return newest.time - DeviceTrack.memory
    }
}
