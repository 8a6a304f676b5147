package import PromisedDomain
package import PromisedProtocol

extension WireResult {
    /// A final table. `card` is the public card of a user; called once per row.
    package init(_ result: PromiseResult, card: (UserID) -> UserCard) {
        self.init()
        promiseID = result.promiseID.wireText
        meetsAt = WireTimestamp(result.meetsAt)
        finalAt = WireTimestamp(result.finalAt)
        if let penalty = result.penalty { self.penalty = WirePenalty(penalty) }
        penaltyTotal = Int32(clamping: result.penaltyTotal)
        rows = result.rows.prefix(PromiseLimits.people).map { WireResultRow($0, card: card($0.userID)) }
    }
}

extension WireResultRow {
    package init(_ row: PromiseResult.Row, card: UserCard) {
        self.init()
        user = WireUserCard(card)
        outcome = WireOutcome.Value(row.outcome)
        if let creditedAt = row.creditedAt { self.creditedAt = WireTimestamp(creditedAt) }
        secondsFromMeeting = Int32(clamping: row.secondsFromMeeting)
        rank = UInt32(clamping: row.rank)
        if let source = row.source { self.source = WireArrivalSource.Value(source) }
        penaltyOwed = row.penaltyOwed
        excusedReason = row.excusedReason.bounded(characters: 200)
        mock = row.isMock
    }
}

extension PromiseResult {
    /// A final table received from a server, with rows in its order and without cards. Throws
    /// ``WireError/invalid(field:)`` for an invalid id or instant, and for an unknown outcome.
    package init(_ wire: WireResult) throws(WireError) {
        var rows: [Row] = []
        for (index, row) in wire.rows.enumerated() {
            rows.append(try WireError.inside("rows[\(index)]") { () throws(WireError) in try Row(row) })
        }
        let penalty: Penalty? =
            wire.hasPenalty
            ? try WireError.inside("penalty") { () throws(WireError) in try Penalty(wire.penalty) } : nil
        self.init(
            promiseID: try PromiseID(wire: wire.promiseID, field: "promiseId"),
            meetsAt: try Instant(wire: wire.meetsAt, field: "meetsAt"),
            finalAt: try Instant(wire: wire.finalAt, field: "finalAt"),
            penalty: penalty,
            rows: rows
        )
    }
}

extension PromiseResult.Row {
    /// One participant's row received from a server, without its card. Throws ``WireError/invalid(field:)`` for an
    /// invalid id or instant, and for an unknown outcome.
    package init(_ wire: WireResultRow) throws(WireError) {
        guard let outcome = Outcome(wire.outcome) else { throw .invalid(field: "outcome") }
        self.init(
            userID: try UserID(wire: wire.user.userID, field: "user.userId"),
            outcome: outcome,
            creditedAt: wire.hasCreditedAt ? try Instant(wire: wire.creditedAt, field: "creditedAt") : nil,
            secondsFromMeeting: Int(wire.secondsFromMeeting),
            rank: Int(wire.rank),
            source: Arrival.Source(wire.source),
            penaltyOwed: wire.penaltyOwed,
            excusedReason: wire.excusedReason,
            isMock: wire.mock
        )
    }
}

extension WireOutcome.Value {
    package init(_ outcome: Outcome) {
        switch outcome {
        case .early: self = .early
        case .onTime: self = .onTime
        case .late: self = .late
        case .noShow: self = .noShow
        case .left: self = .left
        case .excused: self = .excused
        }
    }
}

extension Outcome {
    /// nil for an unspecified or unknown value.
    package init?(_ wire: WireOutcome.Value) {
        guard let value = Self.allCases.first(where: { WireOutcome.Value($0) == wire }) else { return nil }
        self = value
    }
}
