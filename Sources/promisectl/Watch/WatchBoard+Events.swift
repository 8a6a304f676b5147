import PromisedProtocol

extension WatchBoard {
    /// Brings the board up to date with what happened.
    mutating func apply(_ what: WireEvent.OneOf_What) {
        switch what {
        case .positions(let event): for position in event.positions { take(position) }
        case .presence(let event): for presence in event.presences { take(presence) }
        case .eta(let event): change(event.userID) { $0.eta = event.eta }
        case .sharingChanged(let event): take(event)
        case .statusChanged(let event):
            change(event.userID) { ($0.statusText, $0.emoji) = (event.text, event.emoji) }
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
        // The board shows nothing of what other events say.
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
