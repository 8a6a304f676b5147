import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestSupport

extension VisitID {
    static func visit(_ number: UInt64) -> VisitID { VisitID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}

extension FileID {
    static func file(_ number: UInt64) -> FileID { FileID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}

extension PlaceID {
    static func place(_ number: UInt64) -> PlaceID { PlaceID(high: 0x7000, low: 0x8000_0000_0000_0000 | number) }
}

extension VisitMoment {
    /// A visit some days after the tests' meetings, by default to a new place.
    static func sample(
        place: UInt64? = 1,
        coordinate: Coordinate = .meetingPlace,
        name: String = "Gwangjang Market",
        category: String? = "market/permanent",
        region: String? = "KR-11/종로구",
        day: Int64 = 0,
        isMarketDay: Bool = false
    ) -> VisitMoment {
        let at = Instant.meeting + .days(day)
        return VisitMoment(
            place: Place(name: name, coordinate: coordinate, placeID: place.map(PlaceID.place)),
            category: category.map(CategoryID.init(text:)),
            region: region.map(RegionCode.init(text:)),
            at: at,
            localDate: CivilDate(daysSince1970: at.milliseconds / 86_400_000),
            isMarketDay: isMarketDay
        )
    }
}

extension Visit {
    static func sample(
        _ number: UInt64 = 1,
        of user: UserID = .user(1),
        source: Source = .hand,
        moment: VisitMoment = .sample(),
        notes: VisitNotes = VisitNotes(title: "Lunch"),
        companions: [Companion] = [],
        audience: Audience = .onlyMe
    ) -> Visit {
        Visit(
            id: .visit(number),
            userID: user,
            source: source,
            moment: moment,
            notes: notes,
            companions: companions,
            audience: audience
        )
    }
}

extension Visit.Source {
    static let sampleArrival = Visit.Source.arrival(
        VisitArrival(promiseID: Promise.sample().id, outcome: .early, rank: 1)
    )
}

extension VisitWeather {
    /// 21 °C at an hour.
    static func sample(at hour: Instant) -> VisitWeather? {
        guard let cell = WeatherSource.openMeteo.cell(at: .meetingPlace) else { return nil }
        let record = WeatherRecord(
            cell: cell,
            source: .openMeteo,
            fetchedAt: hour,
            hours: [ForecastHour(at: hour, condition: .clear, temperatureCelsius: 21)]
        )
        return WeatherOutlook.Report(record, at: hour).map(VisitWeather.init)
    }
}
