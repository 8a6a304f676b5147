import PromisedProtocol

/// Checks the events and positions of all subscribers of one promise against the invariants.
///
/// Each subscriber counts its own events; the promise's board is updated by the subscriber that receives an event
/// first, and all others must receive the same.
struct PromiseWatch: Sendable {
    /// How many of the last events are compared between subscribers.
    private static let memory: UInt32 = 64

    /// The number of the newest event received by any subscriber.
    private(set) var newest: UInt32 = 0
    /// The number of the event that cancelled the promise or ended its window.
    private var end: UInt32?
    private(set) var board = ArrivalBoard()
    private let members: Set<String>
    private var told: [UInt32: WireEvent] = [:]
    private var isBegun = false

    init(members: some Sequence<String>) { self.members = Set(members) }

    /// Handles the snapshot of a subscriber: the promise after event number `seq`.
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

    /// Handles a durable event of a subscriber whose last event was `last`.
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

    /// `true` if no more positions are allowed for a subscriber whose last event was `last`.
    func isOver(after last: UInt32) -> Bool { end.map { $0 <= last } ?? false }
    func ended() -> [Violation] { board.isRanked ? [] : [.wrongRank] }

    // MARK: - Internals

    /// `true` if ranks must be right before an event: before all events except a revision, which repairs them.
    private func isRankDue(before event: WireEvent) -> Bool {
        if case .rankingRevised = event.what { false } else { true }
    }

    /// `true` if all subscribers receive the same content; `false` for names and promises, which are rendered again for
    /// later subscribers.
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
    init(_ arrival: WireArrival) {
        self.init(
            creditedMs: arrival.creditedAt.clampedMilliseconds,
            rank: arrival.rank,
            isConfirmed: arrival.stage == .confirmed
        )
    }
}

/// A rule violation visible to a client; a correct server causes none.
enum Violation: String, Hashable, Sendable, Codable, CaseIterable {
    /// A durable event's number does not follow the previous one on this subscription.
    case eventGap = "event-gap"
    /// Two subscribers received different content under one number.
    case eventDiffers = "event-differs"
    /// A subscriber has not received the last durable event that others received.
    case eventMissing = "event-missing"
    /// An event of a promise that this connection did not subscribe to.
    case foreignPromise = "foreign-promise"
    /// A position or an arrival of a user who is not a participant.
    case outsider = "outsider"
    /// A position older than the previous one.
    case positionBackwards = "position-backwards"
    /// A position after the promise was cancelled or its window had ended.
    case positionAfterEnd = "position-after-end"
    /// A second arrival of the same participant.
    case secondArrival = "second-arrival"
    /// An unknown arrival was confirmed, retracted or revised.
    case unknownArrival = "unknown-arrival"
    /// Ranks are not those of the credited times (domain §6.4).
    case wrongRank = "wrong-rank"
    /// A report that should have caused an arrival did not.
    case arrivalMissing = "arrival-missing"
}
