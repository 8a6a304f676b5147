public import PromisedDomain
public import PromisedProtocol

extension WireEvent {
    /// An event of a promise, passing or durable.
    ///
    /// - Parameter seq: the number of a durable event, 0 for a passing one.
    public init(_ what: OneOf_What, of promise: PromiseID, seq: UInt32 = 0, at instant: Instant) {
        self.init()
        promiseID = promise.wireText
        self.seq = seq
        at = WireTimestamp(instant)
        self.what = what
    }

    /// An event for one user, outside any promise.
    public init(personal what: OneOf_What, at instant: Instant) {
        self.init()
        at = WireTimestamp(instant)
        self.what = what
    }

    /// A durable event of a session, for everybody who may receive it: it holds no position.
    ///
    /// - Parameters:
    ///   - view: the session after the event; promises, results and excused rows are taken from it.
    ///   - card: what others see of a user.
    public init(_ numbered: NumberedEvent, in view: SessionView, card: (UserID) -> UserCard) {
        self.init(
            OneOf_What(numbered.event, in: view, card: card),
            of: view.promise.id,
            seq: UInt32(clamping: numbered.seq),
            at: numbered.at
        )
    }

    /// The live positions that changed, as one passing event.
    ///
    /// - Parameter nextReport: from now to the session's slot; nil: stop reporting.
    public init(positions: [LivePosition], of promise: PromiseID, nextReport: TimeSpan?, at instant: Instant) {
        var wire = Positions()
        wire.positions = positions.map { WirePosition($0) }
        wire.nextReportMs = TimeSpan.wireMs(nextReport)
        self.init(.positions(wire), of: promise, at: instant)
    }

    /// What a session tells without a number.
    public init(passing event: PassingEvent, of promise: PromiseID, at instant: Instant) {
        self.init(OneOf_What(event), of: promise, at: instant)
    }
}
