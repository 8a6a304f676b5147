/// The part of a visit that statistics need, so that a store need not read memos and photos for them.
package struct CountableVisit: Hashable, Sendable {
    /// Where and when.
    package var moment: VisitMoment
    /// `true` if it came from an arrival and has a companion.
    package var isTogether: Bool
    /// `true` if it came from an arrival that was early or on time.
    package var isOnTime: Bool

    /// The part of a visit from an arrival, or with `outcome` nil, by hand.
    package init(moment: VisitMoment, outcome: Outcome?, hasCompanions: Bool) {
        self.moment = moment
        isTogether = outcome != nil && hasCompanions
        isOnTime = outcome == .early || outcome == .onTime
    }

    /// The part of a whole visit.
    package init(_ visit: Visit) {
        self.init(
            moment: visit.moment,
            outcome: visit.arrival?.outcome,
            hasCompanions: !visit.companions.isEmpty
        )
    }

    /// The place of visits, as they are counted: the id of the directory, else the position to three decimals.
    enum Spot: Hashable {
        case place(PlaceID)
        case position(latitude: Double, longitude: Double)

        init(_ place: Place) {
            func rounded(_ degrees: Double) -> Double { (degrees * 1_000).rounded() }
            self =
                place.placeID.map(Spot.place)
                ?? .position(
                    latitude: rounded(place.coordinate.latitude),
                    longitude: rounded(place.coordinate.longitude)
                )
        }
    }

    /// Visits with the same key count as one.
    struct Key: Hashable {
        let spot: Spot
        let date: CivilDate
    }

    var key: Key { Key(spot: Spot(moment.place), date: moment.localDate) }
}
