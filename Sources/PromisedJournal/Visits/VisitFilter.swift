package import PromisedDomain
package import PromisedPlaces

/// Selects the visits of a list. Each part narrows the selection; an empty one allows all.
package struct VisitFilter: Hashable, Sendable {
    /// Visits of any of these kinds.
    package var kinds: Set<VisitNotes.Kind>
    /// Categories and regions, as in lists of places. The other parts are ignored.
    package var places: PlaceFilter
    /// Visits to this place of the directory.
    package var placeID: PlaceID?
    /// Visits from this instant on.
    package var from: Instant?
    /// Visits before this instant.
    package var to: Instant?
    /// Visits whose title, memo and place name together contain all terms.
    package var text: PlaceQuery?

    /// A filter; by default one that allows all.
    package init(
        kinds: Set<VisitNotes.Kind> = [],
        places: PlaceFilter = PlaceFilter(),
        placeID: PlaceID? = nil,
        from: Instant? = nil,
        to: Instant? = nil,
        text: PlaceQuery? = nil
    ) {
        self.kinds = kinds
        self.places = places
        self.placeID = placeID
        self.from = from
        self.to = to
        self.text = text
    }

    /// `true` if a visit passes.
    package func allows(_ visit: Visit) -> Bool {
        let moment = visit.moment
        return (kinds.isEmpty || kinds.contains(visit.notes.kind))
            && places.allows(categories: moment.category.map { [$0] } ?? [])
            && places.allows(region: moment.region)
            && (placeID == nil || moment.place.placeID == placeID)
            && (from.map { moment.at >= $0 } ?? true)
            && (to.map { moment.at < $0 } ?? true)
            && (text.map { isFound($0, in: visit) } ?? true)
    }

    private func isFound(_ text: PlaceQuery, in visit: Visit) -> Bool {
        let keys = [visit.notes.title, visit.notes.memo, visit.moment.place.name].map { TextKey($0).units }
        return text.terms.allSatisfy { term in
            keys.contains { key in key.indices.contains { term.begins(key[$0...]) } }
        }
    }
}
