/// A participant with all data of a session about them.
struct SessionMember: Sendable {
    struct Device: Sendable {
        let key: DeviceKey
        var clock = DeviceClock()
        var taken = SequenceSet()
        var track: DeviceTrack
        @BoxedOptional var recall: RecallState? = nil

        /// `true` if the device has unjudged fixes.
        var isAwaitingRecall: Bool { recall.map { $0.isUnderWay || $0.isWanted } ?? false }
    }

    /// The state of a device's recalls.
    struct RecallState: Hashable, Sendable {
        /// When the last recall was requested; nil without one.
        var askedAt: Instant?
        /// `true` while the last recall is unanswered.
        var isUnderWay = false
        /// `true` if another recall is needed.
        var isWanted = true
    }

    /// The last values sent to the others, so that only changes are sent.
    struct Told: Sendable {
        var freshness = Freshness.lost
        var cause = PresenceCause.none
        var estimate: ArrivalEstimate?
        var estimateAt: Instant?
        /// The estimate sent with the last position that had one.
        var sentEstimate: ArrivalEstimate?
        /// The number of slots between reports; 0: do not report.
        var pace: Int64 = 1
    }

    var participant: Participant
    /// The member's position in the session, for outboxes.
    let lane: Int
    /// In order of appearance; nearly always one.
    var devices: [Device] = []
    @BoxedOptional var checkIn: Arrival.CheckIn? = nil
    /// A confirmed arrival that an earlier version of the rule decided: it never changes (domain §6.8).
    @BoxedOptional var former: Arrival? = nil
    /// Fixes received before this no longer count: the participant had left without an arrival and rejoined. Nil: all
    /// count.
    var countsFrom: Instant?
    var live = LiveState()
    var told = Told()
    /// The last rejected fixes of the participant, oldest first.
    var refused: [RefusedFix] = []
    /// Detects that positions near the place are too inaccurate to count.
    var inaccuracy = InaccuracyWatch()
    /// `true` if the position has changed since the last collection.
    var hasMoved = false
    /// `true` if the participant has any known connection.
    var isOnline = false
    /// The rate limit of the participant's fixes.
    var allowance = FixAllowance()
    /// The number of stored fixes of the participant, of all devices ever seen.
    var keptCount = 0

    /// The most devices and boots per participant: a reinstalled phone is never locked out, and a client that invents
    /// devices is bounded by this.
    static let deviceLimit = 16

    /// The index of a device, which is added if it is new.
    ///
    /// When ``deviceLimit`` is exceeded, removes the oldest device, unless an arrival depends on it. The new device
    /// waits for its first recall as if it had just had one: a client that keeps inventing devices gets no more recalls
    /// than ``deviceLimit`` devices.
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

    /// `true` if there is an arrival as of `now`. Mutating, like all queries that evaluate devices in place, although
    /// nothing changes.
    mutating func hasArrival(at now: Instant) -> Bool {
        if !$checkIn.isNil || !$former.isNil { return true }
        for index in devices.indices where devices.inPlace(index, { $0.track.hasArrival(at: now) }) { return true }
        return false
    }

    /// The arrival as of `now`: of several devices the first provisional one counts (domain §5).
    func arrival(at now: Instant) -> Arrival? {
        if let former { return former.with(checkIn) }
        // Usually there is none, and iterating over the devices would copy each of them.
        guard !$checkIn.isNil || devices.contains(where: { $0.track.hasArrival(at: now) }) else { return nil }
        var first: (detection: ArrivalDetector.Detection, device: DeviceKey)?
        for device in devices {
            guard let found = device.track.arrival(at: now) else { continue }
            if first.map({ found.provisionalAt < $0.detection.provisionalAt }) ?? true { first = (found, device.key) }
        }
        return Arrival(detection: first?.detection, device: first?.device, checkIn: checkIn)
    }

    /// The last retracted arrival as of `now`, of any device; nil if none.
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

    /// `true` if the collection waits for the member: a report is expected in each slot, and the position has not
    /// changed yet.
    var isWaitedFor: Bool {
        !hasMoved && isOnline && participant.isSharing && told.pace == 1 && participant.membership == .accepted
    }

    /// `true` if a recall of one of the devices is under way.
    var isAwaitingRecall: Bool { devices.contains { $0.isAwaitingRecall } }
    var latest: SettledFix? { devices.lazy.compactMap(\.track.latest).max { $0.time < $1.time } }
    var departure: Waypoint? { devices.lazy.compactMap(\.track.departure).min { $0.time < $1.time } }

    /// Counts a fix to be stored, unless the limit is reached.
    mutating func keepsOneMore(of limit: Int) -> Bool {
        guard keptCount < limit else { return false }
        keptCount += 1
        return true
    }

    /// Positions from before this are not shown: the participant was not accepted yet, or had paused.
    var showsFrom: Instant {
        let beginning = Instant(milliseconds: .min)
        return max(participant.sharesFrom ?? beginning, participant.acceptedAt ?? beginning)
    }

    mutating func remember(_ fix: RefusedFix) {
        if refused.count == RefusedFix.memory { refused.removeFirst() }
        refused.append(fix)
    }

    /// Clears the position, so that it is never shown again. The connection state remains.
    mutating func forgetWhereabouts() {
        live = LiveState()
        told = Told()
    }
}

extension Array {
    /// Calls `body` with the element in place. Queries that use it must be mutating.
    ///
    /// A plain subscript copies the element to read it, as do `span[index]` and a borrowing closure: with Swift 6.3.1 a
    /// report to a session of ten costs the session 21,300 instructions by `span` and 16,500 by this.
    @inline(__always)
    mutating func inPlace<Result>(_ index: Int, _ body: (inout Element) -> Result) -> Result { body(&self[index]) }
}
