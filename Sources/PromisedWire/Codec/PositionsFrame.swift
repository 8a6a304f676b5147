public import PromisedDomain
package import PromisedProtocol

/// A server's frame with the live positions that changed, an event of a promise.
///
/// Most of what is encoded is of this kind, so it is written without the messages of the schema in between (decision
/// 0026): in a tenth of the instructions.
public struct PositionsFrame: Sendable {
    /// Whose and where.
    public var positions: [LivePosition]
    /// Of which promise.
    public var promiseID: PromiseID
    /// From now to the session's slot; nil: stop reporting.
    public var nextReport: TimeSpan?
    /// When, on the server's clock.
    public var at: Instant

    /// A frame with all its fields.
    public init(positions: [LivePosition], of promiseID: PromiseID, nextReport: TimeSpan?, at: Instant) {
        self.positions = positions
        self.promiseID = promiseID
        self.nextReport = nextReport
        self.at = at
    }

    /// The same frame as messages of the schema.
    package var message: WireServerFrame {
        WireServerFrame(event: WireEvent(positions: positions, of: promiseID, nextReport: nextReport, at: at))
    }
}
