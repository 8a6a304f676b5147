package import PromisedDomain
package import PromisedProtocol

/// A server's frame with the live positions that changed, an event of a promise.
///
/// Most encoded frames are of this kind, so it is written without the messages of the schema in between
/// (HowFramesLeave.md): in a tenth of the instructions.
package struct PositionsFrame: Sendable {
    package var positions: [LivePosition]
    package var promiseID: PromiseID
    /// From now to the session's slot; nil to stop reporting.
    package var nextReport: TimeSpan?
    /// On the server's clock.
    package var at: Instant

    package init(positions: [LivePosition], of promiseID: PromiseID, nextReport: TimeSpan?, at: Instant) {
        self.positions = positions
        self.promiseID = promiseID
        self.nextReport = nextReport
        self.at = at
    }

    /// The same frame as schema messages.
    package var message: WireServerFrame {
        WireServerFrame(event: WireEvent(positions: positions, of: promiseID, nextReport: nextReport, at: at))
    }
}

extension PositionsFrame {
    /// Larger than the maximum of everything but the positions (75 bytes), and of each position (163 bytes): exceeding
    /// it would stop the server.
    private static let largestFrame = 128
    private static let largestPosition = 192

    /// The Protocol Buffers encoding of ``message``.
    var protobuf: [UInt8] {
        let limit = PositionsFrame.largestFrame + positions.count * PositionsFrame.largestPosition
        return ProtobufWriter.bytes(atMost: limit) { writer in
            writer.field(2) { event in
                event.field(1, promiseID)
                event.field(3, at)
                event.field(4) { content in
                    for position in positions { content.field(1) { $0.fields(of: position) } }
                    let nextReportMs = TimeSpan.wireMs(nextReport)
                    if nextReportMs != 0 { content.field(2, varint: UInt64(nextReportMs)) }
                }
            }
        }
    }
}

extension ProtobufWriter {
    /// `Position` of the schema.
    fileprivate mutating func fields(of position: LivePosition) {
        field(1, position.userID)
        if position.seq != 0 { field(2, varint: UInt64(position.seq)) }
        fieldUnlessZero(3, position.coordinate.latitude)
        fieldUnlessZero(4, position.coordinate.longitude)
        fieldUnlessZero(5, position.accuracyMetres)
        field(6, position.fixTime)
        fieldUnlessZero(7, position.wireDistanceMetres)
        guard let estimate = position.estimate else { return }
        field(8) { eta in
            if let band = estimate.band {
                eta.field(1, band.medianAt)
                eta.field(2, band.lowAt)
                eta.field(3, band.highAt)
            }
            eta.field(4, varint: UInt64(WireEtaState.Value(estimate.state).rawValue))
        }
    }

    /// Minus zero is written, like in the library.
    private mutating func fieldUnlessZero(_ number: UInt8, _ value: Double) {
        if value.bitPattern != 0 { field(number, double: value) }
    }

    fileprivate mutating func field<Subject>(_ number: UInt8, _ id: ID<Subject>) { field(number) { id.write(to: $0) } }

    fileprivate mutating func field(_ number: UInt8, _ instant: Instant) {
        let (seconds, nanos) = WireTimestamp.secondsAndNanos(of: instant)
        field(number) { timestamp in
            if seconds != 0 { timestamp.field(1, varint: UInt64(bitPattern: seconds)) }
            if nanos != 0 { timestamp.field(2, varint: UInt64(nanos)) }
        }
    }
}
