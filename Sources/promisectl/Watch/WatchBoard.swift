import PromisedCommandLine
import PromisedProtocol

/// The state of a watched promise: a snapshot, updated by events.
struct WatchBoard: Sendable {
    private(set) var promise: WirePromise
    /// nil until the result is final.
    private(set) var result: WireResult?
    /// The last event's instant on the server's clock; nil before the first event.
    private(set) var heardAt: WireTimestamp?
    /// The last durable event's number.
    private var seq: UInt32

    /// A board that begins with a snapshot.
    init(_ reply: WireSubscribed) {
        promise = reply.snapshot
        seq = reply.seq
    }

    /// `true` if the promise is over.
    var isOver: Bool { promise.status == .final || promise.status == .cancelled }

    /// Accepted participants: those who have arrived by rank, then the others by distance, without a position last.
    var rows: [WireParticipant] {
        promise.participants.filter { $0.membership == .accepted }.sorted { Self.key($0) < Self.key($1) }
    }

    /// A user's nickname; the id if it is unknown.
    func name(of userID: String) -> String {
        let participant = promise.participants.first { $0.user.userID == userID }
        return (participant?.user.nickname ?? userID).printable
    }

    /// Restarts with the snapshot after a lost connection.
    mutating func take(_ reply: WireSubscribed) {
        promise = reply.snapshot
        seq = reply.seq
    }

    /// Adds the final table of a promise that was over before the watch began.
    mutating func take(_ result: WireResult) {
        self.result = result
    }

    /// Applies an event. Returns `false` if the snapshot already includes it.
    mutating func take(_ event: WireEvent) -> Bool {
        guard event.seq == 0 || event.seq > seq, let what = event.what else { return false }
        if event.seq > 0 { seq = event.seq }
        if event.hasAt { heardAt = event.at }
        apply(what)
        return true
    }

    mutating func change(_ userID: String, _ body: (inout WireParticipant) -> Void) {
        guard let index = promise.participants.firstIndex(where: { $0.user.userID == userID }) else { return }
        body(&promise.participants[index])
    }

    /// Sets the membership of a user, who may be new.
    mutating func set(_ user: WireUserCard, to membership: WireMembership.Value) {
        if !promise.participants.contains(where: { $0.user.userID == user.userID }) {
            var participant = WireParticipant()
            participant.user = user
            promise.participants.append(participant)
        }
        change(user.userID) { $0.membership = membership }
    }

    /// Updates the promise's own fields from an event; participants stay.
    mutating func describe(_ description: WirePromise) {
        let participants = promise.participants
        promise = description
        let known = Set(participants.map(\.user.userID))
        promise.participants = participants + description.participants.filter { !known.contains($0.user.userID) }
    }

    mutating func set(_ status: WirePromiseStatus.Value, result: WireResult? = nil) {
        promise.status = status
        self.result = result ?? self.result
    }

    private static func key(_ participant: WireParticipant) -> (UInt32, Double, String) {
        let rank = participant.hasArrival ? participant.arrival.rank : .max
        let distance = participant.hasPosition ? participant.position.distanceMetres : .infinity
        return (rank, distance, participant.user.nickname)
    }
}

extension WatchBoard {
    mutating func apply(_ what: WireEvent.OneOf_What) {
        switch what {
        case .positions(let event): for position in event.positions { take(position) }
        case .presence(let event): for presence in event.presences { take(presence) }
        case .eta(let event): change(event.userID) { $0.eta = event.eta }
        case .sharingChanged(let event): take(event)
        case .statusChanged(let event): change(event.userID) { ($0.statusText, $0.emoji) = (event.text, event.emoji) }
        case .arrived(let event): take(event.arrival)
        case .arrivalConfirmed(let event): take(event.arrival)
        case .arrivalRetracted(let event): change(event.userID) { $0.clearArrival() }
        case .rankingRevised(let event): for arrival in event.arrivals { take(arrival) }
        case .invited(let event):
            describe(event.promise)
            set(event.user, to: .invited)
        case .joined(let event): set(event.user, to: .accepted)
        case .declined(let event): set(event.user, to: .declined)
        case .left(let event): set(event.user, to: .left)
        case .removed(let event): set(event.user, to: .removed)
        case .edited(let event): describe(event.promise)
        case .cancelled: set(.cancelled)
        case .trackingStarted: set(.tracking)
        case .trackingEnded: set(.settling)
        case .resultFinal(let event): set(.final, result: event.result)
        // Other events do not change the board.
        default: break
        }
    }

    private mutating func take(_ position: WirePosition) {
        change(position.userID) { participant in
            participant.position = position
            if position.hasEta { participant.eta = position.eta }
        }
    }

    private mutating func take(_ presence: WirePresence) {
        change(presence.userID) { $0.presence = presence }
    }

    private mutating func take(_ arrival: WireArrival) {
        change(arrival.userID) { $0.arrival = arrival }
    }

    private mutating func take(_ event: WireEvent.SharingChanged) {
        change(event.userID) { participant in
            participant.sharing = event.on
            if !event.on { participant.clearPosition() }
        }
    }
}
