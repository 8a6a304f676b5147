extension SessionMachine {
    /// Processes a report: throws a refusal of the whole report; refusals of single fixes are in the receipt. Throws
    /// `promiseNotFound` (a stranger), `positionNotAccepted`, `positionSharingOff`, `positionOutsideWindow`,
    /// `tooManyFixes`.
    mutating func receive(
        _ report: Report,
        from userID: UserID,
        at now: Instant,
        effects: inout [SessionEffect]
    ) throws(Refusal) -> ReportReceipt {
        guard let index = memberIndex[userID] else { throw .promiseNotFound }
        guard members[index].participant.membership == .accepted else { throw .positionNotAccepted }
        guard members[index].participant.isSharing else { throw .positionSharingOff }
        let receivedAt = min(report.receivedAt ?? now, now)
        let status = promise.status(at: receivedAt)
        guard !isOver, status == .tracking || status == .settling else { throw .positionOutsideWindow }
        if let wait = members[index].allowance.take(report.fixes.count, of: reporting.limits, at: now) {
            throw .tooManyFixes(retryAfter: wait)
        }

        var receipt = ReportReceipt()
        members[index].isOnline = true
        let place = members[index].deviceIndex(of: report.device, criteria: reporting.criteria, at: now)
        let fixes = settle(report, device: place, of: index, receipt: &receipt, at: receivedAt)
        if !fixes.isEmpty {
            effects.append(.archive(fixes.map { ArchivedFix(userID: userID, device: report.device, fix: $0) }))
            apply(fixes, device: place, of: index, status: status, at: now, effects: &effects)
        }
        receipt.nextReport = nextReport(ofMemberAt: index, userID, at: now)
        if !fixes.isEmpty { members[index].live.dueAt = receipt.nextReport.map { now + $0 } }
        return receipt
    }

    /// The time from `now` to a participant's next report; nil when they may stop: window over or arrival confirmed.
    package func nextReport(for userID: UserID, at now: Instant) -> TimeSpan? {
        nextReport(ofMemberAt: memberIndex[userID], userID, at: now)
    }

    private func nextReport(ofMemberAt index: Int?, _ userID: UserID, at now: Instant) -> TimeSpan? {
        guard now < promise.closesAt, !isOver else { return nil }
        if board.contains(where: { $0.userID == userID && $0.arrival.stage == .confirmed }) { return nil }
        if now < promise.opensAt { return reporting.untilFirst(of: promise, after: now) }
        return reporting.untilNext(after: now, pace: index.map { members[$0].told.pace } ?? 1)
    }

    /// The new fixes of a report with their times settled, in the order of the report.
    private mutating func settle(
        _ report: Report,
        device: Int,
        of index: Int,
        receipt: inout ReportReceipt,
        at now: Instant
    ) -> [SettledFix] {
        let intake = FixIntake(window: promise.window, mock: promise.rule.mock)
        let isOutOfSync = members[index].devices[device].clock.observe(syncs: report.syncs)
        let isMoved = members[index].devices[device].clock.observe(report.sent, at: now)
        receipt.showsMovedClock = isOutOfSync || isMoved
        members[index].devices[device].clock.observe(report.fixes, sent: report.sent, at: now)
        let clock = members[index].devices[device].clock
        var settled: [SettledFix] = []
        let newest = members.inPlace(index) { $0.devices.inPlace(device) { $0.track.newest } }
        var spacing = FixSpacing(reporting.limits.spacing, after: newest)
        // Fixes without a clock, and those dated ahead, all get the time of receipt: only the last one is applied.
        let lastOfReceipt =
            report.fixes.count == 1
            ? nil
            : report.fixes.filter { fix in
                (try? intake.settle(fix, clock: clock, sent: report.sent, at: now))?.time == now
            }.map(\.seq).max()
        for fix in report.fixes {
            guard !members[index].devices[device].taken.contains(fix.seq) else {
                receipt.taken.append(fix.seq)
                continue
            }
            do throws(Refusal) {
                let new = try intake.settle(fix, clock: clock, sent: report.sent, at: now)
                if new.time == now, let lastOfReceipt, fix.seq < lastOfReceipt {
                    receipt.taken.append(fix.seq)
                    continue
                }
                let isCrowded = spacing.isCrowded(new.time) {
                    (members[index].devices[device].track.held + settled).map(\.time)
                }
                if !isCrowded {
                    guard members[index].keepsOneMore(of: reporting.limits.kept) else { throw .positionLimit }
                    members[index].devices[device].taken.insert(fix.seq)
                    settled.append(new)
                }
                receipt.taken.append(fix.seq)
            } catch {
                receipt.rejected.append(ReportReceipt.Rejection(seq: fix.seq, reason: error))
                let refused = RefusedFix(device: report.device, seq: fix.seq, receivedAt: now, reason: error)
                members[index].remember(refused)
            }
        }
        return settled
    }

    private mutating func apply(
        _ fixes: [SettledFix],
        device: Int,
        of index: Int,
        status: PromiseStatus,
        at now: Instant,
        effects: inout [SessionEffect]
    ) {
        let insertion = members[index].devices[device].track.insert(fixes, holding: reporting.limits.held)
        members[index].live.lastSeenAt = now
        clearTrouble(of: index)
        updateLive(at: index)
        if status == .tracking, members[index].hasMoved {
            effects.append(.positionsChanged(isComplete: isCollectionComplete()))
        }
        noteWay(fixes, ofDevice: device, of: index, insertion, at: now)
        if status == .tracking { tellInaccuracy(of: fixes, ofMemberAt: index, at: now, effects: &effects) }
        switch insertion {
        case .extended:
            // The clock's changes are complete for all members, and only this member's arrival can have changed.
            guard isArrivalNews(of: index, at: now) else { return }
            let isLate = fixes.contains { !$0.isLive }
            reconcileArrivals(
                at: now,
                cause: isLate ? .backfill : .arrival,
                retraction: isLate ? .backfill : nil
            )
        case .rerun: reconcileArrivals(at: now, cause: .backfill, retraction: .backfill)
        case .needsRecall: wantRecall(ofDevice: device, of: index, at: now)
        }
    }

    /// Notifies a participant without an arrival once that their positions near the place cannot count.
    private mutating func tellInaccuracy(
        of fixes: [SettledFix],
        ofMemberAt index: Int,
        at now: Instant,
        effects: inout [SessionEffect]
    ) {
        for fix in fixes {
            guard let error = members[index].inaccuracy.note(fix, under: reporting.criteria),
                !members.inPlace(index, { $0.hasArrival(at: now) })
            else { continue }
            members[index].inaccuracy.noteTold()
            let limit = reporting.criteria.usableErrorMetres
            let userID = members[index].participant.userID
            effects.append(.tell(.cannotCount(userID, errorMetres: error, limitMetres: limit)))
        }
    }

    private mutating func isArrivalNews(of index: Int, at now: Instant) -> Bool {
        let arrival = members.inPlace(index) { $0.hasArrival(at: now) ? $0.arrival(at: now) : nil }
        if board.isEmpty { return arrival != nil }
        let userID = members[index].participant.userID
        return arrival != board.first { $0.userID == userID }?.arrival
    }

    /// A reported position shows that the phone has both a fix and the permission.
    private mutating func clearTrouble(of index: Int) {
        switch members[index].live.trouble {
        case .noFix, .permission, .offline: members[index].live.trouble = .none
        case .none, .paused, .lowBattery: break
        }
    }

    /// Updates a member's live state from the tracks.
    mutating func updateLive(at index: Int) {
        if members[index].updateLive(placeAt: promise.place.coordinate) { reporting.noteMovement() }
    }
}
