package import PromisedDomain

/// A visit that a user records by hand, with cleaned texts.
package struct VisitDraft: Hashable, Sendable {
    /// Place and time.
    package var moment: VisitMoment
    /// Texts and photos.
    package var notes: VisitNotes
    /// The people who were also there.
    package var companions: [Companion]
    /// The people who may see it.
    package var audience: Audience
    /// The weather of that hour; nil if unknown.
    package var weather: VisitWeather?

    package init(
        moment: VisitMoment,
        notes: VisitNotes,
        companions: [Companion] = [],
        audience: Audience = .onlyMe,
        weather: VisitWeather? = nil
    ) {
        self.moment = moment
        self.notes = notes
        self.companions = companions
        self.audience = audience
        self.weather = weather
    }
}

extension Visit {
    /// Creates a visit by hand.
    ///
    /// - Parameters:
    ///   - count: the number of the user's visits.
    ///   - now: the server's clock.
    /// - Throws: `invalid` with the field, `visitEmpty`, `visitLimit`.
    package init(
        _ draft: VisitDraft,
        id: VisitID,
        by userID: UserID,
        count: Int,
        at now: Instant
    ) throws(Refusal) {
        try VisitLimits.check(draft.moment.at, now: now)
        try draft.notes.check()
        try Companion.check(draft.companions, of: userID)
        try VisitLimits.check(draft.audience)
        guard !draft.notes.isEmpty else { throw .visitEmpty }
        guard count < VisitLimits.visits else { throw .visitLimit }
        self.init(
            id: id,
            userID: userID,
            source: .hand,
            moment: draft.moment,
            notes: draft.notes,
            companions: draft.companions,
            weather: draft.weather,
            audience: draft.audience
        )
    }
}
