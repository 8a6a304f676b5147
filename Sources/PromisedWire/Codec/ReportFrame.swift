package import PromisedDomain
package import PromisedProtocol

/// A client's frame with a report to one promise.
///
/// Nearly all frames are of this kind, so it is read without the messages of the schema in between (HowFramesLeave.md):
/// including all allocations, in 1,800 instead of 11,000 instructions in Protocol Buffers.
package struct ReportFrame: Hashable, Sendable {
    /// Echoed in the reply; 0 if none is wanted.
    package var id: UInt32
    /// The promise.
    package var promiseID: PromiseID
    /// 1–200 fixes, unchecked.
    package var fixes: [Fix]
    /// The phone's clocks at the time of sending.
    package var sent: ClockReadings

    /// `true` if the client wants a reply to a successful report. An error is always sent.
    package var wantsReply: Bool { id != 0 }

    /// The report of a frame; nil if it has none, none for a single promise, or one that must be refused as it stands.
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

    /// The report of a frame read by hand; nil if it must be refused as it stands.
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
    /// Reads a client's frame with a plain report, fast. Returns the result of ``decodeClientFrame(_:)``; nil says
    /// nothing about the frame: decode it then.
    package func decodeReport(_ bytes: [UInt8]) -> ReportFrame? {
        switch self {
        case .json: ReportFrame(json: bytes)
        case .protobuf: ReportFrame(protobuf: bytes)
        }
    }

    /// Encodes live positions, fast: the bytes are those of the same frame as messages of the schema.
    package func encode(_ frame: PositionsFrame) -> [UInt8] {
        switch self {
        case .json: frame.json
        case .protobuf: frame.protobuf
        }
    }
}
