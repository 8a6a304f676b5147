package import PromisedDomain

/// Changes to a visit, with cleaned texts; nil leaves a value as it is.
package struct VisitEdit: Hashable, Sendable {
    /// The version that the change is based on.
    package var version: Int
    /// Another place or time.
    package var moment: VisitMoment?
    /// The weather of the other place or time; nil if unknown. Ignored without ``moment``.
    package var weather: VisitWeather?
    /// Another kind.
    package var kind: VisitNotes.Kind?
    /// Another title; empty removes it.
    package var title: String?
    /// Another memo; empty removes it.
    package var memo: String?
    /// Another emoji; empty removes it.
    package var emoji: String?
    /// All photos in their order.
    package var photos: [Photo]?
    package var companions: [Companion]?
    /// Another audience.
    package var audience: Audience?

    /// An edit based on a version, without changes yet.
    package init(version: Int) { self.version = version }
}

extension Visit {
    /// Applies an edit by the owner. The version rises by one if anything changed. Source, promise, outcome and rank
    /// never change.
    ///
    /// - Throws: `visitStaleVersion`; `invalid` with the field, also for other companions of an arrival; `visitEmpty` if
    ///   a visit by hand would be left without title, memo and photo.
    package mutating func apply(_ edit: VisitEdit, at now: Instant) throws(Refusal) {
        guard edit.version == version else { throw .visitStaleVersion }
        var edited = self
        if let moment = edit.moment { try edited.move(to: moment, weather: edit.weather, at: now) }
        edited.notes.kind = edit.kind ?? notes.kind
        edited.notes.title = edit.title ?? notes.title
        edited.notes.memo = edit.memo ?? notes.memo
        edited.notes.emoji = edit.emoji ?? notes.emoji
        edited.notes.photos = edit.photos ?? notes.photos
        edited.audience = edit.audience ?? audience
        try edited.notes.check()
        try VisitLimits.check(edited.audience)
        if let companions = edit.companions { try edited.replaceCompanions(by: companions) }
        guard arrival != nil || !edited.notes.isEmpty else { throw .visitEmpty }
        if edited != self { edited.version += 1 }
        self = edited
    }

    private mutating func move(to moment: VisitMoment, weather: VisitWeather?, at now: Instant) throws(Refusal) {
        // An old visit may be edited as long as its time remains the same.
        if moment.at != self.moment.at { try VisitLimits.check(moment.at, now: now) }
        guard moment != self.moment else { return }
        self.moment = moment
        self.weather = weather
    }

    private mutating func replaceCompanions(by companions: [Companion]) throws(Refusal) {
        guard arrival == nil || companions == self.companions else { throw .invalid(field: "companions") }
        try Companion.check(companions, of: userID)
        self.companions = companions
    }
}
