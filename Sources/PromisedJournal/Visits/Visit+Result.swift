package import PromisedDomain

extension PromiseResult {
    /// The visits created from the result: one for each participant with a credited time, at that time, with the others
    /// who arrived as companions, by rank and at most ``Companion/most``. No-shows and participants who left without an
    /// arrival get none.
    ///
    /// - Parameters:
    ///   - excluded: users without a visit of their own: those who switched it off, deleted accounts, and those who
    ///     have a visit of this promise or its mark. They are still companions of others.
    ///   - moment: place and date of a user's visit at an instant.
    ///   - weather: the weather of an instant at the place; nil if unknown.
    ///   - now: the moment of the ids.
    package func visits(
        excluding excluded: Set<UserID>,
        moment: (UserID, Instant) -> VisitMoment,
        weather: (Instant) -> VisitWeather?,
        now: Instant,
        using generator: inout some RandomNumberGenerator
    ) -> [Visit] {
        let arrived = rows.filter { $0.creditedAt != nil }
        var visits: [Visit] = []
        for row in arrived where !excluded.contains(row.userID) {
            guard let creditedAt = row.creditedAt else { continue }
            let others = arrived.lazy.map(\.userID).filter { $0 != row.userID }
            let arrival = VisitArrival(
                promiseID: promiseID,
                outcome: row.outcome,
                rank: row.rank,
                isMock: row.isMock
            )
            let visit = Visit(
                id: VisitID(at: now, using: &generator),
                userID: row.userID,
                source: .arrival(arrival),
                moment: moment(row.userID, creditedAt),
                companions: others.prefix(Companion.most).map(Companion.user),
                weather: weather(creditedAt)
            )
            visits.append(visit)
        }
        return visits
    }
}
