extension SessionMachine {
    /// The latest instant that the archive proves to have been worked up to: everything the clock did before is in it.
    static func lastActivity(in snapshot: SessionSnapshot) -> Instant {
        var latest = snapshot.promise.createdAt
        switch snapshot.mark {
        case .none: break
        case .opened: latest = max(latest, snapshot.promise.opensAt)
        case .met: latest = max(latest, snapshot.promise.meetsAt)
        case .late: latest = max(latest, snapshot.promise.lateFrom)
        case .closed: latest = max(latest, snapshot.promise.closesAt)
        case .final: latest = max(latest, snapshot.promise.settlesAt)
        }
        for arrival in snapshot.arrivals.values {
            for known in [arrival.evidence?.provisionalAt, arrival.evidence?.confirmedAt, arrival.checkIn?.at] {
                if let known { latest = max(latest, known) }
            }
        }
        return latest
    }

    /// Rebuilds the tracks of all devices from the fixes kept, the same way a recall does.
    mutating func restore(_ snapshot: SessionSnapshot) {
        guard !isOver else { return }
        for nudge in snapshot.nudges { nudges[NudgeRule.Pair(from: nudge.from, to: nudge.to)] = nudge.at }
        for (userID, arrival) in snapshot.arrivals {
            if let index = memberIndex[userID] { members[index].checkIn = arrival.checkIn }
        }
        var fixes: [UserID: [DeviceKey: [SettledFix]]] = [:]
        for kept in snapshot.fixes {
            fixes[kept.userID, default: [:]][kept.device, default: []].append(kept.fix)
            if let index = memberIndex[kept.userID] { members[index].keptCount += 1 }
        }
        for (userID, devices) in fixes {
            guard let index = memberIndex[userID], runs(members[index], with: snapshot.arrivals[userID]) else {
                continue
            }
            members[index].countsFrom = countsFrom(members[index], with: snapshot.arrivals[userID])
            restore(index, from: devices.mapValues { members[index].counted($0) }.filter { !$0.value.isEmpty })
        }
        hasMovement = false
        for index in members.indices { members[index].hasMoved = false }
    }

    private mutating func restore(_ index: Int, from devices: [DeviceKey: [SettledFix]]) {
        for (device, fixes) in inOrderOfAppearance(devices) {
            let place = members[index].deviceIndex(of: device, criteria: criteria, at: workedUpTo)
            for seq in fixes.map(\.seq).sorted() { members[index].devices[place].taken.insert(seq) }
            if fixes.contains(where: \.isClockMoved) { members[index].devices[place].clock.noteMoved() }
            members[index].devices[place].track.rebuild(from: fixes)
        }
        let showsFrom = members[index].showsFrom
        let all = devices.values.joined().filter { $0.time >= showsFrom }.sorted()
        members[index].live.lastSeenAt = all.lazy.map(\.receivedAt).max()
        members[index].live.dueAt = members[index].live.lastSeenAt.map { $0 + slot.untilNext(after: $0) }
        guard members[index].participant.isSharing else { return }
        if let first = all.first {
            members[index].live.departureDistanceMetres =
                first.coordinate.distanceMetres(to: promise.place.coordinate)
        }
        for fix in all { members[index].live.noteMovement(to: fix) }
        restoreApproach(of: index, from: all)
        updateLive(at: index)
    }

    /// Devices by their first fix received, as they were before the restart; by name where that is the same.
    private func inOrderOfAppearance(_ devices: [DeviceKey: [SettledFix]]) -> [(DeviceKey, [SettledFix])] {
        devices.compactMap { device, fixes in fixes.lazy.map(\.receivedAt).min().map { (device, fixes, $0) } }
            .sorted { ($0.2, $0.0.deviceID, $0.0.bootID) < ($1.2, $1.0.deviceID, $1.0.bootID) }
            .map { ($0.0, $0.1) }
    }

    /// Whoever left without an arrival and came back starts anew; whoever had one goes on with it.
    private func countsFrom(_ member: SessionMember, with arrival: Arrival?) -> Instant? {
        guard let acceptedAt = member.participant.acceptedAt else { return nil }
        if let arrived = arrival?.evidence?.provisionalAt, arrived < acceptedAt { return nil }
        return acceptedAt
    }

    /// The distances of the last two minutes, but for the latest, which counts like any other that comes.
    private mutating func restoreApproach(of index: Int, from fixes: [SettledFix]) {
        guard let latest = members[index].latest else { return }
        let centre = promise.place.coordinate
        for fix in fixes where fix.time < latest.time && latest.time - fix.time <= ApproachTrack.memory {
            members[index].live.approach.append(
                distanceMetres: fix.coordinate.distanceMetres(to: centre),
                at: fix.time
            )
        }
    }

    /// Whether the fixes of a member still matter: those of somebody who left only when they had arrived (domain §8).
    private func runs(_ member: SessionMember, with arrival: Arrival?) -> Bool {
        member.participant.membership == .accepted || arrival != nil
    }
}
