extension SessionMachine {
    /// The latest instant up to which the archive is proven to be complete: it contains all earlier changes of the
    /// clock.
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

    /// Rebuilds the tracks of all devices from the stored fixes, the same way a recall does.
    mutating func restore(_ snapshot: SessionSnapshot) {
        guard !isOver else { return }
        pairs.restore(snapshot.nudges)
        for (userID, arrival) in snapshot.arrivals {
            guard let index = memberIndex[userID] else { continue }
            members[index].checkIn = arrival.checkIn
            if arrival.isDecidedByFormerRule { members[index].former = arrival }
        }
        for (userID, person) in folded(snapshot).people {
            if let index = memberIndex[userID] { restore(index, from: person) }
        }
        reporting.takeMovement()
        for index in members.indices { members[index].hasMoved = false }
    }

    private func folded(_ snapshot: SessionSnapshot) -> KeptFixes {
        if let kept = snapshot.kept { return kept }
        var kept = KeptFixes(of: snapshot, limits: reporting.limits)
        kept.fold(snapshot.fixes)
        for userID in kept.late { kept.refold(userID, from: snapshot.fixes.filter { $0.userID == userID }) }
        return kept
    }

    private mutating func restore(_ index: Int, from person: KeptFixes.Person) {
        members[index].keptCount = person.count
        guard person.count > 0, let devices = person.devices else { return }
        members[index].countsFrom = person.countsFrom ?? SessionMachine.onlyAcceptance(of: members[index], by: person)
        for kept in devices {
            var device = SessionMember.Device(key: kept.key, track: kept.track)
            device.taken = kept.taken
            if kept.isClockMoved { device.clock.noteMoved() }
            members[index].devices.append(device)
        }
        guard members[index].participant.isSharing, members[index].participant.membership == .accepted else { return }
        members[index].live = person.live
        members[index].live.lastSeenAt = person.lastSeenAt
        members[index].live.dueAt = person.lastSeenAt.map { $0 + slot.untilNext(after: $0) }
        if let first = person.firstShown {
            members[index].live.departureDistanceMetres = first.coordinate.distanceMetres(to: promise.place.coordinate)
        }
        let held = members[index].devices.flatMap(\.track.held).filter { $0.isSince(person.showsFrom) }
        restoreApproach(of: index, from: held.sorted())
        updateLive(at: index)
    }

    /// When a member was accepted who has no earlier fix, so that they were not shown before or have rejoined. Nil for
    /// others.
    private static func onlyAcceptance(of member: SessionMember, by person: KeptFixes.Person) -> Instant? {
        guard let acceptedAt = member.participant.acceptedAt, let first = person.firstReceivedAt else { return nil }
        return first >= acceptedAt ? acceptedAt : nil
    }

    /// The distances of the last two minutes, except the latest, which is added like any new one.
    private mutating func restoreApproach(of index: Int, from fixes: [SettledFix]) {
        guard let latest = members[index].latest else { return }
        let centre = promise.place.coordinate
        for fix in fixes where fix.time < latest.time && latest.time - fix.time <= ApproachTrack.memory {
            members[index].live.approach.append(distanceMetres: fix.coordinate.distanceMetres(to: centre), at: fix.time)
        }
    }
}
