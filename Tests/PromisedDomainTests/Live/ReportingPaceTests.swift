import PromisedDomain
import PromisedTestMarks
import PromisedTestSupport
import Testing

/// The requested reporting pace of each participant (domain §5, docs/protocol.md#reporting-slots).
@Suite struct ReportingPaceTests {
    static func at(_ second: Double) -> Instant { .meeting + .seconds(second) }

    static func world(from metres: Double, mps: Double) -> SessionWorld {
        var world = SessionWorld(accepted: 2)
        let way = (0...20).map { step -> (second: Double, metres: Double) in
            let seconds = Double(step) * 5
            return (-1_700 + seconds, metres - mps * seconds)
        }
        world.walk(2, way)
        return world
    }

    /// The requested interval of user 2 in slots at t−1600 s.
    static func slots(_ world: SessionWorld) -> Int64 {
        let now = at(-1_600)
        let next = world.machine.nextReport(for: .user(2), at: now) ?? .zero
        return (next - world.machine.slot.untilNext(after: now)).milliseconds / 5_000 + 1
    }

    static func paces(_ world: SessionWorld) -> [TimeSpan?] {
        world.told.compactMap { event in
            if case .pace(.user(2), let next) = event { .some(next) } else { nil }
        }
    }

    @Test(
        .proves("5.4"),
        arguments: [
            // Distance at t−1600 s, speed, slots: the time left is (d − 50) × 1.2 / v.
            (2_000.0, 1.0, 1), (2_001, 1.0, 12), (5_000, 10, 1), (5_100, 10, 3), (10_000, 10, 3), (10_100, 10, 6),
            (20_000, 10, 6), (20_100, 10, 12), (30_000, 0, 1),
        ] as [(Double, Double, Int64)]
    )
    func `participants beyond 2 km and 10 min report less often`(metres: Double, mps: Double, slots: Int64) {
        let world = Self.world(from: metres + mps * 100, mps: mps)
        #expect(Self.slots(world) == slots)
    }

    @Test(.proves("5.4")) func `the pace is never slower than a minute`() {
        let world = Self.world(from: 90_000, mps: 5)
        #expect(world.machine.nextReport(for: .user(2), at: Self.at(-1_600)).map { $0 <= .seconds(60) } == true)
    }

    @Test func `a confirmed arrival stops reporting, a retraction resumes it`() {
        var world = SessionWorld(accepted: 2)
        world.arrive(2, at: 0)
        world.run(to: Self.at(220))
        #expect(Self.paces(world) == [nil])
        #expect(world.machine.nextReport(for: .user(2), at: Self.at(220)) == nil)
    }

    @Test func `freshness follows the requested pace`() {
        let world = Self.world(from: 40_000, mps: 10)
        let member = world.machine.view(at: Self.at(-1_545)).members[1]
        #expect(member.presence?.freshness == .live)
    }

    @Test(.proves("5.4")) func `requests every slot again from an approaching device`() {
        var world = Self.world(from: 6_500, mps: 10)
        #expect(Self.paces(world).count == 1)
        let way = (1...20).map { step -> (second: Double, metres: Double) in
            let seconds = Double(step) * 5
            return (-1_600 + seconds, 5_500 - 10 * seconds)
        }
        world.walk(2, way, first: 50)
        #expect(Self.paces(world).count == 2)
        #expect(world.machine.nextReport(for: .user(2), at: Self.at(-1_500)).map { $0 <= .seconds(5) } == true)
    }
}
