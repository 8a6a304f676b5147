package import PromisedDomain
package import PromisedProtocol

/// A client's frame with a report to one promise.
///
/// Nearly all frames are of this kind, so it is read without the messages of the schema in between (HowFramesLeave.md):
/// including all allocations, in 1,800 instead of 11,000 instructions in Protocol Buffers.
package struct ReportFrame: Hashable, Sendable {
    /// Echoed in the reply; 0 if none is wanted.
    package var id: UInt32
    package var promiseID: PromiseID
    /// 1–200 fixes, not validated.
    package var fixes: [Fix]
    /// The phone's clocks at the time of sending.
    package var sent: ClockReadings

    /// `true` if the client wants a reply to a successful report. An error is always sent.
    package var wantsReply: Bool { id != 0 }

    /// The report in a frame; nil if it has none, or not for a single promise, or if the frame must be refused.
    package init?(_ frame: WireClientFrame) {
        guard case .report(let report) = frame.request, report.hasPromiseID, let promise = PromiseID(report.promiseID),
            (1...Report.fixLimit).contains(report.fixes.count)
        else { return nil }
        id = frame.id
        promiseID = promise
        fixes = report.fixes.map(Fix.init)
        sent = ClockReadings(
            uptimeMs: report.hasUptimeMs ? report.uptimeMs : nil,
            wallMs: report.hasSentAt ? report.sentAt.readingMs : nil
        )
        guard isSensible else { return nil }
    }

    /// The report in a hand-decoded frame; nil if it must be refused.
    init?(id: UInt32, _ content: Content) {
        guard let promise = content.promiseID, (1...Report.fixLimit).contains(content.fixes.count) else { return nil }
        self.id = id
        promiseID = promise
        fixes = content.fixes
        sent = content.sent
        guard isSensible else { return nil }
    }

    private var isSensible: Bool {
        sent.uptimeMs.map(ClockReadings.isSensible) ?? true && sent.wallMs.map(ClockReadings.isSensible) ?? true
    }

    /// `Report` of the schema.
    struct Content {
        var promiseID: PromiseID?
        var fixes: [Fix] = []
        var sent = ClockReadings()
    }
}

extension WireCodec {
    /// Decodes a client's frame with a plain report, fast. Equals the result of ``decodeClientFrame(_:)``; nil for all
    /// other frames, valid or not: then use that.
    package func decodeReport(_ bytes: [UInt8]) -> ReportFrame? {
        switch self {
        case .json: ReportFrame(json: bytes)
        case .protobuf: ReportFrame(protobuf: bytes)
        }
    }

    /// Encodes live positions, fast: the bytes equal those of the same frame as schema messages.
    package func encode(_ frame: PositionsFrame) -> [UInt8] {
        switch self {
        case .json: frame.json
        case .protobuf: frame.protobuf
        }
    }
}
