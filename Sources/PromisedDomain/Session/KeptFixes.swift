/// The stored fixes of a promise, folded while they are read, to restore a session from them: memory holds at most as
/// many fixes as a session.
///
/// They are folded in the order in which they were written, which is that of their receipt. If one is older than those
/// still held of its device, all fixes of that participant must be read again: see ``late``.
package struct KeptFixes: Hashable, Sendable {
    /// One device and boot.
    struct Device: Hashable, Sendable {
        let key: DeviceKey
        var track: DeviceTrack
        var taken = SequenceSet()
        var isClockMoved = false
    }

    /// The stored fixes of one participant.
    struct Person: Hashable, Sendable {
        /// Nil if the participant's fixes are no longer relevant.
        var devices: [Device]?
        /// The number of stored fixes.
        var count = 0
        let countsFrom: Instant?
        /// When the participant's first fix was received.
        var firstReceivedAt: Instant?
        let showsFrom: Instant
        /// The device behind the current arrival.
        let standing: DeviceKey?
        /// When the last fix that may be shown was received.
        var lastSeenAt: Instant?
        var firstShown: Waypoint?
        /// The participant's movement.
        var live = LiveState()
        var shownThrough: Instant?
        var isLate = false
    }

    private(set) var people: [UserID: Person] = [:]
    private let criteria: ArrivalCriteria
    private let limit: Int

    /// An empty fold.
    ///
    /// - Parameters:
    ///   - arrivals: the current arrivals.
    ///   - limits: how many fixes are held.
    init(of promise: Promise, participants: [Participant], arrivals: [UserID: Arrival], limits: FixLimits) {
        criteria = ArrivalCriteria(promise)
        limit = limits.held
        for participant in participants {
            let arrival = arrivals[participant.userID]
            let member = SessionMember(participant: participant, lane: 0)
            // The fixes of a participant who left matter only if they had arrived (domain §8).
            let matters = participant.membership == .accepted || arrival != nil
            people[participant.userID] = Person(
                devices: matters ? [] : nil,
                countsFrom: KeptFixes.countsFrom(participant, with: arrival),
                showsFrom: member.showsFrom,
                standing: arrival?.evidence?.device
            )
        }
    }

    /// The participants of whom all fixes must be passed to ``refold(_:from:)``.
    package var late: [UserID] { people.filter { $0.value.isLate }.map(\.key).sorted() }

    /// The ``late`` participants in groups of at most `limit` fixes; a participant with more forms a group alone.
    package func lateGroups(ofAtMost limit: Int) -> [[UserID]] {
        var groups: [[UserID]] = []
        var size = 0
        for userID in late {
            let count = people[userID]?.count ?? 0
            if groups.isEmpty || size + count > limit {
                groups.append([])
                size = 0
            }
            groups[groups.count - 1].append(userID)
            size += count
        }
        return groups
    }

    /// The number of fixes in memory.
    package var heldCount: Int {
        people.values.reduce(0) { $0 + ($1.devices ?? []).reduce(0) { $0 + $1.track.heldCount } }
    }

    /// Folds more fixes, in the order in which they were written.
    package mutating func fold(_ fixes: [ArchivedFix]) {
        var rest = fixes[...]
        while let first = rest.first {
            let group = rest.prefix { $0.userID == first.userID && $0.device == first.device }
            rest = rest.dropFirst(group.count)
            people[first.userID]?.fold(group.map(\.fix), of: first.device, criteria: criteria, limit: limit)
        }
    }

    /// Judges the devices of a participant again.
    ///
    /// - Parameter fixes: all stored fixes of the participant, in any order.
    package mutating func refold(_ userID: UserID, from fixes: [ArchivedFix]) {
        people[userID]?.refold(fixes, limit: limit)
    }

    /// When the fixes of a participant begin to count: one who left without an arrival and rejoined starts over; one
    /// with an arrival keeps it.
    private static func countsFrom(_ participant: Participant, with arrival: Arrival?) -> Instant? {
        guard let acceptedAt = participant.acceptedAt else { return nil }
        if let arrived = arrival?.evidence?.provisionalAt, arrived < acceptedAt { return nil }
        return acceptedAt
    }
}

extension KeptFixes.Person {
    fileprivate mutating func fold(_ fixes: [SettledFix], of device: DeviceKey, criteria: ArrivalCriteria, limit: Int) {
        count += fixes.count
        for fix in fixes { firstReceivedAt = min(firstReceivedAt ?? fix.receivedAt, fix.receivedAt) }
        let counted = counted(fixes)
        guard devices != nil, !counted.isEmpty else { return }
        let index = index(of: device, criteria: criteria)
        devices?[index].take(counted, limit: limit)
        if devices?[index].track.isAwaitingRecall == true { isLate = true }
        for fix in counted.sorted() where fix.isSince(showsFrom) { show(fix) }
    }

    fileprivate mutating func refold(_ fixes: [ArchivedFix], limit: Int) {
        isLate = false
        guard var judged = devices else { return }
        for index in judged.indices where judged[index].track.isAwaitingRecall {
            let key = judged[index].key
            let mine = counted(fixes.filter { $0.device == key }.map(\.fix))
            judged[index].track.rebuild(from: mine, holding: limit)
        }
        devices = judged
    }

    private func counted(_ fixes: [SettledFix]) -> [SettledFix] {
        guard let countsFrom else { return fixes }
        return fixes.filter { $0.receivedAt >= countsFrom }
    }

    /// Like a session: beyond the limit, removes the oldest device, unless an arrival depends on it.
    private mutating func index(of key: DeviceKey, criteria: ArrivalCriteria) -> Int {
        var known = devices ?? []
        if let index = known.firstIndex(where: { $0.key == key }) { return index }
        if known.count >= SessionMember.deviceLimit { known.remove(at: known.firstIndex { $0.key != standing } ?? 0) }
        known.append(KeptFixes.Device(key: key, track: DeviceTrack(criteria: criteria)))
        devices = known
        return known.count - 1
    }

    private mutating func show(_ fix: SettledFix) {
        lastSeenAt = max(lastSeenAt ?? fix.receivedAt, fix.receivedAt)
        if firstShown.map({ fix.time < $0.time }) ?? true { firstShown = Waypoint(fix) }
        if let shownThrough, fix.time < shownThrough { return }
        shownThrough = fix.time
        live.noteMovement(to: fix)
    }
}

extension KeptFixes.Device {
    fileprivate mutating func take(_ fixes: [SettledFix], limit: Int) {
        for fix in fixes {
            taken.insert(fix.seq)
            if fix.isClockMoved { isClockMoved = true }
        }
        _ = track.insert(fixes, holding: limit)
    }
}
