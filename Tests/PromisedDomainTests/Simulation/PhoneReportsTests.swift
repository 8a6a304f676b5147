import PromisedDomain
import PromisedSimulation
import Testing

@Suite struct PhoneReportsTests {
    private static let noon = Instant(milliseconds: 1_575_028_800_000)

    @Test func `reports contain the newest recorded point, each once`() {
        let seconds: [Double] = [0, 1, 4, 5, 6, 21, 22]
        let place = Coordinate(latitude: 1, longitude: 2)
        let points = seconds.map { RidePoint(time: Self.noon + .seconds($0), coordinate: place) }
        let reports = points.shuffled().reports(every: .seconds(5), from: Self.noon)
        #expect(reports.map { ($0.at - Self.noon).seconds } == [0, 5, 10, 25])
        #expect(reports.map { ($0.point.time - Self.noon).seconds } == [0, 5, 6, 22])
    }

    @Test func `reports begin with the newest point recorded before the first step`() {
        let place = Coordinate(latitude: 1, longitude: 2)
        let points = [-9.0, -3, 5.001].map { RidePoint(time: Self.noon + .seconds($0), coordinate: place) }
        let reports = points.reports(every: .seconds(5), from: Self.noon)
        #expect(reports.map { ($0.at - Self.noon).seconds } == [0, 10])
        #expect(reports.map { ($0.point.time - Self.noon).seconds } == [-3, 5.001])
        #expect([RidePoint]().reports(every: .seconds(5), from: Self.noon).isEmpty)
    }
}
