/// Decides on receipt whether a fix counts and what its time is (domain §5); the decision is never revised.
package struct FixIntake: Sendable {
    /// Fixes dated up to this far ahead of the server keep their time.
    package static let tolerableLead = TimeSpan.seconds(5)

    /// The instants at which fixes count.
    package var window: Range<Instant>
    /// How to treat simulated positions.
    package var mock: ArrivalRule.MockPolicy

    package init(window: Range<Instant>, mock: ArrivalRule.MockPolicy) {
        self.window = window
        self.mock = mock
    }

    /// The fix with its time settled. Throws `positionInvalid`, `positionMock`, `positionInFuture` or
    /// `positionOutsideWindow`.
    package func settle(
        _ fix: Fix,
        clock: DeviceClock,
        sent: ClockReadings,
        at now: Instant
    ) throws(Refusal) -> SettledFix {
        guard fix.isPlausible else { throw .positionInvalid }
        if fix.isMock, mock == .reject { throw .positionMock }
        let date = clock.date(of: fix, sent: sent, at: now)
        var time = date.time
        let lead = time - now
        if lead > Fix.largestLead { throw .positionInFuture }
        if lead > FixIntake.tolerableLead { time = now }
        guard window.contains(time) else { throw .positionOutsideWindow }
        return SettledFix(
            seq: fix.seq,
            coordinate: fix.coordinate,
            accuracyMetres: fix.accuracyMetres,
            speedMps: fix.speedMps.flatMap { $0 >= 0 ? $0 : nil },
            time: time,
            receivedAt: now,
            isMock: fix.isMock,
            isClockMoved: clock.wasMoved,
            isOfOtherClock: date.isOfOtherClock
        )
    }
}

/// A refused fix, for the explanation of an arrival (domain §6.9). Its position is not stored.
package struct RefusedFix: Hashable, Sendable {
    package var device: DeviceKey
    /// The phone's sequence number of the fix.
    package var seq: UInt32
    /// When it was received.
    package var receivedAt: Instant
    package var reason: Refusal

    package init(device: DeviceKey, seq: UInt32, receivedAt: Instant, reason: Refusal) {
        self.device = device
        self.seq = seq
        self.receivedAt = receivedAt
        self.reason = reason
    }

    /// The number of refused fixes stored per participant, the newest; a restart drops them.
    static let memory = 100
}
