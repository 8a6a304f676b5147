package import PromisedDomain
package import PromisedProtocol

extension Report {
    /// A report as sent by a phone. Its fixes are not validated, because each is accepted or refused individually.
    ///
    /// - Parameters:
    ///   - device: the connection's device and boot.
    ///   - syncs: the device's `syncClock` exchanges of the last 10 minutes, oldest first.
    ///   - receivedAt: when the frame arrived; nil for when the session processes it.
    /// - Throws: ``WireError/invalid(field:)`` without fixes, with more than 200, and for an invalid sending clock.
    package init(
        _ wire: WireReport,
        device: DeviceKey,
        syncs: [ClockSync] = [],
        receivedAt: Instant? = nil
    ) throws(WireError) {
        guard (1...Report.fixLimit).contains(wire.fixes.count) else { throw .invalid(field: "fixes") }
        let sent = try ClockReadings(
            uptimeMs: wire.hasUptimeMs ? wire.uptimeMs : nil,
            wallMs: wire.hasSentAt ? wire.sentAt.readingMs : nil,
            wallField: "sentAt"
        )
        let fixes = wire.fixes.map(Fix.init)
        self.init(device: device, fixes: fixes, sent: sent, syncs: syncs, receivedAt: receivedAt)
    }
}

extension ClockReadings {
    /// The clocks of a `syncClock`. Throws ``WireError/invalid(field:)`` for an invalid clock.
    package init(_ wire: WireSyncClock) throws(WireError) {
        try self.init(
            uptimeMs: wire.hasUptimeMs ? wire.uptimeMs : nil,
            wallMs: wire.hasClientTimeMs ? wire.clientTimeMs : nil,
            wallField: "clientTimeMs"
        )
    }

    init(uptimeMs: Double?, wallMs: Double?, wallField: String) throws(WireError) {
        if let uptimeMs, !ClockReadings.isSensible(uptimeMs) { throw .invalid(field: "uptimeMs") }
        if let wallMs, !ClockReadings.isSensible(wallMs) { throw .invalid(field: wallField) }
        self.init(uptimeMs: uptimeMs, wallMs: wallMs)
    }
}

extension WireClock {
    /// The reply to a `syncClock`: its own readings, and the server's clock at receipt and at sending.
    package init(_ request: WireSyncClock, receivedAt: Instant, sentAt: Instant) {
        self.init()
        if request.hasUptimeMs { uptimeMs = request.uptimeMs }
        if request.hasClientTimeMs { clientTimeMs = request.clientTimeMs }
        self.receivedAt = WireTimestamp(receivedAt)
        self.sentAt = WireTimestamp(sentAt)
    }
}

extension WireReported {
    /// The reply to a report.
    package init(_ receipt: ReportReceipt) {
        self.init()
        taken = receipt.taken
        rejected = receipt.rejected.map { rejection in
            var wire = WireRejectedFix()
            wire.seq = rejection.seq
            wire.code = ErrorCode(rejection.reason).rawValue
            return wire
        }
        nextReportMs = TimeSpan.wireMs(receipt.nextReport)
    }
}
