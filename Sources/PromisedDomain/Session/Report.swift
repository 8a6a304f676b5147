/// A phone's message, sent about every five seconds.
package struct Report: Hashable, Sendable {
    /// The most fixes in one report.
    package static let fixLimit = 200

    /// The device that made the fixes.
    package var device: DeviceKey
    /// 1–200 fixes in any order.
    package var fixes: [Fix]
    /// The device's clocks at the time of sending.
    package var sent: ClockReadings
    /// The results of `syncClock` for this device's clocks in the last 10 minutes, oldest first; repeats are allowed.
    package var syncs: [ClockSync]
    /// When the server received it, which may be before it is processed; nil: when it is processed.
    package var receivedAt: Instant?

    /// A report of a device.
    package init(
        device: DeviceKey,
        fixes: [Fix],
        sent: ClockReadings = ClockReadings(),
        syncs: [ClockSync] = [],
        receivedAt: Instant? = nil
    ) {
        self.device = device
        self.fixes = fixes
        self.sent = sent
        self.syncs = syncs
        self.receivedAt = receivedAt
    }
}

/// The server's reply to a report.
package struct ReportReceipt: Hashable, Sendable {
    /// A rejected fix and the reason.
    package struct Rejection: Hashable, Sendable {
        /// The phone's sequence number of the fix.
        package var seq: UInt32
        /// One of the refusals of positions.
        package var reason: Refusal

        /// The fix `seq`, refused for a reason.
        package init(seq: UInt32, reason: Refusal) {
            self.seq = seq
            self.reason = reason
        }
    }

    /// The accepted numbers, repeats included, in the order of the report.
    package var taken: [UInt32]
    /// The rejected fixes, in the order of the report.
    package var rejected: [Rejection]
    /// The time from now to the next report; nil: stop reporting.
    package var nextReport: TimeSpan?
    /// `true` if the report shows that a clock of the device was moved; not sent to the client.
    package var showsMovedClock = false

    package init(taken: [UInt32] = [], rejected: [Rejection] = [], nextReport: TimeSpan? = nil) {
        self.taken = taken
        self.rejected = rejected
        self.nextReport = nextReport
    }
}
