import PromisedProtocol

/// Checks what all subscribers of one promise are told against what must always hold.
///
/// Each subscriber counts its own events; the promise's board follows whoever hears of an event first, and everybody
/// else must hear the same.
struct PromiseWatch: Sendable {
    /// How many of the last events are compared between subscribers.
    private static let memory: UInt32 = 64

    /// The number of the newest event anybody heard.
    private(set) var newest: UInt32 = 0
    /// The event that cancelled the promise or ended its window.
    private var end: UInt32?
    private(set) var board = ArrivalBoard()
    private let members: Set<String>
    private var told: [UInt32: WireEvent] = [:]
    private var isBegun = false

    /// A watch over a promise of these users.
    init(members: some Sequence<String>) {
        self.members = Set(members)
    }

    /// A subscriber begins with the promise as it was after event number `seq`.
    mutating func snapshot(_ promise: WirePromise, seq: UInt32) -> [Violation] {
        var found: [Violation] = []
        for participant in promise.participants where !members.contains(participant.user.userID) {
            found.append(.outsider)
        }
        guard !isBegun else { return found }
        isBegun = true
        newest = seq
        for participant in promise.participants where participant.hasArrival {
            _ = board.arrived(participant.arrival.userID, ArrivalBoard.Line(participant.arrival))
        }
        return found
    }

    /// A subscriber whose last event was `last` hears a durable event.
    mutating func heard(_ event: WireEvent, after last: UInt32) -> [Violation] {
        guard event.seq == last &+ 1 else { return [.eventGap] }
        guard event.seq > newest else {
            guard let before = told[event.seq] else { return [] }
            return before.what == event.what ? [] : [.eventDiffers]
        }
        var found: [Violation] = []
        if isRankDue(before: event), !board.isRanked { found.append(.wrongRank) }
        newest = event.seq
        if Self.isComparable(event) { told[event.seq] = event }
        if event.seq > Self.memory { told[event.seq - Self.memory] = nil }
        return found + apply(event)
    }

    /// Whether positions have ended for a subscriber whose last event was `last`.
    func isOver(after last: UInt32) -> Bool { end.map { $0 <= last } ?? false }

    /// What is wrong when nothing more comes.
    func ended() -> [Violation] { board.isRanked ? [] : [.wrongRank] }

    // MARK: - Internals

    /// A revision of the ranking is part of what made it necessary; everything else finds the ranks right.
    private func isRankDue(before event: WireEvent) -> Bool {
        if case .rankingRevised = event.what { false } else { true }
    }

    /// Whether all subscribers are told the same: names and promises are rendered anew for who comes later.
    private static func isComparable(_ event: WireEvent) -> Bool {
        switch event.what {
        case .arrived, .arrivalConfirmed, .arrivalRetracted, .rankingRevised, .cancelled, .late: true
        default: false
        }
    }

    private mutating func apply(_ event: WireEvent) -> [Violation] {
        switch event.what {
        case .arrived(let what): return change(what.arrival) { $0.arrived($1, $2) }
        case .arrivalConfirmed(let what): return change(what.arrival) { $0.confirmed($1, $2) }
        case .arrivalRetracted(let what): return [board.retracted(what.userID)].compactMap(\.self)
        case .rankingRevised(let what):
            return what.arrivals.flatMap { arrival in change(arrival) { $0.revised($1, $2) } }
        case .cancelled, .trackingEnded:
            end = event.seq
            return []
        default: return []
        }
    }

    private mutating func change(
        _ arrival: WireArrival,
        _ body: (inout ArrivalBoard, String, ArrivalBoard.Line) -> Violation?
    ) -> [Violation] {
        guard members.contains(arrival.userID) else { return [.outsider] }
        return [body(&board, arrival.userID, ArrivalBoard.Line(arrival))].compactMap(\.self)
    }
}

extension ArrivalBoard.Line {
    /// An arrival as the wire tells it.
    init(_ arrival: WireArrival) {
        self.init(
            creditedMs: Int64(arrival.creditedAt.readingMs),
            rank: arrival.rank,
            isConfirmed: arrival.stage == .confirmed
        )
    }
}

/// What a correct server never does, as a client can see it.
enum Violation: String, Hashable, Sendable, Codable, CaseIterable {
    /// A durable event's number does not follow the one before it on this subscription.
    case eventGap = "event-gap"
    /// Two subscribers were told different things under one number.
    case eventDiffers = "event-differs"
    /// A subscriber has not got the last durable event others got.
    case eventMissing = "event-missing"
    /// Something of a promise this connection did not subscribe to.
    case foreignPromise = "foreign-promise"
    /// A position or an arrival of somebody who has no part in the promise.
    case outsider = "outsider"
    /// A position older than the one shown before.
    case positionBackwards = "position-backwards"
    /// A position after the promise was cancelled or its window had ended.
    case positionAfterEnd = "position-after-end"
    /// Somebody arrived who had arrived.
    case secondArrival = "second-arrival"
    /// An arrival was confirmed, retracted or revised that there was not.
    case unknownArrival = "unknown-arrival"
    /// Ranks are not those of the credited times (domain §6.4).
    case wrongRank = "wrong-rank"
    /// A report that makes an arrival by the rule made none.
    case arrivalMissing = "arrival-missing"
}
