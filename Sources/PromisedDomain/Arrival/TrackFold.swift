/// Folds all fixes of one device, added in order and in parts, and holds those of the last minutes.
struct TrackFold: Hashable, Sendable {
    let criteria: ArrivalCriteria
    private let memory: TimeSpan
    /// The folded state of the fixes before ``window``; nil while there are none.
    private(set) var base: TrackState?
    /// The fixes of the last minutes, in order.
    private(set) var window: [SettledFix] = []

    /// An empty fold.
    ///
    /// - Parameter memory: how long fixes stay in the window, counted back from the newest; longer than
    ///   ``TrackState/coverage``.
    init(criteria: ArrivalCriteria, memory: TimeSpan) {
        self.criteria = criteria
        self.memory = memory
    }

    /// Folds the next fixes: sorted and later than all previous ones. Calls `verdict` for fixes that leave the window.
    ///
    /// A live fix that may cover a late one lies at most 15 s after it. So it is in the window when the late one
    /// leaves, or does not exist.
    mutating func append(_ fixes: [SettledFix], verdict: (SettledFix, FixVerdict) -> Void = { _, _ in }) {
        for start in stride(from: 0, to: fixes.count, by: TrackFold.step) {
            window += fixes[start..<min(start + TrackFold.step, fixes.count)]
            leave(verdict: verdict)
        }
    }

    /// Folds the window too, for the verdicts on its fixes.
    func end(verdict: (SettledFix, FixVerdict) -> Void) {
        var state = base ?? TrackState(criteria: criteria)
        state.fold(window, count: window.count, verdict: verdict)
    }

    private mutating func leave(verdict: (SettledFix, FixVerdict) -> Void) {
        guard let newest = window.last else { return }
        let leaving = window.firstIndex { $0.time >= newest.time - memory } ?? window.count
        guard leaving > 0 else { return }
        var state = base ?? TrackState(criteria: criteria)
        state.fold(window, count: leaving, verdict: verdict)
        base = state
        window.removeFirst(leaving)
    }

    /// The number of fixes added before old ones are removed from the window.
    private static let step = 512
}
