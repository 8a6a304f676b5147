import Foundation
import PromisedDomain
import PromisedJournal
import PromisedPlaces
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct VisitZoneTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let place: Coordinate
        let at: String
        var source = ""
        var own = "UTC"
        let date: String
        var testDescription: String { name }
    }

    private static let sanFrancisco = Coordinate(latitude: 37.7749, longitude: -122.4194)
    private static let seoul = Coordinate(latitude: 37.5700, longitude: 126.9999)
    /// Between Chicago and Denver.
    private static let wichita = Coordinate(latitude: 37.69, longitude: -97.34)

    private static let cases = [
        Case(
            name: "a user of Seoul in San Francisco",
            place: sanFrancisco,
            at: "2027-06-02T03:00:00Z",
            own: "Asia/Seoul",
            date: "2027-06-01"
        ),
        Case(name: "breakfast in Seoul", place: seoul, at: "2026-11-20T22:30:00Z", date: "2026-11-21"),
        Case(name: "dinner in Seoul", place: seoul, at: "2026-11-21T14:59:59Z", date: "2026-11-21"),
        Case(name: "midnight in Seoul", place: seoul, at: "2026-11-21T15:00:00Z", date: "2026-11-22"),
        Case(
            name: "past midnight in Berlin in summer",
            place: Coordinate(latitude: 52.5, longitude: 13.4),
            at: "2026-07-01T22:30:00Z",
            own: "America/New_York",
            date: "2026-07-02"
        ),
        Case(
            name: "before midnight in Berlin in winter",
            place: Coordinate(latitude: 52.5, longitude: 13.4),
            at: "2026-12-01T22:30:00Z",
            own: "Asia/Tokyo",
            date: "2026-12-01"
        ),
        Case(
            name: "Christmas Island, 14 hours ahead",
            place: Coordinate(latitude: 1.87, longitude: -157.4),
            at: "2026-11-21T10:30:00Z",
            date: "2026-11-22"
        ),
        Case(
            name: "the zones around differ, and the user's has a date of theirs",
            place: wichita,
            at: "2026-12-01T06:30:00Z",
            own: "America/Denver",
            date: "2026-11-30"
        ),
        Case(
            name: "the zones around differ, and the user's has the other",
            place: wichita,
            at: "2026-12-01T06:30:00Z",
            own: "America/Chicago",
            date: "2026-12-01"
        ),
        Case(
            name: "the zone of the source counts before the position",
            place: seoul,
            at: "2026-11-21T03:00:00Z",
            source: "America/New_York",
            own: "Asia/Seoul",
            date: "2026-11-20"
        ),
        Case(
            name: "a source's zone that nobody knows is none",
            place: seoul,
            at: "2026-11-20T22:30:00Z",
            source: "Asia/Nowhere",
            date: "2026-11-21"
        ),
    ]

    private static func offsets(of name: String) -> ZoneOffsets? { ZoneOffsets(identifier: name, years: 2025...2028) }

    @Test(.proves("16.6"), arguments: cases) func `a visit has the date of its place`(_ visit: Case) throws {
        let zone = VisitZone(of: visit.place, source: visit.source, zone: Self.offsets)
        let at = try #require(Instant(rfc3339: visit.at))
        let day = zone.offsets(at: at, own: Self.offsets(of: visit.own)).day(at: at)
        #expect(CivilDate(daysSince1970: day) == .date(visit.date))
    }

    @Test(.proves("16.6")) func `uses the user's zone where no other is known`() throws {
        let zone = VisitZone(of: Self.seoul) { _ in nil }
        let at = try #require(Instant(rfc3339: "2026-11-21T03:00:00Z"))
        #expect(zone.offsets(at: at, own: .newYork) == .newYork)
        #expect(zone.offsets(at: at, own: nil) == .utc)
    }

    @Test func `uses the nearest zone where the zones around differ and the user is elsewhere`() throws {
        let zones = [ZoneOffsets(offsetSeconds: -6 * 3_600), ZoneOffsets(offsetSeconds: -7 * 3_600)]
        let zone = VisitZone(of: Self.wichita) { name in
            switch name {
            case "America/Chicago": zones[0]
            case "America/Denver": zones[1]
            default: nil
            }
        }
        let around = ZoneEstimate.zones(around: Self.wichita).filter {
            ["America/Chicago", "America/Denver"].contains($0)
        }
        try #require(around.count == 2)
        let at = try #require(Instant(rfc3339: "2026-12-01T06:30:00Z"))
        // Its date differs from those of the others.
        let far = ZoneOffsets(offsetSeconds: 18 * 3_600)
        #expect(zone.offsets(at: at, own: far) == (around[0] == "America/Chicago" ? zones[0] : zones[1]))
    }
}
