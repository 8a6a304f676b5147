import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestSupport
import Testing

@Suite struct VisitSiteTests {
    private static func market(
        categories: [String] = ["market/periodic"],
        hours: String = "day 2,7",
        facts: [DirectoryPlace.Fact] = []
    ) -> DirectoryPlace {
        let listing = PlaceListing(
            id: .place(1),
            name: "Moran Market",
            coordinate: .meetingPlace,
            categories: categories.map(CategoryID.init(text:)),
            region: RegionCode(text: "KR-41/성남시"),
            hours: PlaceHours(text: hours, timeZone: "Asia/Seoul"),
            source: "markets",
            revision: 1
        )
        return DirectoryPlace(listing: listing, ref: "1", facts: facts, updatedAt: .meeting)
    }

    @Test func `copies a place of the directory with its first category and region`() {
        let site = VisitSite(Self.market(categories: ["market/permanent", "cafe"]), in: .seoul)
        let moment = site.moment(at: .meeting)
        #expect(moment.place == Place(name: "Moran Market", coordinate: .meetingPlace, placeID: .place(1)))
        #expect(
            (moment.category, moment.region) == (CategoryID(text: "market/permanent"), RegionCode(text: "KR-41/성남시"))
        )
        #expect((moment.at, moment.localDate) == (.meeting, .date("2026-11-21")))
    }

    @Test func `keeps a promise's copy of the place unchanged`() {
        let copy = Place(name: "The old name", coordinate: .meetingPlace, placeID: .place(1))
        let moment = VisitSite(Self.market(), as: copy, in: .seoul).moment(at: .meeting)
        #expect(moment.place == copy)
        #expect(moment.category == CategoryID(text: "market/periodic"))
    }

    @Test func `a described place has the region of its address and no category`() {
        let place = Place(name: "Here", address: "서울시 종로구 종로 1", coordinate: .meetingPlace)
        let moment = VisitSite(place, in: .seoul).moment(at: .meeting)
        #expect((moment.place, moment.category, moment.isMarketDay) == (place, nil, false))
        #expect(moment.region == RegionCode(text: "KR-11/종로구"))
        #expect(VisitSite(Place(name: "Here", coordinate: .meetingPlace), in: .utc).moment(at: .meeting).region == nil)
    }

    @Test(arguments: [
        ("2026-11-21 23:59", "2026-11-21"), ("2026-11-22 00:00", "2026-11-22"), ("2026-12-31 23:30", "2026-12-31"),
    ])
    func `the date is that of the place`(local: String, date: String) {
        for zone in [ZoneOffsets.seoul, .newYork, .adelaide] {
            let moment = VisitSite(Self.market(), in: zone).moment(at: zone.instant(local))
            #expect(moment.localDate == .date(date))
        }
    }

    @Test(arguments: [
        // A market on the days that end in 2 and 7, all day and at certain times.
        (market(), "2026-11-22 00:00", true), (market(), "2026-11-22 23:59", true),
        (market(), "2026-11-21 12:00", false),
        (market(hours: "day 2,7 09:00-18:00"), "2026-11-22 20:00", true),
        // Open daily with market days besides.
        (
            market(
                categories: ["market/permanent", "market/periodic"],
                hours: "Mo-Su",
                facts: [DirectoryPlace.Fact(key: "market-days", value: "4,9")]
            ), "2026-11-22 12:00", false
        ),
        (
            market(
                categories: ["market/permanent", "market/periodic"],
                hours: "Mo-Su",
                facts: [DirectoryPlace.Fact(key: "market-days", value: "4,9")]
            ), "2026-11-24 12:00", true
        ),
        (market(categories: ["market/permanent"]), "2026-11-22 12:00", false),
        (market(hours: ""), "2026-11-22 12:00", false), (market(hours: "unreadable"), "2026-11-22 12:00", false),
        (market(hours: "unknown"), "2026-11-22 12:00", false),
    ])
    func `a market day is a day of a periodic market`(market: DirectoryPlace, local: String, isMarketDay: Bool) {
        let moment = VisitSite(market, in: .seoul).moment(at: ZoneOffsets.seoul.instant(local))
        #expect(moment.isMarketDay == isMarketDay)
    }
}
