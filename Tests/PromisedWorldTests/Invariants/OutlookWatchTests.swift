import PromisedDomain
import PromisedPlaces
import PromisedProtocol
import PromisedTestMarks
import PromisedTestSupport
import PromisedWire
import Testing

@testable import PromisedWorld

@Suite struct OutlookWatchTests {
    private static let promise = PromiseID(high: 1, low: 1)

    private static func committed(_ membership: String) -> CommittedRows {
        var committed = CommittedRows()
        committed.parts[promise] = [.user(1): .init(membership: membership, wasAccepted: true, isExcused: false)]
        return committed
    }

    /// An outlook of one hour with this temperature.
    private static func outlook(_ temperature: Double) throws -> WireOutlook {
        let hour = ForecastHour(at: .meeting, condition: .clear, temperatureCelsius: temperature)
        let cell = try #require(WeatherSource.openMeteo.cell(at: Story.place))
        let record = WeatherRecord(cell: cell, source: .openMeteo, fetchedAt: .meeting, hours: [hour])
        let weather = WeatherOutlook(.ready, from: record, at: .meeting)
        #expect(weather.report != nil)
        return WireOutlook(PlaceOutlook(at: .meeting, weather: weather))
    }

    @Test(.proves("18.31")) func `finds weather of a promise for an outsider`() throws {
        let outlook = WireOutlook(PlaceOutlook(at: .meeting, weather: WeatherOutlook(without: .pending)))
        for membership in ["invited", "accepted"] {
            var watch = OutlookWatch { _ in true }
            #expect(throws: Violation.self) { try watch.check(outlook, of: Self.promise, to: .user(1), at: .meeting) }
            watch.noteCommit(Self.committed(membership), at: .meeting)
            try watch.check(outlook, of: Self.promise, to: .user(1), at: .meeting)
            #expect(throws: Violation.self) { try watch.check(outlook, of: Self.promise, to: .user(2), at: .meeting) }
            // It may be on its way while its reader leaves.
            watch.noteCommit(Self.committed("left"), at: .meeting)
            try watch.check(outlook, of: Self.promise, to: .user(1), at: .meeting + .seconds(4))
            #expect(throws: Violation.self) {
                try watch.check(outlook, of: Self.promise, to: .user(1), at: .meeting + .seconds(6))
            }
        }
    }

    @Test func `finds a temperature of no provider`() throws {
        var watch = OutlookWatch { $0 < 50 }
        watch.noteCommit(Self.committed("accepted"), at: .meeting)
        try watch.check(Self.outlook(20.5), of: Self.promise, to: .user(1), at: .meeting)
        #expect(throws: Violation.self) {
            try watch.check(Self.outlook(SimulatedSky.nonsense), of: Self.promise, to: .user(1), at: .meeting)
        }
    }
}
