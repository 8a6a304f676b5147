package import PromisedDomain
package import PromisedProtocol

extension WireArrival {
    /// An arrival with its rank, relative to the promise's meeting time and grace.
    package init(_ ranked: RankedArrival, of promise: Promise) {
        self.init()
        let creditedAt = ranked.arrival.creditedAt
        userID = ranked.userID.wireText
        stage = WireArrivalStage.Value(ranked.arrival.stage)
        self.creditedAt = WireTimestamp(creditedAt)
        rank = UInt32(clamping: ranked.rank)
        outcome = WireOutcome.Value(Outcome(creditedAt: creditedAt, meetsAt: promise.meetsAt, grace: promise.grace))
        secondsFromMeeting = Int32(clamping: (creditedAt - promise.meetsAt).wholeSeconds)
        source = WireArrivalSource.Value(ranked.arrival.source)
        mock = ranked.arrival.isMock
    }
}

extension RankedArrival {
    /// An arrival received from a server, without evidence. Throws ``WireError/invalid(field:)`` for an invalid id or
    /// instant, and for an unknown stage or source.
    package init(_ wire: WireArrival) throws(WireError) {
        guard let stage = Arrival.Stage(wire.stage) else { throw .invalid(field: "stage") }
        guard let source = Arrival.Source(wire.source) else { throw .invalid(field: "source") }
        let creditedAt = try Instant(wire: wire.creditedAt, field: "creditedAt")
        self.init(
            userID: try UserID(wire: wire.userID, field: "userId"),
            arrival: Arrival(stage: stage, creditedAt: creditedAt, source: source),
            rank: Int(wire.rank)
        )
    }
}

extension WireArrivalStage.Value {
    package init(_ stage: Arrival.Stage) {
        switch stage {
        case .provisional: self = .provisional
        case .confirmed: self = .confirmed
        }
    }
}

extension Arrival.Stage {
    /// nil for an unspecified or unknown value.
    package init?(_ wire: WireArrivalStage.Value) {
        guard let value = Self.allCases.first(where: { WireArrivalStage.Value($0) == wire }) else { return nil }
        self = value
    }
}

extension WireArrivalSource.Value {
    package init(_ source: Arrival.Source) {
        switch source {
        case .gps: self = .gps
        case .myself: self = .self_
        case .peer: self = .peer
        case .owner: self = .owner
        }
    }
}

extension Arrival.Source {
    /// nil for an unspecified or unknown value.
    package init?(_ wire: WireArrivalSource.Value) {
        guard let value = Self.allCases.first(where: { WireArrivalSource.Value($0) == wire }) else { return nil }
        self = value
    }
}
