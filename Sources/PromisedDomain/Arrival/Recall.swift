/// The data to judge a device's fixes anew when one arrives that is older than the held ones (domain §6.6).
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
    let countsFrom: Instant?
    let criteria: ArrivalCriteria
    let limits: FixLimits

    /// Judges all stored fixes of the device, in any order. Takes some milliseconds for each ten thousand, so call it
    /// off the session's thread.
    package func judge(_ fixes: [SettledFix]) -> JudgedTrack {
        let counted = countsFrom.map { start in fixes.filter { $0.receivedAt >= start } } ?? fixes
        var track = DeviceTrack(criteria: criteria)
        track.rebuild(from: counted, holding: limits.held)
        let openSince = askedAt - Recall.longestWait
        let recent = counted.lazy.filter { $0.receivedAt >= openSince }.map(\.seq)
        return JudgedTrack(track: track, openSince: openSince, recent: Set(recent), held: track.heldNumbers)
    }
}

/// The state of a device's stored fixes, as of a recall.
package struct JudgedTrack: Hashable, Sendable {
    let track: DeviceTrack
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
