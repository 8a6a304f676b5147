import PromisedSimulation
import PromisedTestSupport
import Testing

@testable import PromisedDomain

/// Two phones that go to the same place, on one body or on two, drawn by seed.
struct PairRun {
    /// Two phones and how their owners arrive.
    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var phones: [MeasuredPhone]
        var surroundings: Surroundings
        var pace: Pace
        var radiusMetres = 50.0
        /// How much later the second enters the circle, by another way; nil: they share a body.
        var laterSeconds: Double?
        var seed: UInt64
        var testDescription: String { name }

        /// The criteria of the place in the middle of the plane.
        var criteria: ArrivalCriteria {
            ArrivalCriteria(
                centre: ArrivalScenario.plane.origin,
                radiusMetres: radiusMetres,
                rule: .robust,
                opensAt: ArrivalScenario.start
            )
        }
    }

    /// The runs of each kind.
    static let count = 600

    /// The two credited times; nil if one of the phones has no arrival.
    let creditedAt: [Instant]?
    /// The finding about them.
    let found: CameTogether?

    /// `true` if both arrivals share a rank.
    var isTied: Bool { isTiedByTime || found != nil }

    /// `true` if the credited times alone give them the same rank.
    var isTiedByTime: Bool {
        guard let times = creditedAt, let first = times.min(), let last = times.max() else { return false }
        return last - first < Ranking.tie
    }

    /// Run number `index` of a kind.
    init(_ kind: Kind, _ index: Int) {
        var generator = SeededGenerator(seed: kind.seed &* 1_000_003 &+ UInt64(index))
        let bearing = generator.uniform(0...360)
        var journeys = [PairRun.journey(kind, bearing: bearing, using: &generator)]
        var starts = [ArrivalScenario.start, ArrivalScenario.start]
        if let later = kind.laterSeconds {
            journeys.append(
                PairRun.journey(kind, bearing: bearing + generator.uniform(60...300), using: &generator)
            )
            let entries = journeys.map { $0.firstEntrySeconds(within: kind.radiusMetres, of: .origin) ?? 0 }
            // The first waits where it begins if the other's way is the longer one.
            let wait = entries[0] + later - entries[1]
            starts = [ArrivalScenario.start + .seconds(max(0, -wait)), ArrivalScenario.start + .seconds(max(0, wait))]
        } else {
            journeys.append(journeys[0])
        }
        let scenery = Scenery(kind.surroundings)
        let seconds = journeys[0].durationSeconds
        let shared = SharedError(amid: scenery, seconds: seconds, using: &generator)
        let tracks = kind.phones.indices.map { phone in
            kind.phones[phone].samples(
                of: journeys[phone],
                amid: scenery,
                on: ArrivalScenario.plane,
                from: starts[phone],
                sharing: kind.laterSeconds == nil ? shared : nil,
                using: &generator
            )
            .settled()
        }
        self.init(tracks, under: kind.criteria)
    }

    /// Two tracks, judged as a session judges them.
    init(_ tracks: [[SettledFix]], under criteria: ArrivalCriteria) {
        let arrivals = tracks.compactMap { fixes -> (Instant, ArrivalWay)? in
            var track = DeviceTrack(criteria: criteria)
            _ = track.insert(fixes, holding: fixes.count)
            guard let last = fixes.last, let arrival = track.arrival(at: last.time + .hours(1)) else { return nil }
            let recall = Recall(
                userID: .user(1),
                device: DeviceKey(deviceID: "phone"),
                askedAt: last.receivedAt,
                countsFrom: nil,
                criteria: criteria,
                limits: FixLimits(),
                wayTo: arrival.creditedAt
            )
            return (arrival.creditedAt, recall.judge(fixes).way)
        }
        guard arrivals.count == 2 else {
            (creditedAt, found) = (nil, nil)
            return
        }
        let times = arrivals.map(\.0)
        let (first, last) = (min(times[0], times[1]), max(times[0], times[1]))
        creditedAt = times
        found =
            last - first > CameTogether.longestBetween
            ? nil
            : CameTogether(
                UserPair(.user(1), .user(2)),
                by: arrivals[0].1,
                and: arrivals[1].1,
                creditedAt: first
            )
    }

    /// A straight way of four minutes to a spot within a third of the radius, and ten minutes there.
    private static func journey(
        _ kind: Kind,
        bearing: Double,
        using generator: inout SeededGenerator
    ) -> Journey {
        var walk = generator.fork()
        let spot = walk.point(within: kind.radiusMetres / 3)
        let metres = kind.radiusMetres + 240 * kind.pace.cruiseMps
        var itinerary = Itinerary(from: .polar(distanceMetres: metres, bearingDegrees: bearing))
        itinerary.move(to: spot, at: kind.pace)
        itinerary.pause(seconds: 600)
        return Journey(itinerary, using: &walk)
    }
}
