package import PromisedDomain

/// A user's record of a visit to a place.
///
/// ```
/// result of a promise ──▶ arrival ─┐ edited     ┌─▶ a mark without content (arrival)
///                                  ├──────▶ … ──┤ deleted
/// request ──────────────▶ hand ────┘            └─▶ nothing (hand)
/// ```
package struct Visit: Hashable, Sendable {
    /// The origin of a visit.
    package enum Source: Hashable, Sendable {
        /// From an arrival at a promise.
        case arrival(VisitArrival)
        /// By hand.
        case hand
    }

    package let id: VisitID
    /// The owner.
    package let userID: UserID
    package let source: Source
    /// Place and time.
    package internal(set) var moment: VisitMoment
    /// The user's texts and photos.
    package internal(set) var notes: VisitNotes
    /// The people who were also there, at most ``Companion/most``, each once.
    package internal(set) var companions: [Companion]
    /// The weather of that hour; nil if unknown.
    package internal(set) var weather: VisitWeather?
    /// The people who may see it; never ``Audience/people``.
    package internal(set) var audience: Audience
    /// Rises by one with each change, from 1.
    package internal(set) var version: Int

    /// Creates a visit from stored fields, without validation.
    package init(
        id: VisitID,
        userID: UserID,
        source: Source,
        moment: VisitMoment,
        notes: VisitNotes = VisitNotes(),
        companions: [Companion] = [],
        weather: VisitWeather? = nil,
        audience: Audience = .onlyMe,
        version: Int = 1
    ) {
        self.id = id
        self.userID = userID
        self.source = source
        self.moment = moment
        self.notes = notes
        self.companions = companions
        self.weather = weather
        self.audience = audience
        self.version = version
    }

    /// The arrival that created it; nil for a visit by hand.
    package var arrival: VisitArrival? {
        switch source {
        case .arrival(let arrival): arrival
        case .hand: nil
        }
    }

    /// The mark that remains when the user deletes the visit; nil for a visit by hand.
    package var mark: VisitMark? {
        arrival.map { VisitMark(id: id, userID: userID, promiseID: $0.promiseID) }
    }

    /// Newest first, then by id, the later one first: the order of lists.
    package static func isBefore(_ left: Visit, _ right: Visit) -> Bool {
        (left.moment.at, left.id) > (right.moment.at, right.id)
    }
}

/// The part of a visit that comes from a promise's result. It never changes, whatever the user edits.
package struct VisitArrival: Hashable, Sendable {
    package let promiseID: PromiseID
    package let outcome: Outcome
    /// The rank, from 1.
    package let rank: Int
    /// `true` if it is based on simulated positions.
    package let isMock: Bool

    package init(promiseID: PromiseID, outcome: Outcome, rank: Int, isMock: Bool = false) {
        self.promiseID = promiseID
        self.outcome = outcome
        self.rank = rank
        self.isMock = isMock
    }
}

/// The remainder of a deleted visit from an arrival: it keeps the promise from creating the visit again.
package struct VisitMark: Hashable, Sendable {
    /// The id that the visit had.
    package let id: VisitID
    /// The owner of the deleted visit.
    package let userID: UserID
    /// The promise of the deleted visit.
    package let promiseID: PromiseID

    package init(id: VisitID, userID: UserID, promiseID: PromiseID) {
        self.id = id
        self.userID = userID
        self.promiseID = promiseID
    }
}
