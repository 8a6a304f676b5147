import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// Places named by the issue and by users, each through the whole machine.
@Suite struct NamedPlaceTests {
    @Test(
        .proves("5.11"),
        arguments: [
            Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: .nan, longitude: 127),
            Coordinate(latitude: 0, longitude: .nan), Coordinate(latitude: .infinity, longitude: 127),
            Coordinate(latitude: 91, longitude: 127), Coordinate(latitude: 0, longitude: -180.001),
        ]
    )
    func `rejects a fix at 0, 0 without a change`(nowhere: Coordinate) {
        var world = SessionWorld(accepted: 2)
        var fix = PhoneClock().wallFix(at: .meeting)
        fix.coordinate = nowhere
        world.report(2, [PhoneClock().wallFix(seq: 9, at: .meeting - .seconds(5), metres: 30)], at: -5)
        let archived = world.archive
        let reply = world.report(2, [fix], at: -1)
        #expect(reply?.receipt?.taken == [])
        #expect(reply?.receipt?.rejected == [.init(seq: 1, reason: .positionInvalid)])
        #expect(world.archive == archived)
    }

    @Test(.proves("5.14"), arguments: [180.0, -180])
    func `detects an arrival at ±180° from either side`(longitude: Double) {
        let place = Coordinate(latitude: 10, longitude: longitude)
        var world = SessionWorld(.sample(coordinate: place), accepted: 3)
        for (user, side) in [(2, 179.9999), (3, -179.9999)] as [(UInt64, Double)] {
            var fix = PhoneClock().wallFix(seq: 1, at: .meeting)
            fix.coordinate = Coordinate(latitude: 10, longitude: side)
            world.report(user, [fix], at: 0)
            #expect((world.takePositions(at: .meeting).first?.distanceMetres ?? 99) < 12)
        }
        for (user, side) in [(2, 179.9999), (3, -179.9999)] as [(UInt64, Double)] {
            var fix = PhoneClock().wallFix(seq: 2, at: .meeting + .seconds(5))
            fix.coordinate = Coordinate(latitude: 10, longitude: side)
            world.report(user, [fix], at: 5)
        }
        #expect([2, 3].map { world.entry($0)?.rank } == [1, 1])
    }

    @Test(.proves("5.14"), arguments: [90.0, -90])
    func `detects an arrival at the pole along any meridian`(latitude: Double) {
        let place = Coordinate(latitude: latitude, longitude: 0)
        var world = SessionWorld(.sample(coordinate: place), accepted: 3)
        let near = latitude - (latitude < 0 ? -20 : 20) / Coordinate.metresPerDegree
        for second in [0.0, 5] {
            for (user, longitude) in [(2, 100), (3, -80)] as [(UInt64, Double)] {
                var fix = PhoneClock().wallFix(seq: UInt32(second) + 1, at: .meeting + .seconds(second))
                fix.coordinate = Coordinate(latitude: near, longitude: longitude)
                world.report(user, [fix], at: second)
            }
        }
        #expect([2, 3].map { world.entry($0)?.rank } == [1, 1])
        let positions = world.takePositions(at: .meeting + .seconds(5))
        #expect(positions.count == 2)
        #expect(positions.allSatisfy { abs($0.distanceMetres - 20) < 0.01 })
    }
}

extension Coordinate {
    fileprivate static let metresPerDegree = earthRadiusMetres * .pi / 180
}
