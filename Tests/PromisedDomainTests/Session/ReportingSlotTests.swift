import PromisedDomain
import PromisedTestSupport
import Testing

@Suite struct ReportingSlotTests {
    static let interval = TimeSpan.seconds(5)

    static func slot(_ number: UInt64) -> ReportingSlot {
        ReportingSlot(of: PromiseID(high: 0x7000, low: 0x8000_0000_0000_0000 | number), interval: interval)
    }

    @Test(arguments: [0, 1, 1_234, 4_999, 5_000, 123_456_789] as [UInt64])
    func `the next slot lies ahead, at most an interval, always at the same offset`(number: UInt64) {
        let slot = Self.slot(number)
        #expect(slot.offset >= .zero && slot.offset < Self.interval)
        for milliseconds in [-5_001, -1, 0, 1, 2_500, 4_999, 5_000, 1_795_251_600_123] as [Int64] {
            let now = Instant(milliseconds: milliseconds)
            let wait = slot.untilNext(after: now)
            #expect(wait > .zero && wait <= Self.interval)
            let phase = ((now + wait).milliseconds - slot.offset.milliseconds) % Self.interval.milliseconds
            #expect(phase == 0)
        }
    }

    @Test(arguments: [(-501, 501), (-500, 500), (-499, 5_499), (-1, 5_001), (0, 5_000), (250, 4_750)])
    func `reports a little early are those of the slot they were early to`(milliseconds: Int, wait: Int) {
        let slot = Self.slot(1_234)
        let now = Instant(milliseconds: 10_000 + slot.offset.milliseconds + Int64(milliseconds))
        #expect(slot.untilNext(afterReportsBy: now) == .milliseconds(Int64(wait)))
    }

    @Test func `sessions spread over the interval`() {
        var generator = SeededGenerator(seed: 5)
        var tenths = [Int](repeating: 0, count: 10)
        for _ in 0..<10_000 {
            let slot = ReportingSlot(of: PromiseID(at: .meeting, using: &generator), interval: Self.interval)
            tenths[Int(slot.offset.milliseconds / 500)] += 1
        }
        #expect(tenths.allSatisfy { (850...1_150).contains($0) })
    }

    @Test func `sessions of the same step report at the same moment`() {
        var generator = SeededGenerator(seed: 6)
        let offsets = Set(
            (0..<10_000).map { _ in
                ReportingSlot(of: PromiseID(at: .meeting, using: &generator), interval: Self.interval).offset
            }
        )
        #expect(offsets == Set((0..<ReportingSlot.steps).map { .milliseconds($0 * 100) }))
    }

    @Test func `an interval shorter than the grid has a slot all the same`() {
        var generator = SeededGenerator(seed: 7)
        for milliseconds in [1, 7, 49] as [Int64] {
            let interval = TimeSpan.milliseconds(milliseconds)
            for _ in 0..<100 {
                let slot = ReportingSlot(of: PromiseID(at: .meeting, using: &generator), interval: interval)
                #expect(slot.offset >= .zero && slot.offset < interval)
            }
        }
    }

    @Test(arguments: [-3_600_000, -1_800_001, -1_800_000, -1_799_999, 0, 10_799_999])
    func `a participant is asked for the first slot inside the window`(milliseconds: Int) throws {
        let world = SessionWorld(accepted: 2)
        let now = Instant.meeting + .milliseconds(Int64(milliseconds))
        let wait = try #require(world.machine.nextReport(for: .user(2), at: now))
        let slot = world.machine.slot
        let opening = world.machine.promise.opensAt
        #expect(wait > .zero)
        #expect(((now + wait).milliseconds - slot.offset.milliseconds) % slot.interval.milliseconds == 0)
        #expect(now + wait >= opening)
        #expect(now + wait <= max(now, opening) + slot.interval)
    }
}
