/// The data to judge a device's fixes anew: when one arrives that is older than the held ones (domain §6.6), and when its
/// owner may have come together with somebody (domain §6.4).
package struct Recall: Hashable, Sendable {
    /// How long a report may have waited in a queue: fixes that arrived that much earlier may not be archived yet.
    private static let longestWait = TimeSpan.minutes(1)

    /// The participant.
    package let userID: UserID
    /// The device.
    package let device: DeviceKey
    /// When it was requested, on the server's clock.
    let askedAt: Instant
    /// Fixes received before this do not count; nil: all do.
    package let countsFrom: Instant?
    let criteria: ArrivalCriteria
    let limits: FixLimits
    /// The credited time of the arrival whose way is asked for; nil if it is not.
    package internal(set) var wayTo: Instant?

    /// The times of the fixes that tell with whom somebody came who is credited at an instant, in any pair: from
    /// 480 s before to 60 s after it.
    static func way(to creditedAt: Instant) -> ClosedRange<Instant> {
        let reach = CameTogether.longestBetween + CameTogether.approach + CameTogether.longestGap
        return creditedAt - reach...creditedAt + CameTogether.longestGap
    }

    /// Begins to judge the device's stored fixes. Takes some milliseconds for each ten thousand, so do it off the
    /// session's thread.
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

/// Judges the stored fixes of a device while they are read: holds no more of them than those of the last two minutes
/// and the latest part.
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

    /// Takes the next of the fixes that count: sorted, after all before them, each number once.
    package mutating func take(_ counted: [SettledFix]) {
        for fix in counted where fix.receivedAt >= openSince { recent.insert(fix.seq) }
        guard let span else { return fold.append(counted) }
        var way = way
        fold.append(counted) { way.append($0, $1, within: span) }
        self.way = way
    }

    /// The state of all fixes taken.
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
    /// The way that was asked for; empty if none was.
    let way: ArrivalWay
    /// The recall may have missed fixes received from this instant on.
    fileprivate let openSince: Instant
    /// The numbers of those that it did not miss.
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
