internal import PromisedDomain
internal import PromisedProtocol

/// Checks the weather sent to people.
struct OutlookWatch: Sendable {
    /// An outlook may be in transit for this long while its reader leaves.
    private static let tolerance = TimeSpan.seconds(5)

    private struct Part: Hashable, Sendable {
        let promise: PromiseID
        let userID: UserID
    }

    private let hasTold: @Sendable (Double) -> Bool
    /// The users who are invited or in, and when others left.
    private var present: Set<Part> = []
    private var left: [Part: Instant] = [:]

    /// - Parameter hasTold: `true` if a provider has reported a temperature.
    init(hasTold: @escaping @Sendable (Double) -> Bool) { self.hasTold = hasTold }

    /// Records the users who are invited or in.
    mutating func noteCommit(_ committed: CommittedRows, at now: Instant) {
        let before = present
        present = []
        for (promise, parts) in committed.parts {
            for (userID, part) in parts where ["invited", "accepted"].contains(part.membership) {
                present.insert(Part(promise: promise, userID: userID))
            }
        }
        for part in before.subtracting(present) { left[part] = now }
    }

    /// - Throws: an outlook for a user outside the promise, or with an unreported temperature.
    func check(_ outlook: WireOutlook, of id: PromiseID, to userID: UserID, at now: Instant) throws(Violation) {
        let part = Part(promise: id, userID: userID)
        let isLate = left[part].map { now < $0 + Self.tolerance } ?? false
        guard present.contains(part) || isLate else {
            throw Violation(.weather, "\(userID.low & 0xFF) is told the weather of a promise from outside")
        }
        for hour in outlook.weather.hours where hour.hasTemperatureCelsius && !hasTold(hour.temperatureCelsius) {
            throw Violation(.weather, "\(hour.temperatureCelsius) °C, which no provider has told")
        }
    }
}
