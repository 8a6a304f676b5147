/// A participant with everything a session keeps of them.
struct SessionMember: Sendable {
    /// One device and boot.
    struct Device: Sendable {
        let key: DeviceKey
        var clock = DeviceClock()
        var taken = SequenceSet()
        var track: DeviceTrack
        @BoxedOptional var recall: RecallState? = nil

        /// Whether fixes are not judged yet.
        var isAwaitingRecall: Bool { recall.map { $0.isUnderWay || $0.isWanted } ?? false }
    }

    /// The state of a device's recalls.
    struct RecallState: Hashable, Sendable {
        /// When the last was asked for; nil: none.
        var askedAt: Instant?
        /// Whether that is not answered yet.
        var isUnderWay = false
        /// Whether another is to follow.
        var isWanted = true
    }

    /// The last values told to the others, so that only news is told.
    struct Told: Sendable {
        var freshness = Freshness.lost
        var cause = PresenceCause.none
        var estimate: ArrivalEstimate?
        var estimateAt: Instant?
        /// The estimate sent with the last position that had one.
        var sentEstimate: ArrivalEstimate?
        /// Every how many slots to report; 0: not at all.
        var pace: Int64 = 1
    }

    var participant: Participant
    /// Their place in the session, for outboxes.
    let lane: Int
    /// In order of appearance; nearly always one.
    var devices: [Device] = []
    @BoxedOptional var checkIn: Arrival.CheckIn? = nil
    /// A confirmed arrival that an earlier version of the rule decided: it stays as it is (domain §6.8).
    @BoxedOptional var former: Arrival? = nil
    /// Fixes received before this no longer count: they had left without an arrival, and came back. Nil: all count.
    var countsFrom: Instant?
    var live = LiveState()
    var told = Told()
    /// The last of their fixes that were not taken, oldest first.
    var refused: [RefusedFix] = []
    /// Whether their positions near the place are too inaccurate to count.
    var inaccuracy = InaccuracyWatch()
    /// Whether their position has changed since the last collection.
    var hasMoved = false
    /// Whether any connection of theirs is known.
    var isOnline = false
    /// How many fixes they may still report.
    var allowance = FixAllowance()
    /// How many of their fixes are kept, of all devices there ever were.
    var keptCount = 0

    /// The most devices and boots that are kept: a phone that is reinstalled is never locked out, and a client that
    /// makes devices up costs no more than this.
    static let deviceLimit = 16

    /// The index of a device, made when it is new.
    ///
    /// Beyond ``deviceLimit`` the one that appeared first goes, except one that an arrival rests on. The one that takes its
    /// place waits for its first recall as if it had just had one: a client that keeps making up devices gets no
    /// more recalls than its devices may have at a time.
    mutating func deviceIndex(of key: DeviceKey, criteria: ArrivalCriteria, at now: Instant) -> Int {
        if let index = devices.firstIndex(where: { $0.key == key }) { return index }
        var device = Device(key: key, track: DeviceTrack(criteria: criteria))
        if devices.count >= SessionMember.deviceLimit {
            let standing = arrival(at: now)?.evidence?.device
            devices.remove(at: devices.firstIndex { $0.key != standing } ?? 0)
            device.recall = RecallState(askedAt: now, isWanted: false)
        }
        devices.append(device)
        return devices.count - 1
    }

    /// Whether there is an arrival as of `now`. Mutating like all that looks at devices where they lie, though nothing
    /// changes.
    mutating func hasArrival(at now: Instant) -> Bool {
        if !$checkIn.isNil || !$former.isNil { return true }
        for index in devices.indices where devices.inPlace(index, { $0.track.hasArrival(at: now) }) { return true }
        return false
    }

    /// The arrival as of `now`: of several devices the first to be provisional counts (domain §5).
    func arrival(at now: Instant) -> Arrival? {
        if let former { return former.with(checkIn) }
        // Mostly there is none, and to go over the devices themselves is to copy each.
        guard !$checkIn.isNil || devices.contains(where: { $0.track.hasArrival(at: now) }) else { return nil }
        var first: (detection: ArrivalDetector.Detection, device: DeviceKey)?
        for device in devices {
            guard let found = device.track.arrival(at: now) else { continue }
            if first.map({ found.provisionalAt < $0.detection.provisionalAt }) ?? true { first = (found, device.key) }
        }
        return Arrival(detection: first?.detection, device: first?.device, checkIn: checkIn)
    }

    /// The last arrival that was taken back as of `now`, of any device; nil if none was.
    func retraction(at now: Instant) -> ArrivalDetector.Retraction? {
        devices.compactMap { $0.track.retraction(at: now) }.max { $0.at < $1.at }
    }

    /// The next instant after `now` at which the clock alone changes ``arrival(at:)``.
    mutating func nextChange(after now: Instant) -> Instant? {
        guard $former.isNil else { return nil }
        var next: Instant?
        for index in devices.indices {
            guard let change = devices.inPlace(index, { $0.track.nextChange(after: now) }) else { continue }
            next = min(next ?? change, change)
        }
        return next
    }

    /// Whether the collection waits for them: they are expected to report in each slot, and have not moved.
    var isWaitedFor: Bool {
        !hasMoved && isOnline && participant.isSharing && told.pace == 1 && participant.membership == .accepted
    }

    /// Whether a recall of one of their devices is under way.
    var isAwaitingRecall: Bool { devices.contains { $0.isAwaitingRecall } }
    var latest: SettledFix? { devices.lazy.compactMap(\.track.latest).max { $0.time < $1.time } }
    var departure: Waypoint? { devices.lazy.compactMap(\.track.departure).min { $0.time < $1.time } }

    /// Counts a fix that is to be kept, unless there are as many as may be.
    mutating func keepsOneMore(of limit: Int) -> Bool {
        guard keptCount < limit else { return false }
        keptCount += 1
        return true
    }

    /// Where they were before this is not shown: they were not in yet, or paused.
    var showsFrom: Instant {
        let beginning = Instant(milliseconds: .min)
        return max(participant.sharesFrom ?? beginning, participant.acceptedAt ?? beginning)
    }

    mutating func remember(_ fix: RefusedFix) {
        if refused.count == RefusedFix.memory { refused.removeFirst() }
        refused.append(fix)
    }

    /// Forgets where they are: nothing of it may be seen any more. Whether they are connected stays known.
    mutating func forgetWhereabouts() {
        live = LiveState()
        told = Told()
    }
}

extension Array {
    /// Calls `body` with the element where it lies. Questions that go through it count as mutations.
    ///
    /// A plain subscript copies the element to look at it, as do `span[index]` and a borrowing closure: with Swift 6.3.1 a
    /// report to a session of ten costs the session 21,300 instructions by `span` and 16,500 by this.
    @inline(__always)
    mutating func inPlace<Result>(_ index: Int, _ body: (inout Element) -> Result) -> Result { body(&self[index]) }
}
