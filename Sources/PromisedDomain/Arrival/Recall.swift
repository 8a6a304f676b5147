/// The data for judging a device's fixes again: after a fix older than the held ones (domain §6.6), or when its owner
/// may have come together with another participant (domain §6.4).
package struct Recall: Hashable, Sendable {
    /// How long a report may have waited in a queue: fixes that arrived that much earlier may not be archived yet.
    private static let longestWait = TimeSpan.minutes(1)

    package let userID: UserID
    package let device: DeviceKey
    /// When the recall was requested, on the server's clock.
    let askedAt: Instant
    /// Fixes received before this are ignored; nil includes all.
    package let countsFrom: Instant?
    let criteria: ArrivalCriteria
    let limits: FixLimits
    /// The credited time of the arrival whose way is requested; nil without such a request.
    package internal(set) var wayTo: Instant?

    /// The times of the fixes that show who came together with a participant credited at an instant, in any pair: from
    /// 480 s before to 60 s after it.
    static func way(to creditedAt: Instant) -> ClosedRange<Instant> {
        let reach = CameTogether.longestBetween + CameTogether.approach + CameTogether.longestGap
        return creditedAt - reach...creditedAt + CameTogether.longestGap
    }

    /// Starts judging the device's stored fixes. Takes some milliseconds per 10,000 fixes, so run it off the session's
    /// thread.
    package func judgement() -> RecallJudgement { RecallJudgement(self, openSince: askedAt - Recall.longestWait) }

    /// Judges all stored fixes of the device, in any order and with repeats.
    package func judge(_ fixes: [SettledFix]) -> JudgedTrack {
        var judgement = judgement()
        var known = Set<UInt32>()
        let counted = countsFrom.map { start in fixes.filter { $0.receivedAt >= start } } ?? fixes
        judgement.take(counted.filter { known.insert($0.seq).inserted }.sorted())
        return judgement.end()
    }
}

/// Judges the stored fixes of a device while they are read: holds only those of the last two minutes and the latest
/// part.
package struct RecallJudgement: Sendable {
    private let recall: Recall
    private let openSince: Instant
    private var fold: TrackFold
    private var recent: Set<UInt32> = []
    private let span: ClosedRange<Instant>?
    private var way = ArrivalWay()

    fileprivate init(_ recall: Recall, openSince: Instant) {
        self.recall = recall
        self.openSince = openSince
        fold = TrackFold(criteria: recall.criteria, memory: DeviceTrack.memory)
        span = recall.wayTo.map(Recall.way)
    }

    /// Processes the next counted fixes: sorted, later than all previous ones, each number once.
    package mutating func take(_ counted: [SettledFix]) {
        for fix in counted where fix.receivedAt >= openSince { recent.insert(fix.seq) }
        guard let span else { return fold.append(counted) }
        var way = way
        fold.append(counted) { way.append($0, $1, within: span) }
        self.way = way
    }

    /// The state after all fixes.
    package func end() -> JudgedTrack {
        let track = DeviceTrack(fold, holding: recall.limits.held)
        var way = way
        if let span { fold.end { way.append($0, $1, within: span) } }
        return JudgedTrack(track: track, way: way, openSince: openSince, recent: recent, held: track.heldNumbers)
    }
}

/// The state of a device's stored fixes, as of a recall.
package struct JudgedTrack: Hashable, Sendable {
    let track: DeviceTrack
    /// The requested way; empty without a request.
    let way: ArrivalWay
    /// The recall may have missed fixes received from this instant on.
    fileprivate let openSince: Instant
    /// The numbers of the fixes since then that the recall included.
    fileprivate let recent: Set<UInt32>
    fileprivate let held: Set<UInt32>

    /// `true` if a fix was among the judged ones.
    func knows(_ fix: SettledFix) -> Bool {
        if held.contains(fix.seq) { return true }
        if fix.receivedAt >= openSince { return recent.contains(fix.seq) }
        return track.lastOrder.map { fix.order <= $0 } ?? false
    }
}

extension ArrivalWay {
    /// Adds a fix if it is accepted and lies within a span.
    fileprivate mutating func append(_ fix: SettledFix, _ verdict: FixVerdict, within span: ClosedRange<Instant>) {
        if case .accepted = verdict, span.contains(fix.time) { append(fix) }
    }
}
