/// What is needed to judge a device's fixes anew when one turns up that is older than those held (domain §6.6).
public struct Recall: Hashable, Sendable {
    /// How long a report may have waited for its turn: what came that much earlier may not have been archived.
    private static let longestWait = TimeSpan.minutes(1)

    /// Whose device.
    public let userID: UserID
    /// The device.
    public let device: DeviceKey
    /// When it was asked for, on the server's clock.
    let askedAt: Instant
    /// Fixes received before this do not count; nil: all do.
    let countsFrom: Instant?
    let criteria: ArrivalCriteria
    let limits: FixLimits

    /// Judges all fixes of the device that are kept, in any order. Takes some milliseconds for each ten thousand, so not
    /// where others wait.
    public func judge(_ fixes: [SettledFix]) -> JudgedTrack {
        let counted = countsFrom.map { start in fixes.filter { $0.receivedAt >= start } } ?? fixes
        var track = DeviceTrack(criteria: criteria)
        track.rebuild(from: counted, holding: limits.held)
        let openSince = askedAt - Recall.longestWait
        let recent = counted.lazy.filter { $0.receivedAt >= openSince }.map(\.seq)
        return JudgedTrack(track: track, openSince: openSince, recent: Set(recent), held: track.heldNumbers)
    }
}

/// What a device's fixes say that are kept, as of a recall.
public struct JudgedTrack: Hashable, Sendable {
    let track: DeviceTrack
    /// Fixes received from here on may have missed the recall.
    fileprivate let openSince: Instant
    /// The numbers of those of them that did not.
    fileprivate let recent: Set<UInt32>
    fileprivate let held: Set<UInt32>

    /// Whether a fix was among those that were judged.
    func knows(_ fix: SettledFix) -> Bool {
        if held.contains(fix.seq) { return true }
        if fix.receivedAt >= openSince { return recent.contains(fix.seq) }
        return track.lastOrder.map { fix.order <= $0 } ?? false
    }
}
