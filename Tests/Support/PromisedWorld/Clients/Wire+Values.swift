internal import PromisedDomain
internal import PromisedProtocol
internal import PromisedWire

extension Story {
    /// The encoding of a phone: JSON, which takes longer, for every other phone in one story of four.
    func codec(_ phone: Int) -> WireCodec { seed % 4 == 0 && phone % 2 == 0 ? .json : .protobuf }
}

extension String {
    /// The id in a field of a frame; for any other text an id that nothing has.
    func id<Subject>() -> ID<Subject> { ID(self) ?? ID(high: 0, low: 0) }
}

extension WireTimestamp {
    var instant: Instant { Instant(milliseconds: clampedMilliseconds) }
}

extension WireErrorReply {
    /// `true` if the same request may succeed later.
    var isTransient: Bool { Retry(retry) == .later }
}

extension WireContent {
    var isError: Bool { if case .error = self { true } else { false } }
}

extension WireSyncClock {
    init(_ readings: ClockReadings) {
        self.init()
        if let uptimeMs = readings.uptimeMs { self.uptimeMs = uptimeMs }
        if let wallMs = readings.wallMs { clientTimeMs = wallMs }
    }
}

extension WireReport {
    init(_ report: Report, to promise: PromiseID) {
        self.init()
        (promiseID, fixes) = (promise.wireText, report.fixes.map(WireFix.init))
        if let uptimeMs = report.sent.uptimeMs { self.uptimeMs = uptimeMs }
        if let timestamp = report.sent.wallMs.flatMap(WireTimestamp.init(readingMs:)) { sentAt = timestamp }
    }
}
