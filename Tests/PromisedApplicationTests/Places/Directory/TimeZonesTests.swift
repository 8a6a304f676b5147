import Foundation
import PromisedDomain
import PromisedPlaces
import Testing

@testable import PromisedApplication

@Suite struct TimeZonesTests {
    private static let zones = TimeZones(years: 2024...2030)

    @Test(arguments: [
        "UTC", "Asia/Seoul", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu",
    ])
    func `offsets agree with the system every three hours of seven years`(name: String) throws {
        let zone = try #require(TimeZone(identifier: name))
        let offsets = try #require(Self.zones.offsets(of: name))
        let start = try #require(Instant(rfc3339: "2024-01-01T00:00:00Z"))
        for step in Int64(0)..<(7 * 365 * 8) {
            let instant = start + .hours(3 * step)
            let date = Date(timeIntervalSince1970: TimeInterval(instant.milliseconds / 1_000))
            #expect(offsets.offsetSeconds(at: instant) == zone.secondsFromGMT(for: date), "\(instant.rfc3339)")
        }
    }

    @Test func `finds a transition to the second`() throws {
        let berlin = try #require(Self.zones.offsets(of: "Europe/Berlin"))
        let change = try #require(Instant(rfc3339: "2026-03-29T01:00:00Z"))
        #expect(berlin.offsetSeconds(at: change - .milliseconds(1)) == 3_600)
        #expect(berlin.offsetSeconds(at: change) == 7_200)
    }

    @Test func `an unknown zone has no offsets`() {
        #expect(Self.zones.offsets(of: "Asia/Nowhere") == nil)
        #expect(Self.zones.offsets(of: "") == nil)
    }

    @Test func `the zones around an instant reach from 21 years before it to ten years after it`() throws {
        let zones = TimeZones(around: PlaceWorld.noon)
        let newYork = try #require(zones.offsets(of: "America/New_York"))
        for (day, offset) in [
            ("2005-07-01", -14_400), ("2025-07-01", -14_400), ("2036-07-01", -14_400), ("2036-12-01", -18_000),
        ] {
            let instant = try #require(Instant(rfc3339: day + "T00:00:00Z"))
            #expect(newYork.offsetSeconds(at: instant) == offset, "\(day)")
        }
    }
}

@Suite struct PlaceOpeningsTests {
    private static let openings = PlaceOpenings(
        zones: TimeZones(around: PlaceWorld.noon),
        defaultZone: "Asia/Tokyo",
        holidays: .empty
    )

    @Test(arguments: [
        // 12:00 in Seoul and Tokyo, 04:00 in Berlin.
        ("Mo 11:00-13:00", "Asia/Seoul", OpeningState.open), ("Mo 11:00-13:00", "Europe/Berlin", .closed),
        ("Mo 03:00-05:00", "Europe/Berlin", .open), ("Mo 11:00-13:00", "", .open), ("Mo", "Asia/Seoul", .thatDay),
        ("sunrise-sunset", "Asia/Seoul", .unknown), ("", "Asia/Seoul", .unknown),
        ("Mo 11:00-13:00", "Asia/Nowhere", .unknown),
    ])
    func `reads hours in their time zone, or the operator's`(text: String, zone: String, state: OpeningState) {
        let hours = PlaceHours(text: text, timeZone: zone)
        // The second result is from the cache.
        for _ in 0..<2 { #expect(Self.openings.state(of: hours, at: PlaceWorld.noon) == state) }
        #expect((Self.openings.outlook(of: hours, at: PlaceWorld.noon)?.state ?? .unknown) == state)
        #expect((Self.openings.week(of: hours, from: PlaceWorld.noon) == nil) == (state == .unknown))
    }
}
