import PromisedDomain
import PromisedTestSupport
import Testing

@Suite struct SequenceSetTests {
    enum Order: CaseIterable {
        case rising
        case falling
        case shuffled
        case repeated
        case scattered

        func numbers(using generator: inout SeededGenerator) -> [UInt32] {
            switch self {
            case .rising: Array(0..<500)
            case .falling: Array((0..<500).reversed())
            case .shuffled: (0..<500).shuffled(using: &generator)
            case .repeated: (0..<500).map { _ in UInt32.random(in: 0..<60, using: &generator) }
            case .scattered: (0..<250).map { _ in UInt32.random(in: 0...600, using: &generator) }
            }
        }
    }

    @Test(arguments: Order.allCases, 1...10)
    func `a number is new exactly once, as in a plain set`(order: Order, seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        var taken = SequenceSet()
        var model = Set<UInt32>()
        for number in order.numbers(using: &generator) {
            #expect(taken.contains(number) == model.contains(number), "seed \(seed), number \(number)")
            #expect(taken.insert(number) == model.insert(number).inserted, "seed \(seed), number \(number)")
            #expect(taken.contains(number))
        }
        #expect((0...601).allSatisfy { taken.contains($0) == model.contains($0) }, "seed \(seed)")
    }

    @Test func `both ends of the numbers can be taken`() {
        var taken = SequenceSet()
        for number in [0, .max, .max - 1, 1] as [UInt32] {
            let isNew = taken.insert(number)
            let isNewAgain = taken.insert(number)
            #expect(isNew)
            #expect(!isNewAgain)
        }
        #expect(taken.rangeCount == 2)
    }

    @Test func `a phone that counts upwards costs one range`() {
        var taken = SequenceSet()
        for number in 1...10_000 as ClosedRange<UInt32> { taken.insert(number) }
        #expect(taken.rangeCount == 1)
    }

    @Test func `a phone that skips every other number cannot make it grow without bound`() {
        var taken = SequenceSet()
        for number in stride(from: 0 as UInt32, to: 10_000, by: 2) {
            let isNew = taken.insert(number)
            #expect(isNew)
            #expect(taken.rangeCount <= SequenceSet.rangeLimit)
        }
        #expect(taken.rangeCount == SequenceSet.rangeLimit)
        // Near the top nothing is lost; far below, numbers between old ranges count as taken, never as new again.
        #expect(!taken.contains(9_997))
        #expect(taken.contains(9_998))
        #expect(taken.contains(0))
        #expect(taken.contains(1))
    }

    @Test(arguments: [
        (SequenceSet.rangeLimit - 1, false), (SequenceSet.rangeLimit, false), (SequenceSet.rangeLimit + 1, true),
    ])
    func `the lowest gap is given up only beyond the limit`(ranges: Int, isGapTaken: Bool) {
        var taken = SequenceSet()
        for index in 0..<UInt32(ranges) { taken.insert(index * 2) }
        #expect(taken.contains(1) == isGapTaken)
    }
}
