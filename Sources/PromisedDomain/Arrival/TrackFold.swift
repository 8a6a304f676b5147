/// Folds all fixes of one device, given in order and in parts, and holds those of the last two minutes.
struct TrackFold: Hashable, Sendable {
    let criteria: ArrivalCriteria
    /// The folded state of the fixes before ``window``; nil while there are none.
    private(set) var base: TrackState?
    /// The fixes of the last two minutes, in order.
    private(set) var window: [SettledFix] = []

    /// Has folded nothing yet.
    init(criteria: ArrivalCriteria) { self.criteria = criteria }

    /// Takes the next fixes: sorted, and after all before them.
    ///
    /// A fix leaves the window when one is two minutes newer: so the live fix that may cover it, at most 15 s later, is
    /// in the window, or does not exist.
    mutating func append(_ fixes: [SettledFix]) {
        window += fixes
        guard let newest = window.last else { return }
        let leaving = window.firstIndex { $0.time >= newest.time - DeviceTrack.memory } ?? window.count
        guard leaving > 0 else { return }
        var state = base ?? TrackState(criteria: criteria)
        state.fold(window, count: leaving)
        base = state
        window.removeFirst(leaving)
    }
}
