import PromisedDomain
import PromisedSimulation
import PromisedTestMarks
import PromisedTestSupport
import Testing

@Suite struct ReportingSlotTests {
    static let interval = TimeSpan.seconds(5)

    static let grids = [ReportingGrid.coarsest, .finest]

    static func slot(_ number: UInt64, on grid: ReportingGrid = .finest) -> ReportingSlot {
        let id = PromiseID(high: 0x7000, low: 0x8000_0000_0000_0000 | number)
        return ReportingSlot(of: id, interval: interval, on: grid)
    }

    @Test(arguments: [0, 1 << 30, 1 << 55, 0x2AAA_AAAA_AAAA_AAAA, 0x3FFF_FFFF_FFFF_FFFF] as [UInt64], grids)
    func `the next slot is at most an interval ahead, always at the same offset`(
        number: UInt64,
        grid: ReportingGrid
    ) {
        let slot = Self.slot(number, on: grid)
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
    func `assigns slightly early reports to the coming slot`(milliseconds: Int, wait: Int) {
        let slot = Self.slot(0x1234_5678_9ABC_DEF0)
        let now = Instant(milliseconds: 10_000 + slot.offset.milliseconds + Int64(milliseconds))
        #expect(slot.untilNext(afterReportsBy: now) == .milliseconds(Int64(wait)))
    }

    @Test(arguments: grids) func `spreads sessions evenly over the slots`(grid: ReportingGrid) {
        var generator = SeededGenerator(seed: 5)
        var shares: [TimeSpan: Int] = [:]
        let count = Int(grid.slots) * 1_000
        for _ in 0..<count {
            let id = PromiseID(at: .meeting, using: &generator)
            shares[ReportingSlot(of: id, interval: Self.interval, on: grid).offset, default: 0] += 1
        }
        #expect(Set(shares.keys) == Set((0..<grid.slots).map { .milliseconds($0 * 5_000 / grid.slots) }))
        #expect(shares.values.allSatisfy { (850...1_150).contains($0) })
    }

    @Test func `on a finer grid half of the sessions keep their slots and the others move half a slot later`() {
        var generator = SeededGenerator(seed: 6)
        var slots = (0..<10_000).map { _ in
            ReportingSlot(of: PromiseID(at: .meeting, using: &generator), interval: .milliseconds(64_000))
        }
        while slots[0].grid != .finest {
            let finer = slots[0].grid.fitting(Int(slots[0].grid.slots * 32 + 1))
            let half = TimeSpan.milliseconds(64_000 / finer.slots)
            let before = slots.map(\.offset)
            for index in slots.indices { slots[index].grid = finer }
            let moves = zip(slots, before).map { $0.offset - $1 }
            #expect(moves.allSatisfy { $0 == .zero || $0 == half })
            #expect((4_700...5_300).contains(moves.count { $0 == .zero }))
        }
    }

    @Test func `an interval shorter than the grid has a slot`() {
        var generator = SeededGenerator(seed: 7)
        for milliseconds in [1, 7, 49] as [Int64] {
            let interval = TimeSpan.milliseconds(milliseconds)
            for _ in 0..<100 {
                let id = PromiseID(at: .meeting, using: &generator)
                let slot = ReportingSlot(of: id, interval: interval, on: .finest)
                #expect(slot.offset >= .zero && slot.offset < interval)
            }
        }
    }

    @Test(.proves("5.3"), arguments: [-3_600_000, -1_800_001, -1_800_000, -1_799_999, 0, 10_799_999])
    func `requests the first slot inside the window`(milliseconds: Int) throws {
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
