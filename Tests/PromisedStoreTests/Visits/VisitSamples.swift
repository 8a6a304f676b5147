import PromisedConcurrency
import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestSupport
import Testing

@testable import PromisedStore

extension ID where Subject == VisitSubject {
    /// The id of the visit with that number; ids are ordered as the numbers are.
    static func visit(_ number: UInt64) -> VisitID { VisitID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}

extension VisitMoment {
    /// A place and time with every field filled but the place's id.
    static func sample(
        at: Instant = .meeting - .days(1),
        name: String = "광장시장",
        placeID: PlaceID? = nil,
        category: String? = "market/permanent",
        region: String? = "KR-11/종로구"
    ) -> VisitMoment {
        VisitMoment(
            place: Place(name: name, address: "서울 종로구", coordinate: .meetingPlace, placeID: placeID),
            category: category.map(CategoryID.init(text:)),
            region: region.map(RegionCode.init(text:)),
            at: at,
            localDate: CivilDate(daysSince1970: (at + .hours(9)).milliseconds / 86_400_000),
            isMarketDay: category != nil
        )
    }
}

extension VisitDraft {
    /// A visit with every field filled.
    static func sample(
        moment: VisitMoment = .sample(),
        photos: [Photo] = [],
        companions: [Companion] = [.named("Bea")],
        audience: Audience = .onlyMe
    ) -> VisitDraft {
        VisitDraft(
            moment: moment,
            notes: VisitNotes(kind: .food, title: "Lunch", memo: "Twice\nthe noodles", emoji: "🍜", photos: photos),
            companions: companions,
            audience: audience,
            weather: .sample(at: moment.at)
        )
    }
}

extension VisitWeather {
    /// Rain with every field filled, in the hour of an instant.
    static func sample(at instant: Instant) -> VisitWeather? {
        let hour = Instant(milliseconds: instant.milliseconds / 3_600_000 * 3_600_000)
        let forecast = ForecastHour(
            at: hour,
            condition: .rain,
            temperatureCelsius: -0.4,
            feltCelsius: -3.1,
            precipitationPercent: 80,
            precipitationMm: 1.5,
            snowCm: 0.1,
            windMps: 3.3,
            gustMps: 9.7,
            humidityPercent: 91
        )
        let record = WeatherRecord(
            cell: .kma(x: 60, y: 127),
            source: .kma,
            fetchedAt: hour - .minutes(50),
            hours: [forecast],
            air: [AirHour(at: hour, pm10: 12.5, pm25: nil)]
        )
        return WeatherOutlook.Report(record, at: instant).map(VisitWeather.init)
    }
}

extension Store {
    /// Adds a visit of user 1 by hand, or of another, with photos that exist.
    @discardableResult
    func createVisit(
        _ number: UInt64,
        of user: UserID = .user(1),
        photos: [UInt64] = [],
        _ change: (inout VisitDraft) -> Void = { _ in }
    ) async throws -> Visit {
        var draft = VisitDraft.sample(photos: photos.map { Photo(fileID: .file($0), caption: "Photo \($0)") })
        change(&draft)
        return try await create(draft, number, of: user).get()
    }

    func create(
        _ draft: VisitDraft,
        _ number: UInt64,
        of user: UserID = .user(1),
        key: String? = nil,
        hash: UInt8 = 1,
        at now: Instant = .meeting
    ) async throws(StoreError) -> Result<Visit, Refusal> {
        try await visits.createVisit(
            draft,
            id: .visit(number),
            of: user,
            key: key ?? "visit \(number)",
            contentHash: [hash],
            at: now
        )
    }

    /// Commits with the visits of a result. Returns those that were written.
    @discardableResult
    func commit(_ commit: SessionCommit, ownerEpoch: Int, visits: ArrivalVisits) async throws -> [Visit] {
        let made = Guarded<[Visit]>([])
        let passenger = CommitPassenger.visits(visits) { visits in made.withLock { $0 = visits } }
        try await sessions.commit(commit, ownerEpoch: ownerEpoch, with: [passenger])
        return made.withLock { $0 }
    }

    /// Finishes promises so that user 1 has a visit of each, by the numbers of the promises.
    func arrive(_ numbers: ClosedRange<UInt64>, visits: ArrivalVisits = .inUTC) async throws -> [Visit] {
        var made: [Visit] = []
        for number in numbers {
            let promise = Promise.sample(number: number)
            let epoch = try await open(promise, with: [.invited(.user(2))])
            made += try await commit(SessionCommitTests.final(of: promise), ownerEpoch: epoch, visits: visits)
        }
        return made
    }
}
