internal import PromisedDomain

/// The arrivals that follow from the durable events of a promise, at most one for each person.
struct ArrivalCheck: Hashable, Sendable {
    private var arrived: [UserID: Arrival.Stage] = [:]
    private var count = 0

    /// Applies the events since the last call.
    ///
    /// - Parameter events: all events of the promise, ascending.
    /// - Throws: a second arrival of a person, or the retraction of a missing one.
    mutating func follow(_ events: [NumberedEvent]) throws(Violation) {
        for event in events.dropFirst(count) {
            switch event.event {
            case .arrived(let ranked):
                guard arrived[ranked.userID] == nil else { throw violation("a second arrival", event) }
                // The next event confirms an arrival that is certain at once.
                arrived[ranked.userID] = .provisional
            case .arrivalConfirmed(let ranked):
                guard arrived[ranked.userID] == .provisional else { throw violation("nothing to confirm", event) }
                arrived[ranked.userID] = .confirmed
            case .arrivalRetracted(let userID, _):
                guard arrived.removeValue(forKey: userID) != nil else { throw violation("nothing to retract", event) }
            case .rankingRevised(let revised, _):
                for ranked in revised {
                    guard arrived[ranked.userID] != nil else { throw violation("nothing to revise", event) }
                    if ranked.arrival.stage == .provisional { arrived[ranked.userID] = .provisional }
                }
            default: break
            }
        }
        count = events.count
    }

    /// - Throws: a difference between the events and the stored arrivals.
    func compare(with rows: [UserID: CommittedRows.ArrivalRow]) throws(Violation) {
        let stored = rows.mapValues(\.stage)
        guard stored != arrived.mapValues(\.rawValue) else { return }
        throw Violation(
            .oneArrival,
            "the events tell of \(arrived.count) arrivals, stored are \(stored.count) or others"
        )
    }

    private func violation(_ what: String, _ event: NumberedEvent) -> Violation {
        Violation(.oneArrival, "\(what): event \(event.seq) \(event.event.traits.label)")
    }
}
