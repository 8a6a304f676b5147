import PromisedDomain
import PromisedSimulation

/// The simulated friends of the demo, and how they arrive (or do not).
///
/// The same seed always gives the same story. Most phones have measured errors (`MeasuredPhone`); every third of the
/// additional friends has an ideal receiver (`GPSReceiver`).
struct DemoCast: Sendable {
    /// A friend's part in the story.
    enum Part: CaseIterable, Sendable {
        /// Walks and is four minutes early.
        case walker
        /// Rides a bicycle and is on time.
        case cyclist
        /// Drives, waits at long red lights, and is eight minutes late.
        case lateDriver
        /// Stays at home with the phone on.
        case noShow
        /// Walks, but the phone dies at the door.
        case silent
        /// Drives past, parks farther on and walks back.
        case passerBy
    }

    /// The place: a square in the middle of Seoul.
    static let place = Place(
        name: "Gwanghwamun Square",
        address: "Jongno-gu, Seoul",
        coordinate: Coordinate(latitude: 37.572_389, longitude: 126.976_917)
    )
    static let radiusMetres = 60
    static let participants = 6...20
    private static let nicknames = [
        "Haneul", "Bada", "Noeul", "Byeol", "Sol", "Maru", "Iseul", "Garam", "Nuri", "Saebyeok", "Dalbit", "Achim",
        "Pado", "Ondal", "Barom", "Solbi", "Danbi", "Eunha", "Miri", "Hyeram",
    ]

    private let plane = LocalPlane(origin: place.coordinate)
    private let meetsAt: Instant
    private var generator: SeededGenerator

    init(meetsAt: Instant, seed: UInt64 = 20) {
        self.meetsAt = meetsAt
        generator = SeededGenerator(seed: seed)
    }

    /// The plan for `count` friends; the six parts come first, all others walk.
    mutating func plan(participants count: Int) -> MeetupPlan {
        var people: [MeetupPlan.Person] = []
        for index in 0..<count {
            let part = index < Part.allCases.count ? Part.allCases[index] : .walker
            let nickname = DemoCast.nicknames[index % DemoCast.nicknames.count]
            let samples = index < Part.allCases.count ? samples(of: part) : extra(index)
            people.append(MeetupPlan.Person(nickname: nickname, reports: reports(samples)))
        }
        return MeetupPlan(
            title: "Dinner in Seoul",
            place: DemoCast.place,
            radiusMetres: DemoCast.radiusMetres,
            meetsAt: meetsAt,
            rule: .robust,
            penalty: Penalty(amount: 5_000, currency: "KRW"),
            people: people
        )
    }

    private mutating func samples(of part: Part) -> [GPSSample] {
        switch part {
        case .walker: arrive(from: (1_400, 70), at: .walking, offset: .minutes(-4), with: .iPhone)
        case .cyclist: arrive(from: (4_200, 200), at: .cycling, offset: .seconds(20), with: .android)
        case .lateDriver:
            arrive(from: (7_500, 320), at: .driving, offset: .minutes(8), throughRedLights: true, with: .iPhone)
        case .noShow: stayHome()
        case .silent: untilTheDoor(arrive(from: (1_100, 130), at: .walking, offset: .minutes(-2), with: .android))
        case .passerBy: drivePast()
        }
    }

    /// - Parameter index: the number of the friend, which determines the phone.
    private mutating func extra(_ index: Int) -> [GPSSample] {
        let bearing = generator.uniform(0...360)
        let offset = TimeSpan.seconds(generator.uniform(-600 ... -30).rounded())
        let start = (generator.uniform(700...1_500), bearing)
        return arrive(from: start, at: .walking, offset: offset, with: [nil, .iPhone, .android][index % 3])
    }

    /// A way that enters the circle at the meeting time plus `offset` and ends at its centre.
    private mutating func arrive(
        from start: (metres: Double, bearing: Double),
        at pace: Pace,
        offset: TimeSpan,
        throughRedLights: Bool = false,
        with system: MeasuredPhone.System?
    ) -> [GPSSample] {
        let home = PlanePoint.polar(distanceMetres: start.metres, bearingDegrees: start.bearing)
        let corner = PlanePoint.polar(distanceMetres: start.metres * 0.5, bearingDegrees: start.bearing + 25)
        let route = Route([home, corner, .origin])
        var itinerary = Itinerary(from: home)
        let stops = throughRedLights ? Itinerary.Stop.redLights(along: route, using: &generator) : []
        itinerary.move(along: route, at: pace, stops: stops)
        itinerary.pause(seconds: 400)
        let journey = Journey(itinerary, using: &generator)
        let entry = journey.firstEntrySeconds(within: Double(DemoCast.radiusMetres), of: .origin) ?? 0
        // All friends wait on the square, on foot.
        let scenery = Scenery(pace.surroundings).then(.foot, atSeconds: entry)
        return samples(journey, amid: scenery, from: meetsAt + offset - .seconds(entry), with: system)
    }

    private mutating func stayHome() -> [GPSSample] {
        var itinerary = Itinerary(from: .polar(distanceMetres: 6_000, bearingDegrees: 270))
        itinerary.pause(seconds: 3_000)
        let journey = Journey(itinerary, using: &generator)
        return samples(journey, amid: Scenery(.indoors), from: meetsAt - .minutes(30), with: .iPhone)
    }

    private mutating func drivePast() -> [GPSSample] {
        let parking = PlanePoint.polar(distanceMetres: 450, bearingDegrees: 60)
        var itinerary = Itinerary(from: .polar(distanceMetres: 5_000, bearingDegrees: 240))
        let passing = PlanePoint.polar(distanceMetres: 15, bearingDegrees: 150)
        itinerary.move(along: Route([itinerary.end, passing, parking]), at: .driving)
        itinerary.pause(seconds: 90)
        itinerary.move(to: .origin, at: .walking)
        itinerary.pause(seconds: 400)
        let journey = Journey(itinerary, using: &generator)
        let walkSeconds = 450 / Pace.walking.cruiseMps
        let start = meetsAt - .seconds(journey.durationSeconds - 400 - walkSeconds * 0.15 + 180)
        let scenery = Scenery(.car).then(.foot, atSeconds: journey.durationSeconds - 400 - walkSeconds)
        return samples(journey, amid: scenery, from: start, with: .android)
    }

    /// Cuts a way off at the first fix well inside the circle, where the phone dies.
    private func untilTheDoor(_ samples: [GPSSample]) -> [GPSSample] {
        let door = Double(DemoCast.radiusMetres) * 0.6
        let index = samples.firstIndex { $0.coordinate.distanceMetres(to: DemoCast.place.coordinate) <= door }
        return Array(samples.prefix((index ?? samples.count - 1) + 1))
    }

    /// - Parameter system: the system whose measured errors the phone has; nil for a good receiver's errors.
    private mutating func samples(
        _ journey: Journey,
        amid scenery: Scenery,
        from start: Instant,
        with system: MeasuredPhone.System?
    ) -> [GPSSample] {
        guard let system else {
            let receiver = GPSReceiver(noise: GPSNoise(sigmaMetres: 4, outlierShare: 0.005))
            return receiver.samples(of: journey, on: plane, from: start, using: &generator)
        }
        return MeasuredPhone(system).samples(of: journey, amid: scenery, on: plane, from: start, using: &generator)
    }

    private func reports(_ samples: [GPSSample]) -> [PlannedReport] {
        let window = (meetsAt - WindowSpans().before)..<(meetsAt + WindowSpans().after)
        return samples.filter { window.contains($0.time) }.enumerated().map { index, sample in
            PlannedReport(
                at: sample.time,
                fix: Fix(
                    seq: UInt32(index + 1),
                    coordinate: sample.coordinate,
                    accuracyMetres: sample.accuracyMetres,
                    speedMps: sample.speedMps,
                    wallMs: Double(sample.time.milliseconds)
                )
            )
        }
    }
}

extension Pace {
    /// The surroundings of a person moving at this pace.
    fileprivate var surroundings: Surroundings {
        cruiseMps < 3 ? .foot : cruiseMps < 8 ? .wheels : .car
    }
}
